package sitemap_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestStylesheetShowsURLs(t *testing.T) {
	page := transform(t, "urlset.xml")
	const long = "https://example.com/%E6%BC%A2%E5%AD%97/a-very-long-path/that-nobody-would-type/by-hand/and-that-must-break-somewhere/on-a-narrow-screen/0123456789012345678901234567890123456789012345678901234567890123456789"

	assertEqual(t, "heading", page.heading, "Sitemap")
	assertEqual(t, "count", page.count, "4 pages")
	assertEqual(t, "table", page.rows, [][]string{
		{"URL", "Images", "Languages", "Last change"},
		{"https://example.com/", "", "en de-CH x-default", "2024-01-08 10:00:00+01:00"},
		{"http://example.com/gallery?room=1&page=2", "2", "", "2024-02-29"},
		{"https://example.com/watch", "", "", ""},
		{long, "", "", ""},
	})
	assertEqual(t, "links", page.links, []string{
		"https://example.com/",
		"http://example.com/gallery?room=1&page=2",
		"https://example.com/watch",
		long,
	})
	if page.tags != 3 {
		t.Errorf("%d language tags, want 3", page.tags)
	}
}

func TestStylesheetShowsIndex(t *testing.T) {
	page := transform(t, "index.xml")
	assertEqual(t, "heading", page.heading, "Sitemap index")
	assertEqual(t, "count", page.count, "1 sitemap")
	assertEqual(t, "table", page.rows, [][]string{
		{"URL", "Last change"},
		{"https://example.com/sitemap-1.xml.gz", "2024-01-08 10:00:00Z"},
	})
	assertEqual(t, "links", page.links, []string{"https://example.com/sitemap-1.xml.gz"})
}

func TestStylesheetTrustsNothing(t *testing.T) {
	page := transform(t, "hostile.xml")
	assertEqual(t, "table", page.rows, [][]string{
		{"URL", "Languages", "Last change"},
		{"javascript:alert(1)", "", ""},
		{"JavaScript:alert(2)//https://example.com/", "", ""},
		{"data:text/html,<script>alert(3)</script>", "", ""},
		{`https://example.com/"onmouseover="alert(4)`, "", ""},
		{"https://example.com/</a><script>alert(5)</script>", "", ""},
		{"<img src=x onerror=alert(6)>", "", ""},
		{"alert(7)", "", ""},
		{"//example.com/8", "", ""},
		{"https://example.com/9", `"><script>alert(10)</script>`, "<script>alert(9)</script>"},
	})
	assertEqual(t, "links", page.links, []string{
		"https://example.com/%22onmouseover=%22alert(4)",
		"https://example.com/</a><script>alert(5)</script>",
		"https://example.com/9",
	})
	assertEqual(t, "elements", page.elements, []string{
		"a", "body", "h1", "head", "header", "html", "meta", "p", "span", "strong",
		"style", "table", "tbody", "td", "th", "thead", "title", "tr",
	})
	assertEqual(t, "attributes", page.attributes, []string{
		"class", "content", "data-label", "href", "http-equiv", "lang", "name", "scope",
	})
}

// TestStylesheetLoadsNothing keeps both stylesheets to themselves: a sitemap
// must not make a browser request anything.
func TestStylesheetLoadsNothing(t *testing.T) {
	for _, path := range []string{"sitemap.xsl", "sitemap.css"} {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{
			"url(", "@import", "document(", "xsl:import", "xsl:include", "disable-output-escaping", "copy-of", "<script", "src=",
			"<link",
		} {
			if strings.Contains(string(source), way) {
				t.Errorf("%s contains %s", path, way)
			}
		}
	}
}

// shownBytes is what a person, or a browser, finds on the page of a sitemap.
type shownBytes struct {
	heading    string
	count      string
	rows       [][]string // the text of the cells, white space folded
	links      []string   // targets of the links inside the table
	tags       int        // languages set off as tags
	elements   []string   // distinct names in the whole page, sorted
	attributes []string   // distinct names in the whole page, sorted

	text strings.Builder // since the element of interest began
}

// transform applies sitemap.xsl to a document of testdata/stylesheet.
func transform(t *testing.T, document string) *shownBytes {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "stylesheet", document))
	if err != nil {
		t.Fatal(err)
	}
	html, status := runProgram(t, source, "xsltproc", "xsltproc", "--nonet", "--nowrite", "sitemap.xsl", "-")
	if status != 0 {
		t.Fatalf("xsltproc ended with status %d: %s", status, html)
	}
	page, err := readPage(html)
	if err != nil {
		t.Fatalf("read the page: %v\n%s", err, html)
	}
	return page
}

func readPage(html string) (*shownBytes, error) {
	decoder := xml.NewDecoder(strings.NewReader(html))
	decoder.Strict = false
	decoder.AutoClose = xml.HTMLAutoClose
	decoder.Entity = xml.HTMLEntity

	page := new(shownBytes)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			page.start(token)
		case xml.CharData:
			page.text.Write(token)
		case xml.EndElement:
			page.end(token.Name.Local)
		}
	}
	slices.Sort(page.elements)
	slices.Sort(page.attributes)
	page.elements = slices.Compact(page.elements)
	page.attributes = slices.Compact(page.attributes)
	return page, nil
}

func (page *shownBytes) start(element xml.StartElement) {
	page.elements = append(page.elements, element.Name.Local)
	for _, attribute := range element.Attr {
		page.attributes = append(page.attributes, attribute.Name.Local)
		if attribute.Name.Local == "href" && len(page.rows) > 0 {
			page.links = append(page.links, attribute.Value)
		}
	}
	switch element.Name.Local {
	case "tr":
		page.rows = append(page.rows, nil)
	case "span":
		page.tags++
	case "h1", "strong", "th", "td":
		page.text.Reset()
	}
}

func (page *shownBytes) end(element string) {
	text := strings.Join(strings.Fields(page.text.String()), " ")
	switch element {
	case "h1":
		page.heading = text
	case "strong":
		page.count = text
	case "th", "td":
		last := len(page.rows) - 1
		page.rows[last] = append(page.rows[last], text)
	}
}

func assertEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
