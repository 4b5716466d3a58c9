package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

func TestGuard(t *testing.T) {
	all := []Output{OutputXML, OutputHTML, OutputText}
	for _, test := range []struct {
		name           string
		before, now    int // pages besides the home page
		maxShrink      int
		withoutHome    bool
		homelessBefore bool
		outputs        []Output
		gzip           bool
		refused        string // in the error; empty when published
	}{
		{name: "the first", before: -1, now: 0},
		{name: "growing", before: 3, now: 9},
		{name: "at the bound", before: 9, now: 6, maxShrink: 30},
		{name: "below the bound", before: 9, now: 5, maxShrink: 30,
			refused: "6 pages, the current one 10: a loss of more than 30 %"},
		{name: "nothing may go", before: 99, now: 98, refused: "99 pages, the current one 100"},
		{name: "forced", before: 99, now: 0, maxShrink: 100},
		{name: "home lost", before: 9, now: 20, maxShrink: 99, withoutHome: true,
			refused: "lacks the home page https://example.com/"},
		{name: "home lost, forced", before: 9, now: 20, maxShrink: 100, withoutHome: true},
		{name: "home never listed", before: 9, now: 20, maxShrink: 30, withoutHome: true, homelessBefore: true},
		{name: "a list alone", before: 9, now: 1, maxShrink: 30, outputs: []Output{OutputText},
			refused: "2 pages, the current one 10"},
		{name: "gzip", before: 9, now: 1, maxShrink: 30, gzip: true, refused: "2 pages, the current one 10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.outputs == nil {
				test.outputs = all
			}
			options := Options{Folder: dir, Home: home, Outputs: test.outputs, Gzip: test.gzip, MaxShrink: test.maxShrink}
			if test.before >= 0 {
				before := site(test.before)
				if test.homelessBefore {
					before = before[1:]
				}
				mustRun(t, options, before)
			}
			before := contents(t, dir)
			now := site(test.now)
			if test.withoutHome {
				now = now[1:]
			}
			_, err := Run(t.Context(), each(now), &options)
			var refused *RefusedError
			if test.refused == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.refused) {
				t.Fatalf("error %v, want one that says %s", err, test.refused)
			}
			if after := contents(t, dir); strings.Join(after, "\n") != strings.Join(before, "\n") {
				t.Errorf("the folder changed: %s", fileNames(t, dir))
			}
		})
	}
}

// TestGuardCountsPages does not count pages that are repeated with their images.
func TestGuardCountsPages(t *testing.T) {
	dir := t.TempDir()
	pages := site(9)
	for _, p := range pages {
		p.Images = []sitemap.Image{{Loc: "https://example.com/a.png"}}
	}
	options := Options{Folder: dir, Home: home, Sets: setsOf(t, "some=[1-3]$"), Apart: Apart{Images: true}, MaxShrink: 0}
	mustRun(t, options, pages)
	if p := readCurrentSet(dir, home); p.pages != 10 || !p.home {
		t.Errorf("read %d pages, home %t", p.pages, p.home)
	}
	options.Apart = Apart{}
	mustRun(t, options, pages)
}

// TestGuardReadsLoop reads an index that lists itself and a file outside the folder.
func TestGuardReadsLoop(t *testing.T) {
	dir := t.TempDir()
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>` +
		`<sitemap><loc>https://example.com/..</loc></sitemap><sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>`
	if err := os.WriteFile(filepath.Join(dir, "sitemap.xml"), []byte(index), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := readCurrentSet(dir, home); p.pages != 0 {
		t.Errorf("read %d pages", p.pages)
	}
	mustRun(t, Options{Folder: dir}, site(1))
}
