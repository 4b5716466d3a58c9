package sitemap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// markAt marks in a document of these tests where its fault lies.
const markAt = "▼"

// TestTolerated reads documents with one fault each. The fault must lie at the
// mark, and Strict must end with it.
func TestTolerated(t *testing.T) {
	const (
		root = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
		good = "<url><loc>http://a/</loc></url>\n"
		end  = "</urlset>\n"
		size = int64(len(root + good + end))
	)
	for _, c := range []struct {
		name     string
		document string
		kind     sitemap.FaultKind
		narrower sitemap.FaultKind
		element  string
		detail   string
		locs     string
		options  sitemap.ReaderOptions
	}{
		{name: "white space before the declaration", document: " \n" + markAt + `<?xml version="1.0"?>` + root + good + end,
			kind: sitemap.FaultLeadingWhitespace, locs: "http://a/"},
		{name: "a declaration after a comment", document: "<!-- c -->" + markAt + `<?xml version="1.0"?>` + root + good + end,
			kind: sitemap.FaultLateDeclaration, locs: "http://a/"},
		{name: "a declaration between entries", document: root + good + markAt + "<?xml version='1.0'?>" + good + end,
			kind: sitemap.FaultLateDeclaration, locs: "http://a/ http://a/"},
		{name: "a declaration in an entry", document: root + "<url>" + markAt + "<?xml\tversion='1.0'?>" +
			"<loc>http://a/</loc></url>" +
			end, kind: sitemap.FaultLateDeclaration, locs: "http://a/"},
		{name: "a declaration after the root", document: root + good + end + markAt + "<?xml?>",
			kind: sitemap.FaultLateDeclaration, locs: "http://a/"},
		{name: "a script's warning", document: markAt + "Warning: foo in /var/www/x.php on line 3\n" + root + good + end,
			kind:   sitemap.FaultLeadingContent,
			detail: "Warning: foo in /var/www/x.php on line 3 ", locs: "http://a/"},
		{name: "a script's warning in HTML",
			document: markAt + "<br />\n<b>Warning</b>:  foo in <b>x.php</b> on line <b>3</b><br />\n" +
				`<?xml version="1.0"?>` + root + good + end,
			kind: sitemap.FaultLeadingContent, detail: "<br /> <b>Warning</b>:  foo in <b>x.php</b> on line <b>3</b><br /> ",
			locs: "http://a/"},
		{name: "text after the declaration", document: `<?xml version="1.0"?>` + "\n" + markAt + "x " + root + good + end,
			kind: sitemap.FaultLeadingContent, detail: "x", locs: "http://a/"},
		{name: "garbage after the root", document: root + good + end + markAt + "x<y", kind: sitemap.FaultTrailingContent,
			detail: "x<y", locs: "http://a/"},
		{name: "NULs after the root", document: root + good + end + markAt + "\x00\x00", kind: sitemap.FaultTrailingContent,
			detail: "  ", locs: "http://a/"},
		{name: "a second file after the root", document: root + good + end + markAt + "<urlset></urlset>",
			kind: sitemap.FaultTrailingContent, detail: "<urlset></urlset>", locs: "http://a/"},
		{name: "long garbage after the root", document: root + good + end + markAt + strings.Repeat("x", 90),
			kind: sitemap.FaultTrailingContent, detail: strings.Repeat("x", 80) + "…", locs: "http://a/"},
		{name: "a DOCTYPE", document: markAt + "<!DOCTYPE urlset>" + root + good + end, kind: sitemap.FaultDoctypePresent,
			detail: "DOCTYPE urlset", locs: "http://a/"},
		{name: "a DOCTYPE with a subset",
			document: `<?xml version="1.0"?><!-- c -->` + markAt +
				`<!DOCTYPE urlset SYSTEM "a>" [<!ELEMENT url (loc)><!-- it's ]> -->]>` + root + good + end,
			kind: sitemap.FaultDoctypePresent, detail: `DOCTYPE urlset SYSTEM "a>" [<!ELEMENT url (loc)><!-- it's ]> -->]`,
			locs: "http://a/"},
		{name: "an HTML entity", document: root + "<url><loc>http://a/" + markAt + "&eacute;</loc></url>\n" + end,
			kind: sitemap.FaultUndeclaredEntity, element: "loc", detail: "&eacute;", locs: "http://a/é"},
		{name: "an unknown entity", document: root + "<url><loc>http://a/" + markAt + "&foo;</loc></url>\n" + end,
			kind: sitemap.FaultUndeclaredEntity, element: "loc", detail: "&foo;", locs: "http://a/&foo;"},
		{name: "an unknown entity that begins like one",
			document: root + "<url><loc>http://a/" + markAt + "&section;</loc></url>\n" + end,
			kind:     sitemap.FaultUndeclaredEntity, element: "loc", detail: "&section;", locs: "http://a/&section;"},
		{name: "an impossible number", document: root + "<url><loc>http://a/" + markAt + "&#0;</loc></url>\n" + end,
			kind: sitemap.FaultUndeclaredEntity, element: "loc", detail: "&#0;", locs: "http://a/&#0;"},
		{name: "a bare ampersand", document: root + "<url><loc>http://a/?b=1" + markAt + "&c=2</loc></url>\n" + end,
			kind: sitemap.FaultBareAmpersand, element: "loc", locs: "http://a/?b=1&c=2"},
		{name: "an ampersand at the end", document: root + "<url><loc>http://a/?b" + markAt + "&</loc></url>\n" + end,
			kind: sitemap.FaultBareAmpersand, element: "loc", locs: "http://a/?b&"},
		{name: "an unknown element", document: root + "<url><loc>http://a/</loc><" + markAt + "lastMod>x</lastMod></url>\n" +
			end, kind: sitemap.FaultUnknownElement, element: "url", detail: "lastMod", locs: "http://a/"},
		{name: "an element between entries", document: root + good + "<" + markAt + "foo><url><loc>b</loc></url></foo>" + end,
			kind: sitemap.FaultUnknownElement, detail: "foo", locs: "http://a/"},
		{name: "a name that begins with a colon", document: root + good + "<" + markAt + ":url><loc>b</loc></:url>" + end,
			kind: sitemap.FaultUnknownElement, detail: ":url", locs: "http://a/"},
		{name: "a nested root", document: root + "<" + markAt + "urlset>" + good + "</urlset>" + good + end,
			kind: sitemap.FaultNestedRoot, detail: "urlset", locs: "http://a/ http://a/"},
		{name: "an empty nested root", document: root + good + "<" + markAt + "sitemapindex/>" + end,
			kind: sitemap.FaultNestedRoot, detail: "sitemapindex", locs: "http://a/"},
		{name: "a sitemap in a url set", document: root + good + markAt + "<sitemap><loc>http://b/</loc></sitemap>" + end,
			kind: sitemap.FaultMixedEntries, element: "sitemap", locs: "http://a/ http://b/"},
		{name: "loc twice", document: root + "<url><loc>http://a/</loc><" + markAt + "loc>http://b/</loc></url>" + end,
			kind: sitemap.FaultDuplicateChild, element: "loc", locs: "http://a/ http://b/"},
		{name: "loc twice, the first one empty", document: root + "<url><loc/><" + markAt + "loc>http://b/</loc></url>" +
			good + end, kind: sitemap.FaultDuplicateChild, element: "loc", locs: "http://b/ http://a/"},
		{name: "priority twice", document: root + "<url><priority>1</priority><loc>http://a/</loc><" + markAt +
			"priority>1</priority></url>" + end, kind: sitemap.FaultDuplicateChild, element: "priority", locs: "http://a/"},
		{name: "no loc", document: root + good + markAt + "<url><lastmod>2024</lastmod></url>" + good + end,
			kind: sitemap.FaultMissingLoc, element: "url", locs: "http://a/ http://a/"},
		{name: "an empty entry", document: root + good + markAt + "<url/>" + good + end, kind: sitemap.FaultMissingLoc,
			element: "url", locs: "http://a/ http://a/"},
		{name: "an empty lastmod", document: root + "<url><loc>http://a/</loc><lastmod>" + markAt + "</lastmod></url>" + end,
			kind: sitemap.FaultEmptyTag, element: "lastmod", locs: "http://a/"},
		{name: "a blank lastmod", document: root + "<url><loc>http://a/</loc><lastmod>" + markAt + " \n</lastmod></url>" +
			end, kind: sitemap.FaultEmptyTag, element: "lastmod", locs: "http://a/"},
		{name: "an element in a leaf", document: root + "<url><loc>http://a/<" + markAt + "b>c</b>d</loc></url>" + end,
			kind: sitemap.FaultNestedTag, element: "loc", detail: "b", locs: "http://a/d"},
		{name: "text between entries", document: root + good + markAt + "x " + good + end, kind: sitemap.FaultStrayText,
			detail: "x", locs: "http://a/ http://a/"},
		{name: "CDATA between entries", document: root + good + "<![CDATA[" + markAt + "x]]>" + good + end,
			kind: sitemap.FaultStrayText, locs: "http://a/ http://a/"},
		{name: "text in an entry", document: root + "<url>" + markAt + "x<loc>http://a/</loc></url>" + end,
			kind: sitemap.FaultStrayText, element: "url", detail: "x", locs: "http://a/"},
		{name: "hidden characters in a text", kind: sitemap.FaultStrayText, element: "url", detail: "xyz", locs: "http://a/",
			document: root + "<url>" + markAt + "x\u200ey\u202e\u061c\u00ad\u2060\u3164\U000e0041z<loc>http://a/</loc></url>" + end},
		{name: "no entries", document: root + "</urlset>" + markAt, kind: sitemap.FaultEmptySet},
		{name: "white space around loc", document: root + "<url><loc>" + markAt + "\n  http://a/\r\n</loc></url>" + end,
			kind: sitemap.FaultLocWhitespace, element: "loc", detail: "white space around the address", locs: "http://a/"},
		{name: "a wrapped loc", document: root + "<url><loc>" + markAt + "http://a/ \r\n\t  b c\n  d</loc></url>" + end,
			kind: sitemap.FaultLocWhitespace, narrower: sitemap.FaultLocLineBreak, element: "loc",
			detail: "a line break inside the address", locs: "http://a/b cd"},
		{name: "a line break inside loc", document: root + "<url><loc>" + markAt + "http://a/\r\nb</loc></url>" + end,
			kind: sitemap.FaultLocWhitespace, narrower: sitemap.FaultLocLineBreak, element: "loc",
			detail: "a line break inside the address", locs: "http://a/b"},
		{name: "a relative loc", document: root + "<url><loc>" + markAt + "/b?c</loc></url>" + end,
			kind: sitemap.FaultLocRelative, element: "loc", detail: "/b?c", locs: "/b?c"},
		{name: "a relative loc with a base",
			document: root + "<url><lastmod>2024</lastmod><loc>" + markAt + "b?c</loc></url>" + end,
			kind:     sitemap.FaultLocRelative, element: "loc", detail: "b?c",
			locs: "https://e/d/b?c", options: sitemap.ReaderOptions{Base: "https://e/d/sitemap.xml"}},
		{name: "a loc without scheme", document: root + "<url><loc>" + markAt + "//b/c</loc></url>" + end,
			kind: sitemap.FaultLocRelative, element: "loc", detail: "//b/c",
			locs: "https://b/c", options: sitemap.ReaderOptions{Base: "https://e/d/"}},
		{name: "a relative loc in CDATA",
			document: root + markAt + "<url><lastmod><![CDATA[2024-01-01]]></lastmod><loc><![CDATA[/b]]></loc></url>" + end,
			kind:     sitemap.FaultLocRelative, element: "loc", detail: "/b", locs: "/b"},
		{name: "bytes that are not UTF-8", document: root + "<url><loc>" + markAt + "http://a/\xe9</loc></url>" + end,
			kind: sitemap.FaultInvalidUTF8, element: "loc", locs: "http://a/\xe9"},
		{name: "a control character", document: root + "<url><loc>" + markAt + "http://a/\x01</loc></url>" + end,
			kind: sitemap.FaultControlCharacter, element: "loc", locs: "http://a/\x01"},
		{name: "a control character in an extension",
			document: root + "<url><loc>http://a/</loc><x:y xmlns:x='z'>" + markAt + "\x01</x:y></url>" + end,
			kind:     sitemap.FaultControlCharacter, element: "url", locs: "http://a/"},
		{name: "a bare ampersand in an extension",
			document: root + "<url><loc>http://a/</loc><x:y xmlns:x='z'>b" + markAt + "&c</x:y></url>" + end,
			kind:     sitemap.FaultBareAmpersand, element: "url", locs: "http://a/"},
		{name: "the second one too many", document: root + good + good + markAt + good + good + end,
			kind: sitemap.FaultTooManyEntries, locs: "http://a/ http://a/ http://a/ http://a/",
			options: sitemap.ReaderOptions{Limits: sitemap.Limits{URLs: 2}}},
		{name: "too large", document: root + good + end + markAt, kind: sitemap.FaultTooLarge,
			detail: fmt.Sprint(size, " bytes"), locs: "http://a/",
			options: sitemap.ReaderOptions{Limits: sitemap.Limits{Bytes: size - 1}}},
		{name: "just not too large", document: root + good + end, locs: "http://a/",
			options: sitemap.ReaderOptions{Limits: sitemap.Limits{Bytes: size, URLs: 1}}},
		{name: "url in an index", document: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + markAt +
			good + "</sitemapindex>", kind: sitemap.FaultMixedEntries, element: "url", locs: "http://a/"},
		{name: "changefreq in an index",
			document: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a/</loc><` +
				markAt + "changefreq>x</changefreq></sitemap></sitemapindex>",
			kind: sitemap.FaultUnknownElement, element: "sitemap", detail: "changefreq", locs: "http://a/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _, marked := strings.Cut(c.document, markAt)
			document := strings.Replace(c.document, markAt, "", 1)
			got := read(t, document, c.options)
			got.wantErr(t, "")
			if locs := strings.Join(got.locs(), " "); locs != c.locs {
				t.Errorf("read %q, want %q", locs, c.locs)
			}
			strict := c.options
			strict.Strict = true
			if !marked {
				got.wantKinds(t)
				read(t, document, strict).wantErr(t, "")
				return
			}
			if len(got.Faults) != 1 {
				t.Fatalf("want one fault\n%s", got.describe())
			}
			want := sitemap.Fault{Kind: c.kind, Offset: int64(len(before)), Line: 1 + strings.Count(before, "\n"),
				Column: len(before) - strings.LastIndexByte(before, '\n'), Element: c.element, Detail: c.detail,
				Narrower: c.narrower}
			if got.Faults[0] != want {
				t.Errorf("fault\n%#v, want\n%#v", got.Faults[0], want)
			}
			if fault := read(t, document, strict).wantErr(t, c.kind); *fault != want {
				t.Errorf("strict ends with\n%#v, want\n%#v", *fault, want)
			}
		})
	}
}

// TestUnremarkable reads what looks odd and is right, or is not reported.
func TestUnremarkable(t *testing.T) {
	for name, c := range map[string]struct{ document, locs string }{
		"white space first": {" \r\n\t" + strings.SplitN(urlset(url("http://a/")), "\n", 2)[1], "http://a/"},
		"comments": {urlset("<!-- <url> -->", "<url><!-- a --><loc>http://a/<!-- & -->b</loc><!-- c --></url>",
			"<!-- d -->") + "<!-- e -->", "http://a/b"},
		"instructions": {urlset("<?a <b> ?>", "<?xml-model?>", "<?xml-stylesheet?>", "<url><?c?><loc>"+
			"<?d?>http://a/</loc></url>") + "<?e?>", "http://a/"},
		"CDATA": {urlset(url("<![CDATA[http://a/?b&c]]>"), url("http://<![CDATA[a]]>/b")),
			"http://a/?b&c http://a/b"},
		"CDATA unescaped": {urlset(url("<![CDATA[http://a/&amp;]]>")), "http://a/&amp;"},
		"references":      {urlset(url("http://a/&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&#x1F600;")), `http://a/&<>"'AB😀`},
		"escaped twice":   {urlset(url("http://a/&amp;amp;")), "http://a/&amp;"},
		"CR LF": {strings.ReplaceAll(urlset(url("http://a/"), url("http://b/")), "\n", "\r\n"),
			"http://a/ http://b/"},
		"any order": {urlset("<url><priority>0.0</priority><changefreq>x</changefreq><lastmod>y</lastmod>" +
			"<loc>http://a/</loc></url>"), "http://a/"},
		"attributes":    {urlset(`<url id="1>2" b='"'><loc xml:lang="e">http://a/</loc></url>`), "http://a/"},
		"other schemes": {urlset(url("ftp://a/"), url("urn:b"), url("https://c/")), "ftp://a/ urn:b https://c/"},
		"a long tag": {urlset("<url" + strings.Repeat(" ", 300) + "><loc>http://a/</loc></url>" + strings.Repeat(" ",
			9000) + url("http://b/")), "http://a/ http://b/"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				got := read(t, c.document, sitemap.ReaderOptions{Strict: strict})
				got.wantErr(t, "")
				got.wantKinds(t)
				got.wantLocs(t, strings.Fields(c.locs)...)
			}
		})
	}
}

// TestAbsentAndZero distinguishes an absent priority from 0.0.
func TestAbsentAndZero(t *testing.T) {
	document := urlset(url("http://a/"), url("http://b/", "<priority>0.0</priority>"), url("http://c/", "<priority/>"),
		url("http://d/", "<priority>1.5</priority>"), url("http://e/", "<priority>5e-1</priority>"))
	type priority struct {
		value   float64
		present bool
		wrong   bool
	}
	want := []priority{{}, {0, true, false}, {}, {1.5, true, true}, {0, false, true}}
	i := 0
	for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		u, err := entry.URL()
		value, present := u.Priority.Value()
		if got := (priority{value, present, err != nil}); got != want[i] {
			t.Errorf("%s: %+v, want %+v (%v)", u.Loc, got, want[i], err)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d entries, want %d", i, len(want))
	}
}
