package sitemap_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// copyPublic copies the sitemaps of a site, without its private pages, into a folder.
func copyPublic(ctx context.Context, dir, from string) error {
	folder, err := sitemap.NewFolder(dir, &sitemap.SetOptions{BaseURL: "https://example.com/"})
	if err != nil {
		return err
	}
	defer folder.Abort() // does nothing after Close
	for file, err := range source.Sitemaps(ctx, []string{from}, nil) {
		if err != nil {
			return err
		}
		for entry, err := range file.Entries() {
			if err != nil {
				return err
			}
			if bytes.Contains(entry.Loc, []byte("/private/")) {
				continue
			}
			page, err := entry.URL()
			if err != nil {
				return err
			}
			if err := folder.Write(page); err != nil {
				return err
			}
		}
	}
	return folder.Close()
}

func ExampleNewFolder() {
	dir, err := os.MkdirTemp("", "sitemap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	list := filepath.Join(dir, "pages.txt")
	err = os.WriteFile(list, []byte("https://example.com/\nhttps://example.com/private/notes\n"), 0o666)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := filepath.Join(dir, "public")
	if err := copyPublic(context.Background(), out, list); err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(filepath.Join(out, "sitemap.xml"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/</loc></url>
	// </urlset>
}

// TestCopyPublic has the sample of the README copy the pages of an index, and refuse what is
// no sitemap.
func TestCopyPublic(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.xml": "<sitemapindex><sitemap><loc>https://example.com/a.txt</loc></sitemap></sitemapindex>",
		"a.txt":     "https://example.com/a\n",
		"notes.md":  "# Notes\n\nSee:\n\nhttps://example.com/a\n",
		"page.html": "<!DOCTYPE html><title>Page</title>",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "public")
	if err := copyPublic(t.Context(), out, filepath.Join(dir, "index.xml")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "sitemap.xml"))
	if err != nil || !strings.Contains(string(text), "<urlset") ||
		!strings.Contains(string(text), "<url><loc>https://example.com/a</loc></url>") {
		t.Errorf("%s, %v", text, err)
	}
	for _, name := range []string{"notes.md", "page.html", "missing.xml"} {
		if err := copyPublic(t.Context(), filepath.Join(dir, "none"), filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was copied", name)
		}
	}
}
