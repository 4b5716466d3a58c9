package sitemap_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestUnclosedEntry reads entries without an end tag: each is reported once, at its
// start tag, and all entries are read.
func TestUnclosedEntry(t *testing.T) {
	const (
		open  = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">` + "\n"
		image = "<image:image><image:loc>http://a/i.png</image:loc></image:image>"
		end   = "</urlset>"
	)
	for name, c := range map[string]struct {
		document string // each line of an unclosed entry begins with a !
		locs     string
		others   []sitemap.FaultKind
	}{
		"the first": {open + "!<url><loc>http://a/</loc>\n<url><loc>http://b/</loc>" +
			"</url>\n" + end, "http://a/ http://b/", nil},
		"the middle": {open + "<url><loc>http://a/</loc></url>\n!<url><loc>http://b/</loc>\n<url><loc>http://c/</loc>" +
			"</url>\n" +
			end, "http://a/ http://b/ http://c/", nil},
		"the last": {open + "<url><loc>http://a/</loc></url>\n!<url>" +
			"<loc>http://b/</loc>\n" + end, "http://a/ http://b/", nil},
		"the only": {open + "!<url><loc>http://a/</loc>" + end, "http://a/", nil},
		"two": {open + "!<url><loc>http://a/</loc>\n!<url><loc>http://b/</loc>\n<url><loc>http://c/</loc></url>\n" + end,
			"http://a/ http://b/ http://c/", nil},
		"all": {open + strings.Repeat("!<url><loc>http://a/</loc>\n", 3) + end, "http://a/ http://a/ http://a/", nil},
		"one inside another": {open + "!<url><loc>http://a/</loc>\n<url><loc>http://b/</loc></url></url>\n<url>" +
			"<loc>http://c/</loc></url>" +
			end, "http://a/ http://b/ http://c/", nil},
		"three inside each other": {open + "!<url><loc>http://a/</loc>\n!<url><loc>http://b/</loc>\n<url>" +
			"<loc>http://c/</loc></url></url></url>\n" +
			end, "http://a/ http://b/ http://c/", nil},
		"a start tag twice": {open + "!<url>\n<url><loc>http://a/</loc></url>\n" + end, "http://a/", nil},
		"extensions before": {open + "!<url><loc>http://a/</loc>" + image + "\n<url>" +
			"<loc>http://b/</loc>" + image + "</url>\n" + end,
			"http://a/ http://b/", nil},
		"attributes": {open + "!<url><loc>http://a/</loc>\n<url id='1'><loc>http://b/</loc>" +
			"</url>" + end, "http://a/ http://b/", nil},
		"the namespace again": {open + "!<url><loc>http://a/</loc>\n" +
			`<url xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><loc>http://b/</loc>` +
			`</url>` + end, "http://a/ http://b/", nil},
		"a prefix": {`<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			"\n!<s:url><s:loc>http://a/</s:loc>\n<s:url><s:loc>http://b/</s:loc></s:url>" +
			"</s:urlset>", "http://a/ http://b/", nil},
		"an index": {`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			"\n!<sitemap><loc>http://a/</loc>\n<sitemap><loc>http://b/</loc></sitemap>" +
			"</sitemapindex>", "http://a/ http://b/", nil},
		"an element of another vocabulary": {open + `<url><loc>http://a/</loc><url xmlns="http://example.com/x">` +
			`<loc>http://b/</loc></url></url>` +
			end, "http://a/", nil},
		"an item of a feed": {"<rss><channel>\n!<item><link>http://a/</link>\n<item><link>http://b/</link></item>" +
			"</channel></rss>",
			"http://a/ http://b/", nil},
		"an item after an element that does not end": {open + "<url><loc>http://a/</loc><b>\n<url>" +
			"<loc>http://b/</loc></url>" + end,
			"", []sitemap.FaultKind{sitemap.FaultUnknownElement}},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []int
			for i, line := range strings.Split(c.document, "\n") {
				if strings.HasPrefix(line, "!") {
					lines = append(lines, i+1)
				}
			}
			document := strings.ReplaceAll(c.document, "\n!", "\n")
			got := read(t, document, sitemap.ReaderOptions{})
			if locs := strings.Join(got.locs(), " "); locs != c.locs {
				t.Errorf("read %q, want %q", locs, c.locs)
			}
			var reported []int
			for _, fault := range got.Faults {
				if fault.Kind == sitemap.FaultUnclosedEntry {
					reported = append(reported, fault.Line)
				}
			}
			if fmt.Sprint(reported) != fmt.Sprint(lines) || len(got.Faults) != len(lines)+len(c.others) {
				t.Errorf("unclosed in lines %v, want %v\n%s", reported, lines, got.describe())
			}
			if len(lines) == 0 {
				return
			}
			var fault *sitemap.Fault
			for _, err := range sitemap.NewReader(strings.NewReader(document), &sitemap.ReaderOptions{Strict: true}).Entries() {
				errors.As(err, &fault)
			}
			if fault == nil || fault.Kind != sitemap.FaultUnclosedEntry || fault.Line != lines[0] {
				t.Errorf("strict ends with %v, want the unclosed entry in line %d", fault, lines[0])
			}
		})
	}
}

// TestUnclosedValue reads values without an end tag: each is reported once, at its start tag,
// and all entries are read.
func TestUnclosedValue(t *testing.T) {
	const (
		head = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n" +
			"<url><loc>http://a/</loc><lastmod>2024-01-08</lastmod></url>\n" +
			"<url><loc>http://b/</loc><lastmod>2024-01-08</lastmod></url>\n"
		end = "\n<url><loc>http://d/</loc><lastmod>2024-01-08</lastmod></url>\n</urlset>"
	)
	for name, c := range map[string]struct {
		entry  string // on line 4
		locs   string
		faults string
	}{
		"loc": {"<url><loc>http://c/</url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 6 loc"},
		"loc and entry": {"<url><loc>http://c/\n",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 6 loc, unclosed-entry 1 url"},
		"lastmod": {"<url><loc>http://c/</loc><lastmod>2024-01-08 </url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 26 lastmod"},
		"after another value": {"<url><lastmod>2024-01-08</lastmod><loc>http://c/</url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 35 loc"},
		"references and CDATA": {"<url><loc>http://c/?a&amp;b<![CDATA[&c]]></url>", "http://a/ http://b/ http://c/?a&b&c http://d/",
			"unclosed-value 6 loc"},
		"a value follows": {"<url><loc>http://c/ <lastmod>2024-01-08</lastmod></url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 6 loc"},
		"an extension follows": {"<url><loc>http://c/<image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>" +
			"<image:loc>http://c/i</image:loc></image:image></url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 6 loc"},
		"two values": {"<url><loc>http://c/<lastmod>2024-01-08<priority>1</priority></url>",
			"http://a/ http://b/ http://c/ http://d/", "unclosed-value 6 loc, unclosed-value 20 lastmod"},
		"a value inside": {"<url><loc>http://c/<lastmod>2024</lastmod><b/></loc></url>",
			"http://a/ http://b/ http://c/ http://d/", "nested-tag-in-leaf 21 loc, nested-tag-in-leaf 44 loc"},
		"the root ends": {"<url><loc>http://c/</urlset>",
			"http://a/ http://b/ http://c/", "unclosed-value 6 loc, unclosed-entry 1 url"},
		"another end tag": {"<url><loc>http://c/</lastmod></loc></url>", "http://a/ http://b/", ""},
		"an empty entry": {"<url><loc></url>",
			"http://a/ http://b/ http://d/", "unclosed-value 6 loc, missing-loc 1 url"},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, head+c.entry+end, sitemap.ReaderOptions{})
			if locs := strings.Join(got.locs(), " "); locs != c.locs {
				t.Errorf("read %q, want %q", locs, c.locs)
			}
			var faults []string
			for _, fault := range got.Faults {
				if fault.Line == 4 {
					faults = append(faults, fmt.Sprintf("%s %d %s", fault.Kind, fault.Column, fault.Element))
				}
			}
			if strings.Join(faults, ", ") != c.faults {
				t.Errorf("reported %s, want %s", strings.Join(faults, ", "), c.faults)
			}
		})
	}
}

// TestUnclosedEntryAmongMany removes one end tag of a full sitemap.
func TestUnclosedEntryAmongMany(t *testing.T) {
	for _, at := range []int{0, sitemap.MaxURLs / 2, sitemap.MaxURLs - 1} {
		var document strings.Builder
		document.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
		for i := range sitemap.MaxURLs {
			fmt.Fprintf(&document, "<url><loc>https://example.com/%d</loc><lastmod>2024-01-08</lastmod>", i)
			if i != at {
				document.WriteString("</url>")
			}
			document.WriteString("\n")
		}
		document.WriteString("</urlset>\n")
		var faults []*sitemap.Fault
		reader := sitemap.NewReader(struct{ io.Reader }{strings.NewReader(document.String())}, &sitemap.ReaderOptions{
			OnFault: func(fault *sitemap.Fault) { faults = append(faults, fault) },
		})
		n := 0
		for entry, err := range reader.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("https://example.com/%d", n); string(entry.Loc) != want || entry.Line() != n+2 {
				t.Fatalf("entry %d is %s in line %d", n, entry.Loc, entry.Line())
			}
			n++
		}
		if n != sitemap.MaxURLs || len(faults) != 1 || faults[0].Kind != sitemap.FaultUnclosedEntry ||
			faults[0].Line != at+2 {
			t.Errorf("without the end tag of entry %d: %d entries, faults %v", at, n, faults)
		}
	}
}

// TestArchive names an archive instead of reading what it holds.
func TestArchive(t *testing.T) {
	tar := "sitemap.xml" + strings.Repeat("\x00", 246) + "ustar\x0000" + strings.Repeat("\x00", 247) +
		urlset(url("http://a/"))
	zip := "PK\x03\x04\x14\x00sitemap.xml" + urlset(url("http://a/"))
	for name, document := range map[string]string{"tar": tar, "ZIP": zip} {
		fault := read(t, document, sitemap.ReaderOptions{}).wantErr(t, sitemap.FaultNotASitemap)
		if !strings.Contains(fault.Detail, name+" archive") {
			t.Errorf("%s: %q", name, fault.Detail)
		}
	}
}

// TestExtensionElement reports elements that their vocabulary does not have, each at
// its place.
func TestExtensionElement(t *testing.T) {
	const root = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
 xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>http://a/</loc>`
	for element, around := range map[string][2]string{
		"image:alt":         {"<image:image><image:loc>http://a/i.png</image:loc>", "</image:image>"},
		"image:imge":        {},
		"image:loc":         {},
		"video:expiry_date": {"<video:video><video:title>t</video:title>", "</video:video>"},
		"video:season":      {"<video:video><video:tvshow>", "</video:tvshow></video:video>"},
		"news:author":       {"<news:news>", "</news:news>"},
		"news:editor":       {"<news:news><news:publication>", "</news:publication></news:news>"},
		"xhtml:meta":        {},
		"Other": {"<PageMap xmlns='http://www.google.com/schemas/sitemap-pagemap/1.0'><DataObject>",
			"</DataObject></PageMap>"},
		"y:z": {"<image:image>", "</image:image>"},
	} {
		before := root + around[0]
		document := before + "<" + element + ">x</" + element + ">" + around[1] + "</url></urlset>"
		got := read(t, document, sitemap.ReaderOptions{})
		got.wantErr(t, "")
		if len(got.Faults) != 1 || got.Faults[0].Kind != sitemap.FaultExtensionElement || got.Faults[0].Detail != element ||
			int(got.Faults[0].Offset) != len(before)+1 {
			t.Errorf("%s\n%s", document, got.describe())
		}
	}
}

// TestFieldErrorOnce prints a value once.
func TestFieldErrorOnce(t *testing.T) {
	for entry := range sitemap.NewReader(strings.NewReader(urlset(url("http://a/", "<lastmod>soon"+
		"</lastmod>"))), nil).Entries() {
		if _, err := entry.URL(); err == nil || strings.Count(err.Error(), "soon") != 1 {
			t.Errorf("%v", err)
		}
	}
}

// TestEmptyFeed finds nothing wrong with a channel without items.
func TestEmptyFeed(t *testing.T) {
	for _, document := range []string{
		`<rss version="2.0"><channel><title>t</title></channel></rss>`, `<feed xmlns="http://www.w3.org/2005/Atom"/>`,
	} {
		got := read(t, document, sitemap.ReaderOptions{Strict: true})
		got.wantErr(t, "")
		got.wantLocs(t)
	}
}
