package publish

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

func setsOf(t *testing.T, rules ...string) (sets Rules[string]) {
	t.Helper()
	for _, rule := range rules {
		name, pattern, _ := strings.Cut(rule, "=")
		sets = append(sets, Rule[string]{regexp.MustCompile(pattern), name})
	}
	return sets
}

func locs(text string) string {
	var found []string
	for _, match := range regexp.MustCompile(`<loc>https://example\.com([^<]*)</loc>`).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return strings.Join(found, " ")
}

func TestSets(t *testing.T) {
	dir := t.TempDir()
	pages := []*Page{page("/", "Home"), page("/shop/1", ""), page("/shop/1?sale", ""), page("/blog/1", ""),
		page("/about", "")}
	mustRun(t, Options{Folder: dir,
		Sets: setsOf(t, "sale=[?]sale$", "shop=^/shop/", "blog=^https://example.com/blog/", "none=^/none/")}, pages)
	for name, want := range map[string]string{
		"sitemap.xml":        "/sitemap-1.xml /sitemap-blog-1.xml /sitemap-sale-1.xml /sitemap-shop-1.xml",
		"sitemap-1.xml":      "/ /about",
		"sitemap-sale-1.xml": "/shop/1?sale",
		"sitemap-shop-1.xml": "/shop/1",
		"sitemap-blog-1.xml": "/blog/1",
	} {
		if got := locs(read(t, dir, name)); got != want {
			t.Errorf("%s lists %s, want %s", name, got, want)
		}
	}
	if got := fileNames(t, dir); strings.Contains(got, "none") {
		t.Errorf("files %s", got)
	}
	validateAll(t, dir)
}

// media is a page with all extensions that can have separate sitemaps.
func media(path string) *Page {
	p := page(path, "Media")
	p.Images = []sitemap.Image{{Loc: "https://example.com/a.png"}}
	p.Videos = []sitemap.Video{{ThumbnailLoc: "https://example.com/t.jpg", Title: "Video", Description: "A video",
		ContentLoc: "https://example.com/v.mp4"}}
	p.News = []sitemap.News{{PublicationDate: "2026-03-01", Title: "Article"}}
	p.Alternates = []sitemap.Alternate{{Hreflang: "de", Href: "https://example.com/de"}}
	return p
}

func TestApart(t *testing.T) {
	named := Publication{Name: "The Gazette", Language: "en"}
	everything := Apart{Images: true, News: true, Videos: true}
	for _, test := range []struct {
		name  string
		apart Apart
		news  Publication
		files map[string]string // what has to be in the files, and in no other
	}{
		{"together", Apart{}, named, map[string]string{"sitemap.xml": "image video news xhtml"}},
		{"apart", everything, named, map[string]string{"sitemap-1.xml": "xhtml", "sitemap-images-1.xml": "image",
			"sitemap-videos-1.xml": "video", "sitemap-news-1.xml": "news"}},
		{"one apart", Apart{Videos: true}, named,
			map[string]string{"sitemap-1.xml": "image news xhtml", "sitemap-videos-1.xml": "video"}},
		{"no name", everything, Publication{Language: "en"},
			map[string]string{"sitemap-1.xml": "xhtml", "sitemap-images-1.xml": "image", "sitemap-videos-1.xml": "video"}},
		{"no language", Apart{News: true}, Publication{Name: "The Gazette"},
			map[string]string{"sitemap-1.xml": "image video xhtml"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			given := media("/media")
			given.ChangeFreq, given.Priority = sitemap.ChangeFreqDaily, sitemap.PriorityOf(1)
			mustRun(t, Options{Folder: dir, Apart: test.apart, News: test.news}, []*Page{given})
			if given.News[0].PublicationName != "" {
				t.Error("the page that was given is changed")
			}
			for name := range strings.FieldsSeq(fileNames(t, dir)) {
				text := read(t, dir, name)
				if !strings.HasSuffix(name, ".xml") || strings.Contains(text, "<sitemapindex") {
					continue
				}
				for _, extension := range []string{"image", "video", "news", "xhtml"} {
					if got, want := strings.Contains(text, "<"+extension+":"),
						strings.Contains(test.files[name], extension); got != want {
						t.Errorf("%s holds %s: %t", name, extension, got)
					}
				}
				if got, want := strings.Contains(text, "<priority>"), strings.Contains(test.files[name], "xhtml"); got != want {
					t.Errorf("%s holds the priority: %t", name, got)
				}
			}
			for name := range test.files {
				read(t, dir, name)
			}
			validateAll(t, dir)
		})
	}
}

func TestNewsLimit(t *testing.T) {
	dir := t.TempDir()
	var pages []*Page
	for i := range maxNews + 1 {
		p := page(fmt.Sprint("/", i), "")
		p.News = []sitemap.News{{PublicationName: "Its own", PublicationLanguage: "de", PublicationDate: "2026-03-01",
			Title: "Article"}}
		pages = append(pages, p)
	}
	mustRun(t, Options{Folder: dir, Apart: Apart{News: true}, News: Publication{"The Gazette", "en"}}, pages)
	if n := strings.Count(read(t, dir, "sitemap-news-1.xml"), "<news:news>"); n != maxNews {
		t.Errorf("%d articles in a file", n)
	}
	if text := read(t, dir, "sitemap-news-2.xml"); !strings.Contains(text,
		"<news:name>Its own</news:name><news:language>de<") {
		t.Errorf("the article's own publication is not kept: %s", text)
	}
	validateAll(t, dir)
}

// TestRepair keeps a page with invalid extensions, and its valid extensions.
func TestRepair(t *testing.T) {
	image := func(loc string) sitemap.Image { return sitemap.Image{Loc: loc} }
	good := image("https://example.com/good.png")
	video := sitemap.Video{ThumbnailLoc: "https://example.com/t.jpg", Title: "Good", Description: "A video",
		ContentLoc: "https://example.com/v.mp4"}
	for _, test := range []struct {
		name    string
		change  func(*Page)
		dropped int
		want    int // image, video and link elements
	}{
		{"good", func(p *Page) { p.Images = []sitemap.Image{good} }, 0, 1},
		{"an image", func(p *Page) { p.Images = []sitemap.Image{good, image("data:x"), good} }, 1, 2},
		{"a video", func(p *Page) { p.Videos = []sitemap.Video{{Title: "Bad"}, video} }, 1, 1},
		{"a price", func(p *Page) {
			priced := video
			priced.Prices = []sitemap.Price{{Currency: "EUR", Amount: "1,99"}}
			p.Videos = []sitemap.Video{priced}
		}, 0, 1},
		{"a language", func(p *Page) { p.Alternates = []sitemap.Alternate{{Hreflang: "de"}} }, 1, 0},
		{"a year", func(p *Page) { p.LastMod = sitemap.DayOf(day1.AddDate(9000, 0, 0)); p.Images = []sitemap.Image{good} }, 0,
			1},
		{"a thousand and one", func(p *Page) {
			for range 1001 {
				p.Images = append(p.Images, good)
			}
		}, 1, 1000},
		{"too large", func(p *Page) {
			for range 20 {
				long := video
				long.Category = strings.Repeat("x", 200)
				long.Description = strings.Repeat("<", 2048)
				p.Videos = append(p.Videos, long)
			}
			for range 40_000 {
				p.Alternates = append(p.Alternates,
					sitemap.Alternate{Hreflang: "de", Href: "https://example.com/" + strings.Repeat("x", 1500)})
			}
		}, 40_000 - 1000, 1020},
	} {
		for _, apart := range []Apart{{}, {Images: true, Videos: true}} {
			t.Run(fmt.Sprintf("%s/%+v", test.name, apart), func(t *testing.T) {
				dir := t.TempDir()
				p := page("/", "Home")
				test.change(p)
				published := mustRun(t, Options{Folder: dir, Apart: apart}, []*Page{p})
				if published.Pages != 1 || published.Dropped != test.dropped {
					t.Errorf("published %+v, want %d dropped", published, test.dropped)
				}
				got := 0
				for name := range strings.FieldsSeq(fileNames(t, dir)) {
					text := read(t, dir, name)
					got += strings.Count(text, "<image:image>") + strings.Count(text, "<video:video>") + strings.Count(text,
						"<xhtml:link ")
				}
				if got != test.want {
					t.Errorf("%d elements, want %d", got, test.want)
				}
				validateAll(t, dir)
			})
		}
	}
}

// TestStylesheets writes the stylesheet that is asked for, and names it in the sitemap.
func TestStylesheets(t *testing.T) {
	t.Parallel()
	for stylesheet, want := range map[Stylesheet]string{
		"": "sitemap.css sitemap.xml", StylesheetCSS: "sitemap.css sitemap.xml",
		StylesheetNone: "sitemap.xml",
	} {
		dir := t.TempDir()
		mustRun(t, Options{Folder: dir, Home: site(0)[0].Loc, Stylesheet: stylesheet}, site(0))
		if got := fileNames(t, dir); got != want {
			t.Errorf("%q: files %s, want %s", stylesheet, got, want)
		}
		text := read(t, dir, "sitemap.xml")
		named := strings.Count(text, "<?xml-stylesheet")
		if files := strings.Count(want, " "); named != files {
			t.Errorf("%q: %d stylesheets are named, want %d", stylesheet, named, files)
		}
	}
}
