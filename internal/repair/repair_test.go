package repair_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// offline is a network without servers.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("no network") }

// run repairs a file with this text and returns the folder of the copy.
func run(t *testing.T, name, text string, options repair.Options) (string, *repair.Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options.Folder = filepath.Join(t.TempDir(), "out")
	options.Source = source.Options{Access: access.Access{Transport: offline{}}}
	report, err := repair.Run(t.Context(), []string{path}, options)
	if err != nil {
		t.Fatal(err)
	}
	return options.Folder, report
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// urls returns the entries of a sitemap.
func urls(text string) (all []*sitemap.URL, err error) {
	for entry, err := range sitemap.NewReader(strings.NewReader(text)).Entries() {
		if err != nil {
			return all, err
		}
		u, err := entry.URL()
		if err != nil {
			return all, err
		}
		all = append(all, u)
	}
	return all, nil
}

// resolve replaces the elements that are kept verbatim by what they mean, since a copy may
// declare a namespace in another place.
func resolve(urls []*sitemap.URL) {
	for _, u := range urls {
		lists := [][]sitemap.Element{u.Extensions.Other}
		for _, image := range u.Extensions.Images {
			lists = append(lists, image.Other)
		}
		for _, video := range u.Extensions.Videos {
			lists = append(lists, video.Other)
		}
		for _, news := range u.Extensions.News {
			lists = append(lists, news.Other)
		}
		for _, elements := range lists {
			for i := range elements {
				elements[i] = sitemap.Element{XML: resolved(elements[i])}
			}
		}
	}
}

// resolved returns the tokens of an element with the namespaces of their names.
func resolved(e sitemap.Element) string {
	var text strings.Builder
	text.WriteString("<root")
	for _, n := range e.Namespaces {
		fmt.Fprintf(&text, " %s=\"", strings.TrimSuffix("xmlns:"+n.Prefix, ":"))
		xml.EscapeText(&text, []byte(n.URI))
		text.WriteString("\"")
	}
	text.WriteString(">" + e.XML + "</root>")
	var tokens strings.Builder
	for decoder := xml.NewDecoder(strings.NewReader(text.String())); ; {
		token, err := decoder.Token()
		if err != nil {
			return tokens.String() + err.Error()
		}
		if start, ok := token.(xml.StartElement); ok {
			start.Attr = slices.DeleteFunc(start.Attr, func(a xml.Attr) bool {
				return a.Name.Space == "xmlns" || a.Name.Local == "xmlns"
			})
			token = start
		}
		fmt.Fprintf(&tokens, "%T%q\n", token, token)
	}
}

const head = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"

func many(n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc></url>\n", i)
	}
	return b.String() + "</urlset>\n"
}

func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestSplit checks that a file over the limits is split, and stays whole if its URL
// is unknown.
func TestSplit(t *testing.T) {
	limits := sitemap.Limits{URLs: 10}
	folder, report := run(t, "sitemap.xml", many(25), repair.Options{Limits: limits, BaseURL: "https://example.com/maps/"})
	if got := fmt.Sprint(names(t, folder)); got != "[sitemap-1.xml sitemap-2.xml sitemap-3.xml sitemap.xml]" ||
		len(report.Files) != 4 {
		t.Errorf("wrote %s, reported %v", got, report.Files)
	}
	listed, err := urls(read(t, filepath.Join(folder, "sitemap.xml")))
	if err != nil || len(listed) != 3 || listed[2].Loc != "https://example.com/maps/sitemap-3.xml" {
		t.Errorf("the index lists %v, %v", listed, err)
	}
	pages := 0
	for i := range 3 {
		part, err := urls(read(t, filepath.Join(folder, fmt.Sprintf("sitemap-%d.xml", i+1))))
		if err != nil || len(part) > 10 {
			t.Errorf("part %d has %d pages, %v", i+1, len(part), err)
		}
		pages += len(part)
	}
	if pages != 25 || len(report.Changed) != 1 || report.Changed[0].Rule != "too-many-urls" {
		t.Errorf("%d pages, %+v", pages, report.Changed)
	}

	folder, report = run(t, "sitemap.xml", many(25), repair.Options{Limits: limits})
	if got := fmt.Sprint(names(t, folder)); got != "[sitemap.xml]" || len(report.Left) != 1 ||
		report.Left[0].Rule != "too-many-urls" {
		t.Errorf("wrote %s, left %+v", got, report.Left)
	}
}

// TestSplitListed checks that the index of a split file lists the parts.
func TestSplitListed(t *testing.T) {
	in := t.TempDir()
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		"<sitemap><loc>https://example.com/a.xml</loc></sitemap><sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>\n"
	for name, text := range map[string]string{
		"index.xml": index, "a.xml": many(25), "b.xml": head + "<url><loc>https://example.com/b</loc></url></urlset>\n",
	} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	_, err := repair.Run(t.Context(), []string{in}, repair.Options{
		Folder: out, Limits: sitemap.Limits{URLs: 10}, Source: source.Options{Access: access.Access{Transport: offline{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := urls(read(t, filepath.Join(out, "index.xml")))
	if err != nil {
		t.Fatal(err)
	}
	var locs []string
	for _, u := range listed {
		locs = append(locs, strings.TrimPrefix(u.Loc, "https://example.com/"))
	}
	if got := fmt.Sprint(locs); got != "[a.xml a-2.xml a-3.xml b.xml]" {
		t.Errorf("the index lists %s", got)
	}
}

// TestDuplicates checks that duplicates are removed, except those with other values.
func TestDuplicates(t *testing.T) {
	folder, report := run(t, "sitemap.xml", head+
		"<url><loc>https://example.com/a</loc><lastmod>2024-01-01</lastmod></url>\n"+
		"<url><loc>https://example.com/a</loc></url>\n"+
		"<url><loc>https://example.com/a</loc><lastmod>2024-02-02</lastmod></url>\n"+
		"<url><loc>https://example.com/b</loc></url>\n</urlset>\n", repair.Options{})
	pages, err := urls(read(t, filepath.Join(folder, "sitemap.xml")))
	if err != nil || len(pages) != 3 || pages[1].LastMod.String() != "2024-02-02" {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	if len(report.Changed) != 1 || report.Changed[0].Rule != "duplicate-loc" || len(report.Left) != 1 ||
		report.Left[0].Rule != "conflicting-metadata" {
		t.Errorf("changed %+v, left %+v", report.Changed, report.Left)
	}
}

// TestExtensions checks that only extensions that cannot be written are removed and
// reported.
func TestExtensions(t *testing.T) {
	folder, report := run(t, "sitemap.xml",
		strings.Replace(head, ">", ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`, 1)+
			"<url><loc>https://example.com/a</loc><image:image></image:image>"+
			"<image:image><image:loc>https://example.com/a.png</image:loc></image:image></url></urlset>\n", repair.Options{})
	pages, err := urls(read(t, filepath.Join(folder, "sitemap.xml")))
	if err != nil || len(pages) != 1 || len(pages[0].Images) != 1 ||
		pages[0].Images[0].Loc != "https://example.com/a.png" {
		t.Errorf("%+v, %v", pages, err)
	}
	if len(report.Left) != 1 || len(report.Changed) != 0 {
		t.Errorf("changed %+v, left %+v", report.Changed, report.Left)
	}
}

// TestObsolete checks that a tag without effect is removed when its value cannot be
// written, and not the video or article around it.
func TestObsolete(t *testing.T) {
	const videoStart = "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>" +
		"<video:title>t</video:title><video:description>d</video:description>"
	const newsStart = "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language>" +
		"</news:publication>"
	const newsEnd = "<news:publication_date>2024-01-08</news:publication_date><news:title>t</news:title>"
	video := func(rest string) string {
		return videoStart + "<video:content_loc>https://example.com/v.mp4</video:content_loc>" + rest + "</video:video>"
	}
	for _, test := range []struct{ name, block string }{
		{"price", video(`<video:price currency="EUR">1,99</video:price>`)},
		{"currency", video(`<video:price currency="Euro">2</video:price>`)},
		{"category", video("<video:category>" + strings.Repeat("c", 300) + "</video:category>")},
		{"gallery", video("<video:gallery_loc>gallery</video:gallery_loc>")},
		{"segment", video(`<video:content_segment_loc duration="x">https://example.com/s</video:content_segment_loc>`)},
		{"show", video("<video:tvshow><video:show_title>s</video:show_title><video:video_type>movie</video:video_type></video:tvshow>")},
		{"id", video(`<video:id type="imdb">1</video:id>`)},
		{"player", videoStart + `<video:player_loc allow_embed="maybe">https://example.com/p</video:player_loc></video:video>`},
		{"two", video(`<video:price currency="EUR">1,99</video:price><video:id type="imdb">1</video:id>`)},
		{"access", newsStart + "<news:access>Free</news:access>" + newsEnd + "</news:news>"},
		{"genres", newsStart + "<news:genres>Blogs</news:genres>" + newsEnd + "</news:news>"},
		{"tickers", newsStart + newsEnd + "<news:stock_tickers>A</news:stock_tickers></news:news>"},
		{"license", "<image:image><image:loc>https://example.com/a.png</image:loc><image:license>mine</image:license></image:image>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(head, ">", ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" `+
				`xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" `+
				`xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">`, 1) +
				"<url><loc>https://example.com/a</loc>" + test.block + "</url></urlset>\n"
			folder, report := run(t, "sitemap.xml", text, repair.Options{})
			pages, err := urls(read(t, filepath.Join(folder, "sitemap.xml")))
			if err != nil || len(pages) != 1 || len(pages[0].Videos)+len(pages[0].News)+len(pages[0].Images) != 1 {
				t.Errorf("%+v, %v", pages, err)
			}
			if len(report.Left) != 0 || len(report.Changed) != 1 || report.Changed[0].Rule != "obsolete-value-invalid" {
				t.Errorf("changed %+v, left %+v", report.Changed, report.Left)
			}
		})
	}
}

// TestLanguages checks that the codes of versions get hyphens.
func TestLanguages(t *testing.T) {
	folder, report := run(t, "sitemap.xml", strings.Replace(head, ">", ` xmlns:xhtml="http://www.w3.org/1999/xhtml">`, 1)+
		`<url><loc>https://example.com/a</loc>`+
		`<xhtml:link rel="alternate" hreflang="en_US" href="https://example.com/a"/></url></urlset>`+"\n", repair.Options{})
	pages, err := urls(read(t, filepath.Join(folder, "sitemap.xml")))
	if err != nil || len(pages) != 1 || len(pages[0].Alternates) != 1 || pages[0].Alternates[0].Hreflang != "en-US" {
		t.Errorf("%+v, %v", pages, err)
	}
	if len(report.Left) != 0 || len(report.Changed) != 1 || report.Changed[0].Rule != "hreflang-separator" {
		t.Errorf("changed %+v, left %+v", report.Changed, report.Left)
	}
}

// TestDuplicatesOfSet checks that no copy in a set is left without a page: a sitemap
// that only repeats others is not listed any more.
func TestDuplicatesOfSet(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"index.xml": `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			"<sitemap><loc>https://example.com/a.xml</loc></sitemap>" +
			"<sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>\n",
		"a.xml": many(3), "b.xml": many(2),
	} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report, err := repair.Run(t.Context(), []string{in}, repair.Options{Folder: out})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names(t, out)); got != "[a.xml index.xml]" || len(report.Files) != 2 {
		t.Errorf("wrote %s, reported %v", got, report.Files)
	}
	if listed, err := urls(read(t, filepath.Join(out, "index.xml"))); err != nil || len(listed) != 1 {
		t.Errorf("the index lists %v, %v", listed, err)
	}
}

// TestOverwrite checks that nothing is written when a part of a split file, or the
// index of the parts, would overwrite a file.
func TestOverwrite(t *testing.T) {
	for _, original := range []string{"map-2.xml", "map.xml"} {
		folder := t.TempDir()
		source, in := filepath.Join(t.TempDir(), "map.txt"), filepath.Join(folder, original)
		var list strings.Builder
		for i := range 25 {
			fmt.Fprintf(&list, "https://example.com/%d\n", i)
		}
		if err := errors.Join(os.WriteFile(source, []byte(list.String()), 0o600),
			os.WriteFile(in, []byte(many(1)), 0o600)); err != nil {
			t.Fatal(err)
		}
		if original == "map-2.xml" {
			if err := os.Rename(in, filepath.Join(folder, "map-2.txt")); err != nil {
				t.Fatal(err)
			}
		}
		options := repair.Options{Folder: folder, Limits: sitemap.Limits{URLs: 10}, BaseURL: "https://example.com/"}
		_, err := repair.Run(t.Context(), []string{source}, options)
		var overwrite *repair.OverwriteError
		if !errors.As(err, &overwrite) || overwrite.Original {
			t.Errorf("%s: error %v", original, err)
		}
		if left := names(t, folder); len(left) != 1 {
			t.Errorf("%s: files %v", original, left)
		}
		options.Force = true
		if _, err := repair.Run(t.Context(), []string{source}, options); err != nil {
			t.Errorf("%s: %v", original, err)
		}
	}
}

// TestHardLink checks that another name of a source counts as the source.
func TestHardLink(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in.xml"), t.TempDir()
	err := errors.Join(os.WriteFile(in, []byte(many(1)), 0o600), os.Link(in, filepath.Join(out, "in.xml")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = repair.Run(t.Context(), []string{in}, repair.Options{Folder: out, Force: true})
	var overwrite *repair.OverwriteError
	if !errors.As(err, &overwrite) || !overwrite.Original {
		t.Errorf("error %v", err)
	}
}

// TestStandardInput checks that a file redirected to standard input is an original.
func TestStandardInput(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "sitemap.xml")
	if err := os.WriteFile(name, []byte(many(1)), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = repair.Run(t.Context(), []string{"-"},
		repair.Options{Folder: folder, Force: true, Source: source.Options{Stdin: file}})
	var overwrite *repair.OverwriteError
	if !errors.As(err, &overwrite) || !overwrite.Original {
		t.Errorf("error %v", err)
	}
}

// TestCancel checks that a canceled run leaves no file.
func TestCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitemap.xml")
	if err := os.WriteFile(path, []byte(many(10)), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repair.Run(ctx, []string{path}, repair.Options{Folder: folder}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left := names(t, folder); len(left) > 0 {
		t.Errorf("files left: %v", left)
	}
}

// FuzzRun checks that a file without notes lists the same pages afterwards, and that
// a copy of a copy is the same byte for byte.
func FuzzRun(f *testing.F) {
	f.Add(many(2))
	f.Add(head + "<url><loc>https://example.com/?a&b</loc><lastmod>2024-01-08 00:00:00+0100</lastmod><priority>2</priority></url>")
	f.Add("\ufeffhttps://example.com/ü\r\n\r\nhttps://example.com/%zz\nnothing")
	f.Add(`<urlset><url><image:image><image:loc>x</image:loc></image:image><loc>https://example.com/&amp;amp;amp;</loc></url></urlset>`)
	f.Add(`<sitemapindex><sitemap><loc>https://example.com/a.xml</loc><lastmod>2024</lastmod></sitemap></sitemapindex>`)
	f.Add(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml=":"><url><loc>https://example.com/</loc><xhtml:a b=""/></url></urlset>`)
	f.Fuzz(func(t *testing.T, text string) {
		folder, report := run(t, "sitemap.xml", text, repair.Options{})
		if len(report.Files) == 0 {
			return
		}
		once := read(t, filepath.Join(folder, "sitemap.xml"))
		if len(report.Changed) == 0 && len(report.Left) == 0 {
			before, _ := urls(text)
			after, err := urls(once)
			resolve(before)
			resolve(after)
			if err != nil || !reflect.DeepEqual(before, after) {
				t.Fatalf("without a note, %+v became %+v (%v)", before, after, err)
			}
		}
		again, second := run(t, "sitemap.xml", once, repair.Options{})
		if len(second.Files) == 0 {
			t.Fatalf("the copy cannot be copied: %+v\n%q", second.Left, once)
		}
		if twice := read(t, filepath.Join(again, "sitemap.xml")); twice != once {
			t.Fatalf("changed again: %+v\n%q\n%q", second.Changed, once, twice)
		}
	})
}
