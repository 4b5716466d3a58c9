package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/lint"
)

// broken lists the rules that the children of a page break under every engine,
// but for those named aside.
func broken(t *testing.T, children string, aside ...string) (ids []string) {
	t.Helper()
	text := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` +
		` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"` +
		` xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:geo="http://www.google.com/geo/schemas/sitemap/1.0">` +
		`<url><loc>https://www.example.co.uk/steak</loc>` + children + `</url></urlset>`
	options := exampleOptions(t, []byte("-- //www.example.co.uk/sitemap.xml --\n"+text+"\n"))
	options.Engines = lint.EngineAll
	for _, f := range check(t, options, "https://www.example.co.uk/sitemap.xml") {
		if !slices.Contains(aside, f.Rule.ID) {
			ids = append(ids, f.Rule.ID)
		}
	}
	return ids
}

func expectBroken(t *testing.T, children, want string, aside ...string) {
	t.Helper()
	if got := broken(t, children, aside...); strings.Join(got, " ") != want {
		t.Errorf("%s\nbreaks %q, want %q", children, got, want)
	}
}

func TestVideoValues(t *testing.T) {
	const (
		required = `<video:thumbnail_loc>https://cdn.example.net/a.jpg</video:thumbnail_loc><video:title>Steak</video:title>` +
			`<video:description>Grilled</video:description>`
		content = `<video:content_loc>https://cdn.example.net/a.mp4</video:content_loc>`
	)
	for _, c := range []struct{ children, want string }{
		{content, ""},
		{`<video:player_loc>https://player.example.net/a</video:player_loc>`, ""},
		{`<video:content_loc>ftp://example.net/a.mp4</video:content_loc>`, ""},
		{`<video:content_loc>https://www.EXAMPLE.co.uk:443/./steak</video:content_loc>`, "video-loc-equals-page"},
		{content + `<video:player_loc>https://www.example.co.uk/steak</video:player_loc>`, "video-loc-equals-page"},
		{`<video:content_loc>//cdn.example.net/a.mp4</video:content_loc>`, "video-loc-relative"},
		{`<video:content_loc>https:///a.mp4</video:content_loc>`, "video-loc-relative"},
		{`<video:content_loc>RTSP://example.net/a</video:content_loc>`, "video-streaming-scheme"},
		{content + `<video:duration>1</video:duration>`, ""},
		{content + `<video:duration>28800</video:duration>`, ""},
		{content + `<video:duration>0</video:duration>`, "video-duration-range"},
		{content + `<video:duration>28801</video:duration>`, "video-duration-range"},
		{content + `<video:duration>99999999999999999999999</video:duration>`, "video-duration-range"},
		{content + `<video:duration>12.5</video:duration>`, "video-duration-range"},
		{content + `<video:rating>0</video:rating>`, ""},
		{content + `<video:rating>5.0</video:rating>`, ""},
		{content + `<video:rating>5.1</video:rating>`, "video-rating-range"},
		{content + `<video:rating>-1</video:rating>`, "video-rating-range"},
		{content + `<video:rating>4,2</video:rating>`, "video-rating-range"},
		{content + `<video:rating>NaN</video:rating>`, "video-rating-range"},
		{content + `<video:rating>4e0</video:rating>`, "video-rating-range"},
		{content + `<video:live>NO</video:live>`, ""},
		{content + `<video:live>yEs</video:live>`, "video-yesno-invalid"},
		{content + `<video:restriction relationship="deny">US</video:restriction>`, ""},
		{content + `<video:restriction relationship="deny">US  CA</video:restriction>`, ""},
		{content + `<video:restriction relationship="Deny">US</video:restriction>`, "video-restriction-invalid"},
		{content + `<video:restriction relationship="deny">US,CA</video:restriction>`, "video-restriction-invalid"},
		{content + `<video:restriction relationship="deny">us</video:restriction>`, "video-restriction-invalid"},
		{content + `<video:restriction relationship="deny">EU</video:restriction>`, "video-restriction-unknown"},
		{content + `<video:platform relationship="allow">web mobile tv</video:platform>`, ""},
		{content + `<video:platform relationship="allow">web  tv</video:platform>`, "video-platform-invalid"},
		{content + `<video:platform>web</video:platform>`, "video-platform-invalid"},
		{content + `<video:uploader info="https://people.example.co.uk/a">A</video:uploader>`, ""},
		{content + `<video:uploader info="https://people.co.uk/a">A</video:uploader>`, "video-uploader-info-host"},
		{content + `<video:uploader info="/a">A</video:uploader>`, "video-uploader-info-host"},
		{content + `<video:publication_date>2024-01-08T10:00:00.5Z</video:publication_date>`, ""},
		{content + `<video:publication_date>2024-01-08T10:00:00</video:publication_date>`, "video-date-no-zone"},
		{content + `<video:publication_date>2024-01-08T10:00Z</video:publication_date>`, "video-date-invalid"},
		{content + `<video:publication_date>2024</video:publication_date>`, "video-date-invalid"},
		{content + `<video:expiration_date>2025-06-15T11:59:59Z</video:expiration_date>`, "video-expired"},
		{content + `<video:expiration_date>2025-06-15T12:00:01Z</video:expiration_date>`, ""},
		{content + `<video:expiration_date>2025-06-14</video:expiration_date>`, ""}, // it is the 14th somewhere
		{content + `<video:expiration_date>2025-06-13</video:expiration_date>`, "video-expired"},
		{content + `<video:price currency="EUR">1.99</video:price>`, "video-deprecated"},
	} {
		expectBroken(t, "<video:video>"+required+c.children+"</video:video>", c.want)
	}
	expectBroken(t, "<video:video/>",
		"video-missing-thumbnail video-missing-title video-missing-description video-missing-location")
}

// TestTextLengths counts characters, not bytes.
func TestTextLengths(t *testing.T) {
	const rest = `<video:description>A</video:description><video:content_loc>https://example.net/a.mp4</video:content_loc></video:video>`
	for n, want := range map[int]string{100: "", 101: "video-title-too-long"} {
		expectBroken(t, `<video:video><video:thumbnail_loc>https://example.net/a.jpg</video:thumbnail_loc><video:title>`+
			strings.Repeat("ß", n)+`</video:title>`+rest, want)
	}
}

func TestNewsValues(t *testing.T) {
	for _, c := range []struct{ language, date, want string }{
		{"en", "2025-06-15", ""},
		{"fil", "2025-06-15", ""},
		{"zh-cn", "2025-06-15", ""},
		{"zh-hk", "2025-06-15", "news-language"},
		{"EN", "2025-06-15", "news-language"},
		{"xx", "2025-06-15", "news-language"},
		{"en", "2025-06-13T12:00:00Z", ""},
		{"en", "2025-06-13T11:59:59Z", "news-older-2d"},
		{"en", "2025-06-13T13:59+02:00", "news-older-2d"},
		{"en", "2025-06-12", ""}, // its end is less than two days and half a day ago
		{"en", "2025-06-11", "news-older-2d"},
		{"en", "2025-06-16", ""}, // it has begun east of here
		{"en", "2025-06-17", "news-future"},
		{"en", "2025-06-15T12:09:00Z", ""},
		{"en", "2025-06-15T12:11:00Z", "news-future"},
		{"en", "2025-06-15T10:00:00", "news-date-no-zone"},
		{"en", "2025-06-15 10:00:00Z", "news-date-invalid"},
		{"en", "June 15", "news-date-invalid"},
	} {
		expectBroken(t, "<news:news><news:publication><news:name>The Times</news:name><news:language>"+c.language+
			"</news:language></news:publication><news:publication_date>"+c.date+
			"</news:publication_date><news:title>A</news:title></news:news>", c.want)
	}
}

func TestLinks(t *testing.T) {
	const self = `<xhtml:link rel="alternate" hreflang="en-GB" href="https://www.example.co.uk/steak"/>`
	for _, c := range []struct{ children, want string }{
		{self, ""},
		{`<xhtml:link rel="alternate" hreflang="en" href="HTTPS://www.example.co.uk:443/steak"/>`, ""},
		{`<xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.co.uk/steak"/>`, ""},
		{`<xhtml:link rel="alternate" hreflang="en" href="http://www.example.co.uk/steak"/>`, "hreflang-self-missing"},
		{`<xhtml:link rel="alternate" hreflang="en" href="https://www.example.co.uk/steak/"/>`, "hreflang-self-missing"},
		{self + `<xhtml:link rel="nofollow Alternate" hreflang="de" href="https://example.de/"/>`, ""},
		{self + `<xhtml:link hreflang="de" href="https://example.de/"/>`, "hreflang-rel-not-alternate"},
		{self + `<xhtml:link rel="amphtml" href="https://example.de/amp"/>`, ""},
		{self + `<xhtml:link rel="alternate" href="android-app://com.example/https/a"/>`, ""},
		{self + `<xhtml:link rel="alternate" media="handheld" href="https://m.example.co.uk/"/>`, ""},
		{self + `<xhtml:link rel="alternate" href="https://m.example.co.uk/"/>`, "hreflang-missing"},
		{self + `<xhtml:link rel="alternate" hreflang="de" href="//example.de/"/>`, "hreflang-href-relative"},
		{self + `<xhtml:link rel="alternate" hreflang="de"/>`, "hreflang-href-missing"},
		{self + `<xhtml:link rel="alternate" hreflang="EN-gb" href="https://example.de/"/>`,
			"hreflang-case hreflang-duplicate"},
		{self + `<xhtml:link rel="alternate" hreflang="us" href="https://example.com/"/>`, "hreflang-region-only"},
	} {
		expectBroken(t, c.children, c.want, "hreflang-xdefault-missing")
	}
}

func TestForeignElements(t *testing.T) {
	for children, want := range map[string]string{
		`<geo:geo><geo:format>kml</geo:format></geo:geo>`:                                      "geo-present",
		`<g:geo xmlns:g='http://www.google.com/geo/schemas/sitemap/1.0'/>`:                     "geo-present",
		`<codesearch xmlns = "http://www.google.com/codesearch/schemas/sitemap/1.0"/>`:         "codesearch-present",
		`<a:b xmlns:a="http://example.com/"/><a:c xmlns:a="http://example.com/"/>`:             "ext-ns-unknown",
		`<b xmlns="http://www.google.com/geo/schemas/sitemap/1.0 "/>`:                          "ext-ns-unknown",
		`<c:a xmlns:b="http://www.google.com/geo/schemas/sitemap/1.0" xmlns:c="urn:a">/</c:a>`: "ext-ns-unknown",
	} {
		expectBroken(t, children, want)
	}
}

func TestUnusedVocabularies(t *testing.T) {
	const image, video = ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`,
		` xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'`
	const core = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	const picture = "<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>"
	for text, want := range map[string]int{
		"<urlset" + core + image + video +
			"><url><loc>https://example.com/</loc></url></urlset>": 2,
		"<urlset" + core + image + video + "><url><loc>https://example.com/</loc>" + picture +
			"</url></urlset>": 1,
		"<?xml version='1.0' encoding='ISO-8859-1'?><!-- \xe9 --><urlset" + core + image +
			"><url><loc>https://example.com/</loc></url></urlset>": 1,
		"<urlset" + core + ` xmlns:own="urn:own"` + "><url><loc>https://example.com/</loc></url></urlset>": 0,
		"<urlset" + core + image + "></urlset>": 0,
		"<sitemapindex" + core + image + "><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>": 0,
	} {
		options := exampleOptions(t, []byte("-- /sitemap.xml --\n"+text+"\n-- /a.xml --\n<urlset"+core+"></urlset>\n"))
		options.Only = []string{"ext-ns-unused"}
		if got := len(check(t, options, "https://example.com/sitemap.xml")); got != want {
			t.Errorf("%s: %d findings, want %d", text, got, want)
		}
	}
}

// TestNewsOfFile counts over the whole file.
func TestNewsOfFile(t *testing.T) {
	const article = `<url><loc>https://example.com/a{{n}}</loc><news:news><news:publication><news:name>A</news:name><news:language>en</news:language>` +
		`</news:publication><news:publication_date>{{today}}</news:publication_date><news:title>A</news:title></news:news></url>`
	text := lintexample.Expand(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">`+
		`<url><loc>https://example.com/</loc></url><url><loc>https://example.com/b</loc></url>{{repeat 1500 "`+article+
		`"}}</urlset>`, examplesToday)
	options := exampleOptions(t, []byte("-- /sitemap.xml --\n"+text+"\n"))
	options.Engines = lint.EngineGoogle
	got := map[string]string{}
	for _, f := range check(t, options, "https://example.com/sitemap.xml") {
		got[f.Rule.ID] += f.URL + " "
	}
	if want := "map[news-mixed-with-old:https://example.com/a1  too-many-news:https://example.com/a1001 ]"; fmt.Sprint(got) != want {
		t.Errorf("found %v, want %s", got, want)
	}
}

// TestManyLinks makes sure an entry as large as any may be is judged in time that
// grows with it, and counted to the last link.
func TestManyLinks(t *testing.T) {
	const links = 60000
	var s strings.Builder
	for i := range links {
		fmt.Fprintf(&s, `<xhtml:link rel="alternate" hreflang="e%d" href="/%d"/>`, i%(links/2), i)
	}
	text := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` +
		`<url><loc>https://example.com/</loc>` + s.String() + `</url></urlset>`
	options := exampleOptions(t, []byte("-- /sitemap.xml --\n"+text+"\n"))
	options.Engines, options.MaxPerRule = lint.EngineGoogle, 1
	got := map[string]int{}
	for _, f := range check(t, options, "https://example.com/sitemap.xml") {
		got[f.Rule.ID] += max(f.More, 1)
	}
	for id, want := range map[string]int{"hreflang-format": links, "hreflang-href-relative": links,
		"hreflang-duplicate": links / 2, "hreflang-self-missing": 1} {
		if got[id] != want {
			t.Errorf("%s: %d findings, want %d", id, got[id], want)
		}
	}
}
