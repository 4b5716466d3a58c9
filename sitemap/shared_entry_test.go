package sitemap_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestSharedEntry reads every location of an entry that has several, with the values that
// follow it, and the entries after it.
func TestSharedEntry(t *testing.T) {
	const image = "<image:image><image:loc>http://a/i.png</image:loc></image:image>"
	several := "<url>"
	for i := range 1000 {
		several += fmt.Sprintf("<loc>http://a/%d</loc><lastmod>2024-01-%02d</lastmod>\n", i, i%28+1)
	}
	several += "</url>"
	for name, c := range map[string]struct {
		document string
		want     []string
		faults   int
	}{
		"with dates": {urlset("<url><loc>http://a/</loc><lastmod>2024-01-01</lastmod><loc>http://b/</loc>"+
			"<lastmod>2024-01-02</lastmod><priority>0.5</priority></url>", url("http://c/")),
			[]string{"http://a/ 2024-01-01", "http://b/ 2024-01-02", "http://c/ "}, 1},
		"a date before": {urlset("<url><lastmod>2024-01-01</lastmod><loc>http://a/</loc><loc>http://b/</loc></url>",
			url("http://c/")),
			[]string{"http://a/ 2024-01-01", "http://b/ ", "http://c/ "}, 1},
		"extensions": {urlset("<url><loc>http://a/</loc>"+image+"<loc>http://b/</loc>"+image+"</url>",
			url("http://c/", image)), []string{"http://a/  image", "http://b/  image", "http://c/  image"}, 1},
		"after usual entries": {urlset(url("http://a/"), url("http://b/"),
			"<url><loc>http://c/</loc><loc>http://d/</loc></url>", url("http://e/"), url("http://f/")),
			[]string{"http://a/ ", "http://b/ ", "http://c/ ", "http://d/ ", "http://e/ ", "http://f/ "}, 1},
		"a prefix": {`<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>http://a/</s:loc>` +
			`<s:loc>http://b/</s:loc></s:url><s:url><s:loc>http://c/</s:loc></s:url></s:urlset>`,
			[]string{"http://a/ ", "http://b/ ", "http://c/ "}, 1},
		"an index": {`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a/</loc>` +
			`<loc>http://b/</loc></sitemap><sitemap><loc>http://c/</loc></sitemap></sitemapindex>`,
			[]string{"http://a/ ", "http://b/ ", "http://c/ "}, 1},
		"without its end tag": {urlset("<url><loc>http://a/</loc><loc>http://b/</loc>", url("http://c/")),
			[]string{"http://a/ ", "http://b/ ", "http://c/ "}, 2},
		"a thousand": {urlset(several, url("http://b/")), nil, 999},
	} {
		t.Run(name, func(t *testing.T) {
			for _, report := range []bool{false, true} {
				var faults []*sitemap.Fault
				options := &sitemap.ReaderOptions{}
				if report {
					options.OnFault = func(f *sitemap.Fault) { faults = append(faults, f) }
				}
				var got []string
				for entry, err := range sitemap.NewReader(strings.NewReader(c.document), options).Entries() {
					if err != nil {
						t.Fatal(err)
					}
					u, err := entry.URL()
					if err != nil {
						t.Fatal(err)
					}
					line := u.Loc + " " + u.LastMod.String()
					if len(u.Images) > 0 {
						line += " image"
					}
					got = append(got, line)
				}
				if c.want == nil {
					if len(got) != 1001 || got[500] != "http://a/500 2024-01-25" {
						t.Errorf("%d entries, %q", len(got), got[500])
					}
				} else if !slices.Equal(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
				if report && (len(faults) != c.faults || faults[0].Kind != sitemap.FaultDuplicateChild) {
					t.Errorf("faults %v", faults)
				}
			}
		})
	}
}

// TestNestedEntry passes an element in a value that is named like an entry, but has only
// text, and reads the entries after it.
func TestNestedEntry(t *testing.T) {
	for name, c := range map[string]struct {
		document, locs string
		faults         []sitemap.FaultKind
	}{
		"CDATA": {urlset("<url><loc><url><![CDATA[http://a/]]></url></loc><lastmod>2017-01-01</lastmod></url>",
			url("http://b/")), "http://b/", []sitemap.FaultKind{sitemap.FaultNestedTag, sitemap.FaultMissingLoc}},
		"text": {urlset("<url><loc>http://a/<url id='1'>x</url></loc></url>", url("http://b/")), "http://a/ http://b/",
			[]sitemap.FaultKind{sitemap.FaultNestedTag}},
		"a sitemap": {`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a/<sitemap>x` +
			`</sitemap></loc></sitemap><sitemap><loc>http://b/</loc></sitemap></sitemapindex>`, "http://a/ http://b/",
			[]sitemap.FaultKind{sitemap.FaultNestedTag}},
		"in a date": {urlset("<url><loc>http://a/</loc><lastmod><url>2024</url></lastmod></url>", url("http://b/")),
			"http://a/ http://b/", []sitemap.FaultKind{sitemap.FaultNestedTag, sitemap.FaultEmptyTag}},
		"a value without its end tag": {urlset("<url><loc>http://a/<url>x</url><lastmod>2024</lastmod></url>",
			url("http://b/")), "http://a/ http://b/", []sitemap.FaultKind{sitemap.FaultNestedTag, sitemap.FaultUnclosedValue}},
		"the next entry": {urlset("<url><loc>http://a/", url("http://b/")), "http://a/ http://b/",
			[]sitemap.FaultKind{sitemap.FaultUnclosedValue, sitemap.FaultUnclosedEntry}},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, c.document, sitemap.ReaderOptions{})
			kinds := got.kinds()
			if locs := strings.Join(got.locs(), " "); locs != c.locs || !slices.Equal(kinds, c.faults) || got.Err != nil {
				t.Errorf("read %q with %q, %v; want %q with %q", locs, kinds, got.Err, c.locs, c.faults)
			}
		})
	}
}
