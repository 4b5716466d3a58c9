package sitemap_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mapatools/mapa/sitemap"
)

// TestRefused reads documents that end in an error. What comes before is kept.
func TestRefused(t *testing.T) {
	const root = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	const good = "<url><loc>http://a/</loc></url>\n"
	for _, c := range []struct {
		name, document string
		kind           sitemap.FaultKind
		detail         string
		locs           string
		options        sitemap.ReaderOptions
	}{
		{name: "nothing", document: markAt, kind: sitemap.FaultEmptyBody},
		{name: "white space", document: " \r\n\t" + markAt, kind: sitemap.FaultEmptyBody},
		{name: "a page", document: markAt + "<!DOCTYPE html>\n<html><head><title> Log &amp; in\n</title></head></html>",
			kind: sitemap.FaultHTMLInstead, detail: "this is an HTML page, titled “Log & in”"},
		{name: "a page in another case", document: markAt + "<!Doctype HTML><p>", kind: sitemap.FaultHTMLInstead,
			detail: "this is an HTML page"},
		{name: "an old page", document: markAt + `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><HTML>`,
			kind: sitemap.FaultHTMLInstead, detail: "this is an HTML page"},
		{name: "XHTML", document: `<?xml version="1.0"?>` + markAt +
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head></html>`, kind: sitemap.FaultHTMLInstead,
			detail: "this is an HTML page, titled “x”"},
		{name: "a page after a comment", document: `<!-- c -->` + markAt + `<head><meta charset=utf-8>`,
			kind: sitemap.FaultHTMLInstead, detail: "this is an HTML page"},
		{name: "a page without a head", document: markAt + `Please wait<script>location="/"</script>`,
			kind: sitemap.FaultHTMLInstead, detail: "this is an HTML page"},
		{name: "a page that is broken", document: markAt + `<p class=<title>x</title>`, kind: sitemap.FaultHTMLInstead,
			detail: "this is an HTML page, titled “x”"},
		{name: "JSON", document: markAt + `{"error": "not found"}`, kind: sitemap.FaultNotASitemap, detail: "this is JSON"},
		{name: "a template without a sitemap", document: markAt + `{{ define "main" }}`, kind: sitemap.FaultNotASitemap,
			detail: `neither XML nor a list of URLs: {{ define "main" }}`},
		{name: "a JSON list", document: " " + markAt + `["http://a/"]`, kind: sitemap.FaultNotASitemap,
			detail: "this is JSON"},
		{name: "an error of S3", document: `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + markAt +
			`<Error><Code>AccessDenied</Code></Error>`, kind: sitemap.FaultNotASitemap, detail: "the root element is <Error>"},
		{name: "RSS 1.0", document: markAt + `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`,
			kind: sitemap.FaultNotASitemap, detail: "RSS 1.0 is not a sitemap format"},
		{name: "another case", document: markAt + `<URLSET/>`, kind: sitemap.FaultNotASitemap,
			detail: "the root element is <URLSET>"},
		{name: "nearly a root", document: markAt + `<urlsets/>`, kind: sitemap.FaultNotASitemap,
			detail: "the root element is <urlsets>"},
		{name: "prose", document: markAt + "Not found\nat all", kind: sitemap.FaultNotASitemap,
			detail: "neither XML nor a list of URLs: Not found"},
		{name: "Markdown", document: markAt + "# Notes\n\nSee:\n\nhttps://a/\nhttps://b/\n", kind: sitemap.FaultNotASitemap,
			detail: "neither XML nor a list of URLs: # Notes"},
		{name: "a log", document: markAt + "http://a/ (404 Not Found)\n  on http://b/\n", kind: sitemap.FaultNotASitemap,
			detail: "neither XML nor a list of URLs: http://a/ (404 Not Found)"},
		{name: "a PNG", document: markAt + "\x89PNG\r\n\x1a\n", kind: sitemap.FaultNotASitemap,
			detail: "neither XML nor a list of URLs: �PNG "},
		{name: "an entity", document: markAt + `<!DOCTYPE urlset [<!ENTITY a "b">]>` + root,
			kind: sitemap.FaultEntityDeclaration},
		{name: "an entity after a comment",
			document: `<?xml version="1.0"?><!-- ` + strings.Repeat("x", 9000) + " -->\n" + markAt +
				`<!DOCTYPE urlset [<!-- ' --><!ENTITY % a SYSTEM "file:///etc/passwd">%a;]>` + root,
			kind: sitemap.FaultEntityDeclaration},
		{name: "an entity in a DOCTYPE without an end", document: markAt + `<!DOCTYPE urlset [<!ENTITY a "b">`,
			kind: sitemap.FaultEntityDeclaration},
		{name: "a DOCTYPE after the root", document: root + markAt + `<!DOCTYPE urlset>` + good,
			kind: sitemap.FaultNotWellFormed, detail: "a DOCTYPE inside the root element"},
		{name: "a DOCTYPE in an entry", document: root + good + `<url>` + markAt + `<!DOCTYPE urlset>`,
			kind: sitemap.FaultNotWellFormed, detail: "a DOCTYPE inside the root element", locs: "http://a/"},
		{name: "a DOCTYPE in a leaf", document: root + good + `<url><loc>` + markAt + `<!DOCTYPE urlset>`,
			kind: sitemap.FaultNotWellFormed, detail: "a DOCTYPE inside the root element", locs: "http://a/"},
		{name: "a DOCTYPE in an extension", document: root + good + `<url><x>` + markAt + `<!DOCTYPE urlset>`,
			kind: sitemap.FaultNotWellFormed, detail: "a DOCTYPE inside the root element", locs: "http://a/"},
		{name: "an end tag first", document: markAt + "</urlset>", kind: sitemap.FaultNotWellFormed,
			detail: "markup before the root element"},
		{name: "a wrong end tag in a leaf", document: root + good + "<url><loc>http://b/" + markAt + "</lok></url>",
			kind: sitemap.FaultNotWellFormed, detail: "</lok> instead of </loc>", locs: "http://a/"},
		{name: "the end of another leaf", document: root + good + "<url><loc>http://b/" + markAt + "</lastmod>",
			kind: sitemap.FaultNotWellFormed, detail: "</lastmod> instead of </loc>", locs: "http://a/"},
		{name: "a wrong end tag of an entry", document: root + good + "<url><loc>http://b/</loc>" + markAt + "</sitemap>",
			kind: sitemap.FaultNotWellFormed, detail: "</sitemap> instead of </url>", locs: "http://a/"},
		{name: "an end tag with a prefix", document: root + good + "<url><loc>http://b/</loc>" + markAt + "</s:url>",
			kind: sitemap.FaultNotWellFormed, detail: "</s:url> instead of </url>", locs: "http://a/"},
		{name: "a wrong end of the root", document: root + good + markAt + "</sitemapindex>",
			kind: sitemap.FaultNotWellFormed, detail: "</sitemapindex> instead of </urlset>", locs: "http://a/"},
		{name: "a wrong end of a nested root", document: root + "<urlset>" + good + markAt + "</sitemapindex>",
			kind: sitemap.FaultNotWellFormed, detail: "</sitemapindex> instead of </urlset>", locs: "http://a/"},
		{name: "an entry's end between entries", document: root + good + markAt + "</url>", kind: sitemap.FaultNotWellFormed,
			detail: "</url> instead of </urlset>", locs: "http://a/"},
		{name: "a wrong end tag in an extension",
			document: root + good + "<url><loc>http://b/</loc><x><y>" + markAt + "</x></y></url>",
			kind:     sitemap.FaultNotWellFormed, detail: "</x> instead of </y>", locs: "http://a/"},
		{name: "a < that begins nothing", document: root + good + "<url><loc>http://b/?a" + markAt + "<1</loc></url>",
			kind: sitemap.FaultNotWellFormed, detail: "a < that begins no markup", locs: "http://a/"},
		{name: "a tag in a tag", document: root + good + markAt + "<url <loc>", kind: sitemap.FaultNotWellFormed,
			detail: "a < that begins no markup", locs: "http://a/"},
		{name: "a broken declaration", document: root + good + markAt + "<!FOO>", kind: sitemap.FaultNotWellFormed,
			detail: "a < that begins no markup", locs: "http://a/"},
		{name: "a broken attribute of the root", document: "<" + markAt + "urlset xmlns=a>", kind: sitemap.FaultNotWellFormed,
			detail: "a broken attribute"},
		{name: "cut in a tag", document: root + good + "<url><lo" + markAt, kind: sitemap.FaultTruncated, locs: "http://a/"},
		{name: "cut in a value", document: root + good + "<url><loc>http://b/" + markAt, kind: sitemap.FaultTruncated,
			locs: "http://a/"},
		{name: "cut before the last tag", document: root + good + markAt, kind: sitemap.FaultTruncated, locs: "http://a/"},
		{name: "cut after the declaration", document: `<?xml version="1.0"?>` + "\n" + markAt, kind: sitemap.FaultTruncated},
		{name: "too deep in an extension",
			document: root + good + "<url><loc>http://b/</loc>" + strings.Repeat("<x>", 3) + "<" + markAt + "x>",
			kind:     sitemap.FaultCeilingReached, detail: "elements nested too deep",
			locs: "http://a/", options: sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Depth: 3}}},
		{name: "too many roots", document: root + "<urlset><urlset><" + markAt + "urlset>", kind: sitemap.FaultCeilingReached,
			detail: "elements nested too deep", options: sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Depth: 3}}},
		{name: "too many bytes", document: root + good + "<url>" + markAt + "<loc>", kind: sitemap.FaultCeilingReached,
			detail: "more bytes than allowed after inflating",
			locs:   "http://a/", options: sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Bytes: int64(len(root+good) +
				len("<url>"))}}},
		{name: "too many namespaces", document: "<" + markAt + "urlset" + manyNamespaces(65) + ">",
			kind: sitemap.FaultNotWellFormed, detail: "more than 64 namespace declarations"},
		{name: "an unknown charset", document: markAt + `<?xml version="1.0" encoding="x-klingon"?>` + root + good,
			kind: sitemap.FaultUnknownCharset, detail: "x-klingon"},
		{name: "an unknown charset of the header", document: markAt + root, kind: sitemap.FaultUnknownCharset,
			detail: "x-klingon", options: sitemap.ReaderOptions{ContentType: "text/xml; charset=x-klingon"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _, _ := strings.Cut(c.document, markAt)
			got := readFrom(iotest.OneByteReader(strings.NewReader(strings.Replace(c.document, markAt, "", 1))), c.options)
			if c.options.Ceilings.Bytes == 0 {
				got = read(t, strings.Replace(c.document, markAt, "", 1), c.options)
			}
			got.wantLocs(t, strings.Fields(c.locs)...)
			fault := got.wantErr(t, c.kind)
			if errors.Is(got.Err, io.ErrUnexpectedEOF) != (c.kind == sitemap.FaultTruncated) {
				t.Errorf("%v: wraps %v", got.Err, fault.Err)
			}
			want := sitemap.Fault{Kind: c.kind, Offset: int64(len(before)), Line: 1 + strings.Count(before, "\n"),
				Column: len(before) - strings.LastIndexByte(before, '\n'), Element: fault.Element, Detail: c.detail, Err: fault.Err}
			if *fault != want {
				t.Errorf("fault\n%#v, want\n%#v", *fault, want)
			}
		})
	}
}

func manyNamespaces(n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(" xmlns:n" + strings.Repeat("a", i) + "='x'")
	}
	return s.String()
}

// TestTruncatedEverywhere cuts a file of records of different shapes at every
// byte: what is complete is read, and the error says that the file was cut.
func TestTruncatedEverywhere(t *testing.T) {
	document := strings.TrimSuffix(urlset(
		url("http://a/1", "<lastmod>2024-01-01</lastmod>"),
		url("http://a/2", "<lastmod>2024-01-02</lastmod>"),
		url("http://a/3"),
		url("http://a/4?b&amp;c"),
		url("<![CDATA[http://a/5]]>"),
		url("http://a/6", "<lastmod>2024</lastmod><image:image><image:loc>b</image:loc></image:image><priority>1</priority>"),
		url("http://a/7", "<lastmod>2024</lastmod><image:image><image:loc>b</image:loc></image:image><priority>1</priority>"),
		"<!-- c -->", "<?p i?>", "<foo>x</foo>",
		"<urlset>", url("http://a/8"), url("http://a/9"), "</urlset>",
	), "\n")
	whole := readFrom(strings.NewReader(document), sitemap.ReaderOptions{})
	whole.wantErr(t, "")
	if len(whole.Entries) != 9 {
		t.Fatalf("%d entries", len(whole.Entries))
	}
	body := strings.Index(document, "<url>")
	for cut := body; cut < len(document); cut++ {
		want := strings.Count(document[:cut], "</url>")
		got := readFrom(strings.NewReader(document[:cut]), sitemap.ReaderOptions{})
		fault := got.wantErr(t, sitemap.FaultTruncated)
		if len(got.Entries) != want || want > 0 && !reflect.DeepEqual(got.Entries, whole.Entries[:want]) {
			t.Errorf("cut at %d: read %q, want %d entries", cut, got.locs(), want)
		}
		if fault.Offset != int64(cut) || !errors.Is(got.Err, io.ErrUnexpectedEOF) {
			t.Errorf("cut at %d: %v", cut, got.Err)
		}
	}
	for cut := 1; cut < body; cut++ {
		got := readFrom(strings.NewReader(document[:cut]), sitemap.ReaderOptions{})
		got.wantErr(t, sitemap.FaultTruncated)
	}
}

// TestReaderError passes on what the io.Reader says, after what was read.
func TestReaderError(t *testing.T) {
	broken := errors.New("connection reset")
	document := urlset(url("http://a/"), url("http://b/"))
	for _, at := range []int{0, 1, 5, strings.Index(document, "http://b")} {
		got := readFrom(io.MultiReader(strings.NewReader(document[:at]), iotest.ErrReader(broken)), sitemap.ReaderOptions{})
		if !errors.Is(got.Err, broken) {
			t.Errorf("failing at %d: %v", at, got.Err)
		}
		if want := strings.Count(document[:at], "</url>"); len(got.Entries) != want {
			t.Errorf("failing at %d: %d entries, want %d", at, len(got.Entries), want)
		}
	}
}

// TestRangeAgain goes on where the last range stopped, and repeats the error.
func TestRangeAgain(t *testing.T) {
	reader := sitemap.NewReader(strings.NewReader(`<urlset><url><loc>a</loc></url><url><loc>b</loc></url>`))
	if format, err := reader.Format(); format != sitemap.FormatURLSet || err != nil {
		t.Errorf("format %v, %v", format, err)
	}
	var got []string
	for range 4 {
		for entry, err := range reader.Entries() {
			if err != nil {
				var fault *sitemap.Fault
				if !errors.As(err, &fault) || fault.Kind != sitemap.FaultTruncated || entry != nil {
					t.Errorf("%v, %v", entry, err)
				}
				got = append(got, "error")
				break
			}
			got = append(got, string(entry.Loc))
			break
		}
	}
	if want := []string{"a", "b", "error", "error"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
