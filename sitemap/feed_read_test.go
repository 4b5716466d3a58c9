package sitemap_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

func TestFeeds(t *testing.T) {
	kinds := func(kinds ...sitemap.FaultKind) []sitemap.FaultKind { return kinds }
	rss := func(items string) string {
		return `<?xml version="1.0"?><?xml-stylesheet href="a"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>t</title><link>http://site/</link><atom:link href="http://site/feed" rel="self"/><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
<image><url>http://site/i.png</url><link>http://site/</link></image>
` + items + `
</channel></rss>`
	}
	atom := func(entries string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><link href="http://site/"/><updated>2024-01-01T00:00:00Z</updated>` + entries + `</feed>`
	}
	for _, c := range []struct {
		name, file string
		format     sitemap.Format
		loc, date  string
		kinds      []sitemap.FaultKind
		base       string
	}{
		{"RSS", rss(`<item><title>a</title><link>http://a/</link><pubDate>Sat, 07 Sep 2002 09:42:31 GMT</pubDate></item>`),
			sitemap.FormatRSS, "http://a/", "2002-09-07T09:42:31Z", nil, ""},
		{"CDATA", rss(`<item><link><![CDATA[ http://a/?b&c ]]></link></item>`), sitemap.FormatRSS, "http://a/?b&c", "", nil,
			""},
		{"entities", rss(`<item><link> http://a/?b&amp;c
</link></item>`), sitemap.FormatRSS, "http://a/?b&c", "", nil, ""},
		{"a bare ampersand", rss(`<item><link>http://a/?b&c</link></item>`), sitemap.FormatRSS, "http://a/?b&c", "",
			kinds(sitemap.FaultBareAmpersand), ""},
		{"guid for link", rss(`<item><guid>http://a/</guid></item>`), sitemap.FormatRSS, "http://a/", "",
			kinds(sitemap.FaultFeedLinkFromGUID), ""},
		{"guid and link", rss(`<item><guid isPermaLink="true">http://b/</guid><link>http://a/</link></item>`),
			sitemap.FormatRSS, "http://a/", "", nil, ""},
		{"empty link", rss(`<item><link/><guid isPermaLink='true'>https://a/</guid></item>`), sitemap.FormatRSS, "https://a/",
			"", kinds(sitemap.FaultFeedLinkFromGUID), ""},
		{"guid that is not a link", rss(`<item><guid isPermaLink="false">http://b/</guid></item><item><link>http://a/</link></item>`),
			sitemap.FormatRSS, "http://a/", "", kinds(sitemap.FaultFeedItemWithoutLink), ""},
		{"guid that is a number", rss(`<item><guid>12</guid></item><item/><item><link>http://a/</link></item>`),
			sitemap.FormatRSS, "http://a/", "", kinds(sitemap.FaultFeedItemWithoutLink, sitemap.FaultFeedItemWithoutLink), ""},
		{"dc:date", rss(`<item><link>http://a/</link><dc:date>2002-09-07T09:42:31+02:00</dc:date></item>`), sitemap.FormatRSS,
			"http://a/", "2002-09-07T09:42:31+02:00", nil, ""},
		{"atom:link in an item", rss(`<item><atom:link href="http://b/"/><link>http://a/</link></item>`), sitemap.FormatRSS,
			"http://a/", "", nil, ""},
		{"link in a child", rss(`<item><source><link>http://b/</link></source><description><![CDATA[<link>http://c/</link>]]></description><link>http://a/</link></item>`), sitemap.FormatRSS, "http://a/", "", nil, ""},
		{"two links", rss(`<item><link>http://a/</link><link>http://b/</link></item>`), sitemap.FormatRSS, "http://a/", "",
			nil, ""},
		{"relative", rss(`<item><link>/x</link></item>`), sitemap.FormatRSS, "http://h/x", "",
			kinds(sitemap.FaultLocRelative), "http://h/feed"},
		{"capital root", strings.NewReplacer("<rss", "<RSS", "</rss",
			"</RSS").Replace(rss(`<item><link>http://a/</link></item>`)), sitemap.FormatRSS, "http://a/", "", nil, ""},
		{"RSS 0.91", `<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><item><link>http://a/</link></item></channel></rss>`,
			sitemap.FormatRSS, "http://a/", "", kinds(sitemap.FaultDoctypePresent), ""},
		{"Atom", atom(`<entry><id>urn:x</id><link href="http://a/"/><published>2023-01-01T00:00:00Z</published><updated>2024-01-08T10:00:00.25+01:00</updated></entry>`),
			sitemap.FormatAtom, "http://a/", "2024-01-08T10:00:00.25+01:00", nil, ""},
		{"updated first", atom(`<entry><link href="http://a/"/><updated>2024-01-08T10:00:00Z</updated><published>2023-01-01T00:00:00Z</published></entry>`),
			sitemap.FormatAtom, "http://a/", "2024-01-08T10:00:00Z", nil, ""},
		{"published alone", atom(`<entry><link href="http://a/"/><published>2023-01-01T00:00:00Z</published></entry>`),
			sitemap.FormatAtom, "http://a/", "2023-01-01T00:00:00Z", nil, ""},
		{"many links", atom(`<entry><link rel="self" href="http://b/"/><link rel="enclosure" href="http://c/"></link><link rel='alternate' type="text/html" href='http://a/?b&amp;c'/><link href="http://d/"/></entry>`), sitemap.FormatAtom, "http://a/?b&c", "", nil, ""},
		{"id for link", atom(`<entry><id>http://a/</id></entry>`), sitemap.FormatAtom, "http://a/", "",
			kinds(sitemap.FaultFeedLinkFromGUID), ""},
		{"no link", atom(`<entry><id>tag:a</id></entry><entry><link href="http://a/"/></entry>`), sitemap.FormatAtom,
			"http://a/", "", kinds(sitemap.FaultFeedItemWithoutLink), ""},
		{"a prefix", `<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:entry><atom:link href="http://a/"/><atom:updated>2024</atom:updated></atom:entry></atom:feed>`, sitemap.FormatAtom, "http://a/", "2024", nil, ""},
		{"xml:base", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://h/d/"><entry><link href="x"/></entry></feed>`,
			sitemap.FormatAtom, "http://h/d/x", "", kinds(sitemap.FaultLocRelative), ""},
		{"xml:base and a base", `<feed xml:base="/d/"><entry><link href="x"/></entry></feed>`, sitemap.FormatAtom,
			"https://h/d/x", "", kinds(sitemap.FaultLocRelative), "https://h/feed"},
		{"xml:base of an entry", `<feed xml:base="http://h/d/"><entry xml:base="e/"><link href="x"/></entry></feed>`,
			sitemap.FormatAtom, "http://h/d/e/x", "", kinds(sitemap.FaultLocRelative), ""},
		{"xml:base of a link", `<feed><entry xml:base="http://h/e/"><link xml:base="/l/" href="x"/></entry></feed>`,
			sitemap.FormatAtom, "http://h/l/x", "", kinds(sitemap.FaultLocRelative), ""},
		{"xml:base of another entry", `<feed><entry xml:base="http://g/"><id>tag:a</id></entry><entry><link href="x"/></entry></feed>`,
			sitemap.FormatAtom, "x", "", kinds(sitemap.FaultFeedItemWithoutLink, sitemap.FaultLocRelative), ""},
		{"xml:base of an item", rss(`<item xml:base="http://h/d/"><link>x</link></item>`), sitemap.FormatRSS, "http://h/d/x",
			"", kinds(sitemap.FaultLocRelative), ""},
		{"invalid xml:base", `<feed xml:base="http://[/"><entry><link href="http://a/"/></entry></feed>`, sitemap.FormatAtom,
			"http://a/", "", nil, ""},
		{"the relation in full", atom(`<entry><link rel="http://www.iana.org/assignments/relation/self" href="http://b/"/><link rel="http://www.iana.org/assignments/relation/alternate" href="http://a/"/></entry>`), sitemap.FormatAtom, "http://a/", "", nil, ""},
		{"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><link rel="alternate" type="text/html" href="http://a/"/><issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-13T18:30:02Z</modified></entry></feed>`,
			sitemap.FormatAtom, "http://a/", "2003-12-13T18:30:02Z", nil, ""},
		{"XHTML in an entry", atom(`<entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="http://b/">x<br/></a></div></content><link href="http://a/"/></entry>`), sitemap.FormatAtom, "http://a/", "", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := sitemap.ReaderOptions{Base: c.base}
			got := read(t, c.file, options)
			got.wantErr(t, "")
			got.wantLocs(t, c.loc)
			got.wantKinds(t, c.kinds...)
			if got.Format != c.format {
				t.Errorf("format %v, want %v", got.Format, c.format)
			}
			for entry, err := range sitemap.NewReader(strings.NewReader(c.file), &options).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				date, err := entry.Date()
				if err != nil || date.String() != c.date {
					t.Errorf("date %q, want %q (%v)", date, c.date, err)
				}
			}
			options.Strict = true
			if strict := read(t, c.file, options); (strict.Err != nil) != (len(c.kinds) > 0) {
				t.Errorf("strict ends with %v", strict.Err)
			}
		})
	}
}

// TestFeedsCut keeps the items before the cut.
func TestFeedsCut(t *testing.T) {
	for _, document := range []string{
		`<rss><channel><item><link>http://a/</link></item><item><link>http://b/</link></item></channel></rss>`,
		`<feed><entry><link href="http://a/"/></entry><entry><link href="http://b/"/></entry></feed>`,
	} {
		for cut := 1; cut < len(document); cut++ {
			got := readFrom(strings.NewReader(document[:cut]), sitemap.ReaderOptions{})
			got.wantErr(t, sitemap.FaultTruncated)
			if want := strings.Count(document[:cut], "</item>") + strings.Count(document[:cut],
				"</entry>"); len(got.Entries) != want {
				t.Errorf("%q: %d entries, want %d", document[:cut], len(got.Entries), want)
			}
		}
	}
}

// TestFeedsRefused ends at markup that does not match.
func TestFeedsRefused(t *testing.T) {
	for document, want := range map[string]sitemap.FaultKind{
		`<rss><channel><item><link>a</lonk></item></channel></rss>`:     sitemap.FaultNotWellFormed,
		`<rss><channel><item><link>a</link></entry></channel></rss>`:    sitemap.FaultNotWellFormed,
		`<rss><channel><item><guid a=b>a</guid></item></channel></rss>`: sitemap.FaultNotWellFormed,
		`<feed><entry><link href=a></entry></feed>`:                     sitemap.FaultNotWellFormed,
		`<feed><!DOCTYPE feed></feed>`:                                  sitemap.FaultNotWellFormed,
		`<feed><entry><!DOCTYPE feed></entry></feed>`:                   sitemap.FaultNotWellFormed,
		`<feed xmlns=a/>`: sitemap.FaultNotWellFormed,
	} {
		read(t, document, sitemap.ReaderOptions{}).wantErr(t, want)
	}
}

// TestFeedDates reads the dates of RSS in the shapes that feeds have.
func TestFeedDates(t *testing.T) {
	for text, want := range map[string]string{
		"Sat, 07 Sep 2002 00:00:01 GMT":   "2002-09-07T00:00:01Z",
		"Sat, 7 Sep 2002 00:00:01 GMT":    "2002-09-07T00:00:01Z",
		"07 Sep 2002 00:00:01 UT":         "2002-09-07T00:00:01Z",
		"Sat, 07 Sep 02 00:00:01 Z":       "2002-09-07T00:00:01Z",
		"Sat, 07 Sep 2002 00:00 +0000":    "2002-09-07T00:00:00Z",
		"Sat, 07 Sep 2002 00:00:01 -0730": "2002-09-07T00:00:01-07:30",
		"Sat, 07 Sep 2002 20:00:01 EST":   "2002-09-08T01:00:01Z",
		"Sat, 07 Sep 2002 20:00:01 PDT":   "2002-09-08T03:00:01Z",
		"Sat,07 Sep 2002  00:00:01  GMT":  "2002-09-07T00:00:01Z",
		"2002-09-07T00:00:01Z":            "2002-09-07T00:00:01Z",
		"2002-09-07":                      "2002-09-07",
		"yesterday":                       "",
		"Sat, 31 Sep 2002 00:00:01 GMT":   "",
		"Sat, 07 Sep 2002":                "",
	} {
		document := `<rss><channel><item><link>a</link><pubDate>` + text + `</pubDate></item></channel></rss>`
		for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
			if err != nil {
				t.Fatal(err)
			}
			date, err := entry.Date()
			if date.String() != want || (err != nil) != (want == "") {
				t.Errorf("%q is %q, want %q (%v)", text, date, want, err)
			}
			if stamp, err := time.Parse(time.RFC1123Z, text); err == nil && !date.Time().Equal(stamp) {
				t.Errorf("%q is %v, want %v", text, date.Time(), stamp)
			}
		}
	}
}
