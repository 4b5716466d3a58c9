package sitemap_test

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// FuzzExtensions reads an entry's extensions, writes them and reads them again:
// what the writer accepts comes back the same.
func FuzzExtensions(f *testing.F) {
	for _, inner := range []string{
		`<image:image><image:loc>http://a/</image:loc><image:caption>a &amp; b</image:caption></image:image>`,
		`<video:video><video:thumbnail_loc>http://t/</video:thumbnail_loc><video:title>a</video:title><video:description>b</video:description><video:content_loc>http://c/</video:content_loc><video:tag>x</video:tag><video:foo a="b">z</video:foo></video:video>`,
		`<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-01-01</news:publication_date><news:title>t</news:title></news:news>`,
		`<xhtml:link rel="alternate" hreflang="de" href="http://a/?b&amp;c"/><mobile:mobile/>`,
		`<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><Template src="s"/><DataObject type="document" id="h"><Attribute name="title">a</Attribute></DataObject></PageMap>`,
		`<x:a xmlns:x="u"><image:b xhtml:c=""/><x:d xmlns:news="own"><news:e/></x:d>&eacute;&</x:a><expires>2030</expires>`,
	} {
		f.Add(inner)
	}
	f.Fuzz(func(t *testing.T, inner string) {
		reader := sitemap.NewReader(strings.NewReader(urlset(url("http://x/", inner))), nil)
		for entry, err := range reader.Entries() {
			if err != nil {
				return
			}
			u, err := entry.URL()
			if err != nil {
				continue
			}
			if text, ok := written(t, u); ok {
				compareExtensions(t, text, u.Extensions)
			}
		}
	})
}

// written writes an entry to a file of its own, if it may be written.
func written(t testing.TB, u *sitemap.URL) (string, bool) {
	t.Helper()
	var b bytes.Buffer
	w := sitemap.NewWriter(&b)
	if w.Write(u) != nil || w.Close() != nil {
		return "", false
	}
	return b.String(), true
}

func compareExtensions(t *testing.T, text string, want sitemap.Extensions) {
	t.Helper()
	got := readFrom(strings.NewReader(text), sitemap.ReaderOptions{})
	if got.Err != nil || len(got.Faults) > 0 || len(got.Entries) != 1 {
		t.Fatalf("written\n%s\nread again\n%s", text, got.describe())
	}
	again := got.Entries[0].Extensions
	if !reflect.DeepEqual(masked(again), masked(want)) {
		t.Fatalf("written\n%s\nread\n%+v, was\n%+v", text, again, want)
	}
}

var declarations = regexp.MustCompile(`\s+xmlns(:[^\s=]+)?\s*=\s*("[^"]*"|'[^']*')`)

// masked masks what the writer changes by intention: addresses are
// percent-encoded, an alternate's rel is made plain, elements kept verbatim
// carry the namespaces they had from around.
func masked(e sitemap.Extensions) sitemap.Extensions {
	present := func(address *string) {
		if *address != "" {
			*address = "present"
		}
	}
	plain := func(elements []sitemap.Element) []sitemap.Element {
		for i := range elements {
			elements[i] = sitemap.Element{XML: declarations.ReplaceAllString(elements[i].XML, "")}
		}
		return elements
	}
	for i := range e.Images {
		present(&e.Images[i].Loc)
		present(&e.Images[i].License)
		plain(e.Images[i].Other)
	}
	for i := range e.Videos {
		v := &e.Videos[i]
		for _, address := range []*string{&v.ThumbnailLoc, &v.ContentLoc, &v.Player.Loc, &v.Gallery.Loc, &v.Uploader.Info} {
			present(address)
		}
		for i := range v.ContentSegments {
			present(&v.ContentSegments[i].Loc)
		}
		plain(v.Other)
	}
	for i := range e.News {
		plain(e.News[i].Other)
	}
	for i := range e.Alternates {
		a := &e.Alternates[i]
		present(&a.Href)
		if a.Rel == "" {
			a.Rel = "alternate"
		}
	}
	plain(e.Other)
	return e
}
