package publish

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/sitemap"
)

const home = "https://example.com/"

// day1 is a date that tests add to.
var day1 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func page(path, title string) *Page {
	return &Page{URL: sitemap.URL{Loc: "https://example.com" + path, LastMod: sitemap.DateOf(day1)}, Title: title}
}

// site returns a home page and numbered pages.
func site(others int) []*Page {
	pages := []*Page{page("/", "Home")}
	for i := range others {
		pages = append(pages, page(fmt.Sprintf("/page/%d", i), fmt.Sprint("Page ", i)))
	}
	return pages
}

func each(pages []*Page) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func mustRun(t *testing.T, options Options, pages []*Page) Published {
	t.Helper()
	options.Home = home
	published, err := Run(t.Context(), each(pages), &options)
	if err != nil {
		t.Fatal(err)
	}
	return published
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fileNames(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

// validate checks an XML file of a folder against a schema.
func validate(t *testing.T, schema, dir, name string) {
	t.Helper()
	xmllint := programtest.Find(t, "xmllint", "libxml2-utils")
	output, err := exec.CommandContext(t.Context(), xmllint, "--nonet", "--noout", "--schema", schema,
		filepath.Join(dir, name)).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, output)
	}
}

const (
	sitemapSchema = "../../sitemap/testdata/schema/all.xsd"
	rssSchema     = "testdata/rss.xsd"
	atomSchema    = "testdata/atom.xsd"
)

// schemas are the schemas of output files.
var schemas = map[string]string{"rss.xml": rssSchema, "atom.xml": atomSchema}

// validateAll checks every XML file of a folder against its schema.
func validateAll(t *testing.T, dir string) {
	t.Helper()
	for name := range strings.FieldsSeq(fileNames(t, dir)) {
		if !strings.HasSuffix(name, ".xml") {
			continue
		}
		schema := schemas[name]
		if schema == "" {
			schema = sitemapSchema
		}
		validate(t, schema, dir, name)
	}
}

func TestOutputs(t *testing.T) {
	for output, want := range map[Output]string{
		OutputXML:  "sitemap.css sitemap.xml",
		OutputText: "urllist.txt",
		OutputHTML: "sitemap.html",
		OutputRSS:  "rss.xml",
		OutputAtom: "atom.xml",
	} {
		t.Run(string(output), func(t *testing.T) {
			dir := t.TempDir()
			published := mustRun(t, Options{Folder: dir, Outputs: []Output{output, output}}, site(3))
			if got := fileNames(t, dir); got != want {
				t.Errorf("files %s, want %s", got, want)
			}
			if published.Pages != 4 || len(published.Files) != 1 || !strings.Contains(want, published.Files[0]) {
				t.Errorf("published %+v", published)
			}
			validateAll(t, dir)
		})
	}
}

// TestEmptySite checks that nothing is published without a page, even where everything
// is allowed to be lost.
func TestEmptySite(t *testing.T) {
	dir := t.TempDir()
	options := Options{Folder: dir, Home: "https://example.com/", Outputs: AllOutputs(), MaxShrink: 100}
	none := func(func(*Page, error) bool) {}
	if _, err := Run(t.Context(), none, &options); !errors.Is(err, ErrEmpty) {
		t.Errorf("error %v, want %v", err, ErrEmpty)
	}
	if got := fileNames(t, dir); got != "" {
		t.Errorf("files %s, want none", got)
	}
}

// TestSamePages checks that all outputs list the same pages.
func TestSamePages(t *testing.T) {
	dir := t.TempDir()
	pages := append(site(2), &Page{URL: sitemap.URL{Loc: "javascript:alert(1)"}},
		&Page{URL: sitemap.URL{Loc: "https://example.com/" + strings.Repeat("x", 2048)}})
	published := mustRun(t, Options{Folder: dir, Outputs: AllOutputs()}, pages)
	if published.Pages != 3 || published.Invalid != 2 {
		t.Errorf("published %+v", published)
	}
	for _, name := range []string{"sitemap.xml", "urllist.txt", "sitemap.html", "rss.xml", "atom.xml"} {
		if text := read(t, dir, name); strings.Contains(text, "javascript") || strings.Contains(text, "\x00") {
			t.Errorf("%s: %s", name, text)
		}
	}
	validateAll(t, dir)
}

// hostile is a title that attacks the files with it.
const hostile = "</title></a><script>alert(1)</script>]]>&amp;\x00\x1b[31m\u202e\ufffe\xff" + `" onclick='x()` +
	"\r\n\u2028 end"

func TestHostileTitles(t *testing.T) {
	dir := t.TempDir()
	pages := []*Page{page("/", hostile), page("/"+`"'<script>`, hostile), page("/%3Cscript%3E/%E2%80%AE%00%1B[0m", "")}
	mustRun(t, Options{Folder: dir, Outputs: AllOutputs()}, pages)
	validateAll(t, dir)
	for name := range strings.FieldsSeq(fileNames(t, dir)) {
		if strings.HasSuffix(name, ".css") {
			continue
		}
		if text := read(t, dir, name); strings.Contains(text, "<script") ||
			strings.ContainsAny(text, "\x00\x1b\u202e\ufffe\r") {
			t.Errorf("%s holds\n%q", name, text)
		}
	}
}

func TestPlainText(t *testing.T) {
	for _, test := range [][2]string{
		{"", ""}, {"  a \t\n b  ", "a b"}, {"ä\x00ö\x7fü\u009bé", "äöüé"}, {"\u202ea\u2066b\u2069", "ab"},
		{"\u05e9\u200f", "\u05e9"}, {"\xff\xfea", "a"}, {"\ufffe\uffffa", "a"}, {"\u2028a\u00a0b", "a b"},
	} {
		if got := plainTitle(test[0]); got != test[1] {
			t.Errorf("%q: %q, want %q", test[0], got, test[1])
		}
	}
	if got := plainTitle(strings.Repeat("é", maxTitle)); len(got) > maxTitle+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("cut to %q", got)
	}
}

// TestNothingAfterFailure checks that the folder stays as it was after any error.
func TestNothingAfterFailure(t *testing.T) {
	broken := errors.New("broken")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	failing := func(yield func(*Page, error) bool) {
		if yield(page("/new", "New"), nil) {
			yield(nil, broken)
		}
	}
	long := home + strings.Repeat("x", 2000) + "/"
	for name, test := range map[string]struct {
		ctx     context.Context
		pages   iter.Seq2[*Page, error]
		options Options
		want    error
	}{
		"pages":     {t.Context(), failing, Options{}, broken},
		"cancelled": {cancelled, each(site(40)), Options{}, context.Canceled},
		"set name":  {t.Context(), each(site(40)), Options{Sets: Rules[string]{{Value: "news"}}}, nil},
		"output":    {t.Context(), each(site(40)), Options{Outputs: []Output{"pdf"}}, nil},
		"folder":    {t.Context(), each(site(40)), Options{FolderURL: long}, sitemap.ErrTooLong},
		"guard":     {t.Context(), each(site(1)), Options{MaxShrink: 30}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			options := Options{Folder: dir, Home: home, Outputs: AllOutputs(), Sets: setsOf(t, "a=/page/1")}
			mustRun(t, options, site(40))
			before := contents(t, dir)
			if test.options.Outputs != nil {
				options.Outputs = test.options.Outputs
			}
			if test.options.Sets != nil {
				options.Sets = test.options.Sets
			}
			options.MaxShrink, options.FolderURL = test.options.MaxShrink, test.options.FolderURL
			_, err := Run(test.ctx, test.pages, &options)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error %v", err)
			}
			if after := contents(t, dir); !slices.Equal(after, before) {
				t.Errorf("files changed: %s", fileNames(t, dir))
			}
		})
	}
}

func contents(t *testing.T, dir string) (all []string) {
	t.Helper()
	for name := range strings.FieldsSeq(fileNames(t, dir)) {
		all = append(all, name, read(t, dir, name))
	}
	return all
}

// TestFewerFiles removes surplus files of the previous series and temporary files of a
// killed run, but nothing else.
func TestFewerFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".mapa-urllist.txt.tmp", ".mapa-sitemap-9.html.tmp", ".sitemap-shop-1.tmp",
		"sitemap-9.html", "urllist-old.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	options := Options{Folder: dir, Outputs: []Output{OutputXML, OutputHTML, OutputText}, MaxShrink: 100}
	mustRun(t, options, site(3*linksPerPage))
	want := "sitemap-2.html sitemap-3.html sitemap-4.html sitemap-9.html sitemap.css sitemap.html sitemap.xml urllist-old.txt urllist.txt"
	if got := fileNames(t, dir); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	mustRun(t, options, site(linksPerPage))
	want = "sitemap-2.html sitemap-9.html sitemap.css sitemap.html sitemap.xml urllist-old.txt urllist.txt"
	if got := fileNames(t, dir); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

func TestTextRollsOver(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, Options{Folder: dir, Outputs: []Output{OutputText}}, site(50_000))
	if first, second := strings.Count(read(t, dir, "urllist.txt"), "\n"), read(t, dir, "urllist-2.txt"); first != 50_000 ||
		second != "https://example.com/page/49999\n" {
		t.Errorf("%d lines, then %q", first, second)
	}
}

func TestGzip(t *testing.T) {
	dir := t.TempDir()
	published := mustRun(t, Options{Folder: dir, Gzip: true}, site(2))
	file, err := os.Open(filepath.Join(dir, published.Files[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(zip); err != nil || strings.Count(string(text), "<url>") != 3 {
		t.Errorf("%s %v", text, err)
	}
}
