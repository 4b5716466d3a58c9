package sitemap

import (
	"slices"
	"strings"
	"testing"
)

func TestExtensionOrder(t *testing.T) {
	for _, test := range []struct {
		children string
		want     []string // details of the faults
	}{
		{`<image:image><image:loc>https://example.com/a</image:loc><image:caption>A</image:caption></image:image>`, nil},
		{`<image:image><image:caption>A</image:caption><image:loc>https://example.com/a</image:loc></image:image>`,
			[]string{"image:loc"}},
		{`<image:image><image:title>A</image:title><image:caption>A</image:caption><image:loc>https://example.com/a</image:loc></image:image>`, []string{"image:caption"}},
		{`<image:image><image:size>1</image:size><image:loc>https://example.com/a</image:loc></image:image>`, nil},
		{`<news:news><news:publication><news:language>en</news:language><news:name>A</news:name></news:publication></news:news>`, []string{"news:name"}},
		{`<video:video><video:live>no</video:live><video:tag>a</video:tag></video:video>`, []string{"video:tag"}},
		{`<video:video><video:tag>a</video:tag><video:tag>b</video:tag><video:live>no</video:live></video:video>`, nil},
	} {
		var got []string
		reader := NewReader(strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`+
			` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"`+
			` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>https://example.com/</loc>`+test.children+
			`</url></urlset>`),
			&ReaderOptions{OnFault: func(f *Fault) {
				if f.Kind == FaultExtensionOrder {
					got = append(got, f.Detail)
				}
			}})
		for _, err := range reader.Entries() {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q out of order, want %q", test.children, got, test.want)
		}
	}
}

// TestPageMapValues checks that a value may be in the attribute or in the text,
// but not in both.
func TestPageMapValues(t *testing.T) {
	for attribute, want := range map[string]int{
		`<Attribute name="a" value="b"/>`:             0,
		`<Attribute name="a" value="b"></Attribute>`:  0,
		`<Attribute name="a">b</Attribute>`:           0,
		`<Attribute name="a" value="b">c</Attribute>`: 1,
	} {
		faults := 0
		reader := NewReader(strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc>`+
			`<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject type="t">`+attribute+
			`</DataObject></PageMap></url></urlset>`),
			&ReaderOptions{OnFault: func(*Fault) { faults++ }})
		for entry, err := range reader.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			var x Extensions
			if err := entry.Extensions(&x); err != nil || x.PageMaps[0].Objects[0].Attributes[0] != (DataAttribute{"a", "b"}) {
				t.Errorf("%s: %v, %v", attribute, x.PageMaps, err)
			}
		}
		if faults != want {
			t.Errorf("%s: %d faults, want %d", attribute, faults, want)
		}
	}
}
