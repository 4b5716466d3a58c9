package source_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/source"
)

// TestExpandFolder chooses the sitemaps among the files of a folder.
func TestExpandFolder(t *testing.T) {
	const (
		urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>`
		index  = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>`
		feed   = `<rss version="2.0"><channel><title>t</title></channel></rss>`
		list   = "https://example.com/\n"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"feeds and a sitemap": {map[string]string{"sitemap.xml": urlset, "index.xml": feed, "tags/index.xml": feed},
			"sitemap.xml"},
		"nothing but feeds": {map[string]string{"index.xml": feed, "atom.xml": feed}, "atom.xml index.xml"},
		"a feed that robots.txt names": {map[string]string{"sitemap.xml": urlset, "blog/index.xml": feed, "index.xml": feed,
			"robots.txt": "Sitemap: https://example.com/blog/index.xml\n"}, "sitemap.xml blog/index.xml"},
		"a licence with an address": {map[string]string{"sitemap.xml": urlset, "OFL.txt": "Licence\n" + list}, "sitemap.xml"},
		"a list that says sitemap": {map[string]string{"sitemap.xml": urlset, "Sitemap-pages.txt": list},
			"Sitemap-pages.txt sitemap.xml"},
		"nothing but a list": {map[string]string{"pages.txt": list}, "pages.txt"},
		"indexes first":      {map[string]string{"a.xml": urlset, "index.xml": index}, "index.xml a.xml"},
		"a broken sitemap":   {map[string]string{"sitemap.xml": "<html>", "other.xml": "<html>"}, "sitemap.xml"},
		"a compressed copy": {map[string]string{"sitemap.xml": urlset, "sitemap.xml.gz": packed(t, urlset)},
			"sitemap.xml"},
		"an older compressed copy": {map[string]string{"sitemap.xml": urlset + "\n", "sitemap.xml.gz": packed(t, urlset)},
			"sitemap.xml sitemap.xml.gz"},
		"a longer compressed copy": {map[string]string{"sitemap.xml": urlset, "sitemap.xml.gz": packed(t, urlset+"\n")},
			"sitemap.xml sitemap.xml.gz"},
		"a truncated compressed copy": {map[string]string{"sitemap.xml": urlset,
			"sitemap.xml.gz": packed(t, urlset)[:len(packed(t, urlset))-4]}, "sitemap.xml sitemap.xml.gz"},
		"a compressed copy that an index lists": {map[string]string{"a.xml": urlset, "a.xml.gz": packed(t, urlset),
			"index.xml": strings.Replace(index, "a.xml", "a.xml.gz", 1)}, "index.xml"},
		"a compressed copy that an index does not list": {map[string]string{"a.xml": urlset, "a.xml.gz": packed(t, urlset),
			"index.xml": index}, "index.xml a.xml"},
		"a compressed file alone": {map[string]string{"sitemap.xml.gz": packed(t, urlset)}, "sitemap.xml.gz"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for file, text := range c.files {
				path := filepath.Join(folder, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := source.ExpandFolders([]string{folder})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				got[i] = filepath.ToSlash(strings.TrimPrefix(got[i], folder+string(filepath.Separator)))
			}
			if want := strings.Fields(c.want); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			var opened []string
			for file, err := range source.Sitemaps(t.Context(), []string{folder}, &source.Options{Indexes: true}) {
				if err != nil {
					continue // what it was called for its name
				}
				if file.Index == "" {
					opened = append(opened, filepath.ToSlash(strings.TrimPrefix(file.Location, folder+string(filepath.Separator))))
				}
				if file.Source != folder {
					t.Errorf("the source of %s is %s", file.Location, file.Source)
				}
				for range file.Entries() { // follows an index
				}
			}
			// An index may lead to the same file first, and a broken one is not opened.
			for _, name := range opened {
				if !slices.Contains(got, name) {
					t.Errorf("opened %s, which is not among %q", name, got)
				}
			}
			if len(opened) == 0 && name != "a broken sitemap" {
				t.Error("opened nothing")
			}
		})
	}
}

// TestEmptyFolder names the folder in which there is no sitemap, and reads the other
// sources.
func TestEmptyFolder(t *testing.T) {
	empty, full := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "sitemap.txt"), []byte("https://example.com/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, failed := 0, 0
	for file, err := range source.Sitemaps(t.Context(), []string{empty, full}, nil) {
		var where *source.Error
		switch {
		case err == nil:
			opened++
			file.Close()
		case errors.As(err, &where) && where.Location == empty && where.Source == empty &&
			errors.Is(err, source.ErrEmptyFolder):
			failed++
		default:
			t.Error(err)
		}
	}
	if opened != 1 || failed != 1 {
		t.Errorf("opened %d files, and %d failed", opened, failed)
	}
	if _, err := source.ExpandFolders([]string{empty}); !errors.Is(err, source.ErrEmptyFolder) {
		t.Errorf("expanded, %v", err)
	}
}

// TestFolderIsNoIndex follows indexes as deep from a folder as from a file.
func TestFolderIsNoIndex(t *testing.T) {
	folder := t.TempDir()
	const deepest = 5
	for i := range deepest {
		name := fmt.Sprintf("%d.part", i) // not found by its name, but listed
		if i == 0 {
			name = "index.xml"
		}
		text := fmt.Sprintf("<sitemapindex><sitemap><loc>https://example.com/%d.part</loc></sitemap></sitemapindex>", i+1)
		if i+1 == deepest {
			text = "<urlset><url><loc>https://example.com/</loc></url></urlset>"
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{filepath.Join(folder, "index.xml"), folder} {
		pages := 0
		for file, err := range source.Sitemaps(t.Context(), []string{from}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			for range file.Entries() {
				pages++
			}
		}
		if pages != 1 {
			t.Errorf("%s: %d pages", from, pages)
		}
	}
}

// TestRowsOfFolder reads a folder as the sitemaps in it.
func TestRowsOfFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "sitemap.txt"), []byte("https://example.com/a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for row, err := range source.Rows(t.Context(), folder, &source.RowOptions{Base: "https://example.com/"}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row.Loc)
	}
	if !slices.Equal(rows, []string{"https://example.com/a"}) {
		t.Errorf("read %q", rows)
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
