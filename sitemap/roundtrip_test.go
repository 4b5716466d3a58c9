package sitemap_test

import (
	"encoding/xml"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// readURLs returns what a document without any fault lists.
func readURLs(document string) ([]*sitemap.URL, error) {
	return readWith(document, &sitemap.ReaderOptions{Strict: true})
}

func readWith(document string, options *sitemap.ReaderOptions) ([]*sitemap.URL, error) {
	var urls []*sitemap.URL
	for entry, err := range sitemap.NewReader(strings.NewReader(document), options).Entries() {
		if err != nil {
			return urls, err
		}
		u, err := entry.URL()
		if err != nil {
			return urls, err
		}
		urls = append(urls, u)
	}
	return urls, nil
}

// TestRoundTrip reads what was written and finds what was meant.
func TestRoundTrip(t *testing.T) {
	want := everything(t)
	entries, err := readURLs(write(t, nil, want, &sitemap.URL{Loc: page}))
	if err != nil || len(entries) != 2 {
		t.Fatalf("read back %d entries: %v", len(entries), err)
	}
	encoded := everything(t)
	encoded.Loc = "https://example.com/%C3%A4?a&b='c'"
	encoded.Images[0].Loc = "https://example.com/%C3%A4.jpg?a&b"
	encoded.Videos[0].ContentLoc = "https://example.com/%C3%A4.mp4"
	encoded.Videos[0].Player.Loc = "https://example.com/player%20%C3%A4?a&b"
	encoded.Videos[0].Uploader.Info = "https://example.com/%C3%BC?a&b"
	encoded.Alternates[0].Href = "https://xn--bcher-kva.example/%C3%A4?a&b"
	encoded.Alternates[4].Href = "android-app://com.example/http/example.com/%C3%A4?a&b%5B%5D"
	assertSameURL(t, entries[0], encoded)
	assertSameURL(t, entries[1], &sitemap.URL{Loc: page})
}

// rich are documents with what other programs write: prefixed roots, unknown
// vocabularies, sections and comments in the middle of values.
var rich = []string{
	`<?xml version="1.0"?>
<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" xmlns:x="urn:x">
<s:url><s:loc>https://example.com/?a&amp;b</s:loc><s:lastmod>2024-02</s:lastmod><s:priority>0.0</s:priority>
<i:image><i:loc>https://example.com/a.jpg</i:loc><i:title>A &amp; <![CDATA[<B>]]></i:title><x:more x:of="it">1 &lt; 2</x:more></i:image>
<s:expires>2024-01-01</s:expires><x:y a="&quot;"><x:z/><!-- c --><![CDATA[ & ]]></x:y></s:url>
</s:urlset>`,
	`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:h="http://www.w3.org/1999/xhtml">
<url><loc>https://example.com/</loc><expires>2024-01-01</expires>
<h:link rel="alternate" hreflang="de" href="https://example.com/?a&amp;b"/>
<a xmlns="urn:a"><b/><c xmlns="urn:c" xmlns:d="urn:d" d:e="f"/></a>
<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject type="t"><Attribute name="n" value="v"/><Attribute name="m">w</Attribute></DataObject></PageMap>
</url>
<url><loc>https://example.com/b</loc><changefreq>never</changefreq><n:note xmlns:n="urn:n" n:k="v">t</n:note></url>
</urlset>`,
	`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc>https://example.com/</loc>
<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description>
<video:player_loc allow_embed="no">https://example.com/p?a&amp;b</video:player_loc><video:tag>1</video:tag><video:tag>2</video:tag>
<video:restriction relationship="allow"></video:restriction><video:price type="rent"/><video:unknown a="b">c</video:unknown></video:video>
<news:news><news:publication><news:name>N</news:name><news:language>en</news:language><news:more/></news:publication><news:publication_date>2024-02-29</news:publication_date><news:title>T</news:title></news:news>
</url>
</urlset>`,
}

// TestRoundTripRich writes what was read, and reads it again, until nothing
// changes; verbatim elements are compared by what they mean to encoding/xml.
func TestRoundTripRich(t *testing.T) {
	for i, document := range rich {
		first, err := readWith(document, nil)
		if err != nil || len(first) == 0 {
			t.Fatalf("document %d: %d entries, %v", i, len(first), err)
		}
		written := write(t, nil, first...)
		second, err := readWith(written, nil)
		if err != nil || len(second) != len(first) {
			t.Fatalf("document %d: read back %d entries, %v", i, len(second), err)
		}
		for n := range first {
			assertSameURL(t, second[n], first[n])
		}
		if again := write(t, nil, second...); again != written {
			t.Errorf("document %d changes every time it is written:\n%s\n%s", i, written, again)
		}
		if got, want := elementNames(t, written), elementNames(t, document); !reflect.DeepEqual(got, want) {
			t.Errorf("document %d: names with their namespaces\n%v, want\n%v", i, got, want)
		}
	}
}

// elementNames counts the expanded names of a document's elements, with their
// attributes; encoding/xml resolves the prefixes.
func elementNames(t *testing.T, document string) map[string]int {
	t.Helper()
	names := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		if start, ok := token.(xml.StartElement); ok {
			names[start.Name.Space+" "+start.Name.Local]++
			for _, a := range start.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Local != "value" {
					names["@"+a.Name.Space+" "+a.Name.Local+"="+a.Value]++
				}
			}
		}
	}
}

// assertSameURL compares two entries; of verbatim elements only the number,
// since declarations move into them.
func assertSameURL(t *testing.T, got, want *sitemap.URL) {
	t.Helper()
	a, b := withoutElements(got), withoutElements(want)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got\n%+v\nwant\n%+v", a, b)
	}
	if len(got.Other) != len(want.Other) {
		t.Errorf("%d verbatim elements, want %d", len(got.Other), len(want.Other))
	}
}

// withoutElements returns a copy without verbatim elements and without the
// difference between an empty slice and none.
func withoutElements(u *sitemap.URL) sitemap.URL {
	c := *u
	c.Other = nil
	c.Images = append([]sitemap.Image(nil), u.Images...)
	for i := range c.Images {
		c.Images[i].Other = nil
	}
	c.Videos = append([]sitemap.Video(nil), u.Videos...)
	for i := range c.Videos {
		c.Videos[i].Other = nil
	}
	c.News = append([]sitemap.News(nil), u.News...)
	for i := range c.News {
		c.News[i].Other = nil
	}
	c.Alternates = append([]sitemap.Alternate(nil), u.Alternates...)
	c.PageMaps = append([]sitemap.PageMap(nil), u.PageMaps...)
	return c
}
