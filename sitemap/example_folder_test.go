package sitemap_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// copyPublic is the sample of the README.
func copyPublic(dir string, source io.Reader) error {
	folder, err := sitemap.NewFolder(dir, &sitemap.SetOptions{BaseURL: "https://example.com/"})
	if err != nil {
		return err
	}
	defer folder.Abort() // does nothing after Close
	for entry, err := range sitemap.NewReader(source, nil).Entries() {
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
	return folder.Close()
}

func ExampleNewFolder() {
	dir, err := os.MkdirTemp("", "sitemap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	source := strings.NewReader("https://example.com/\nhttps://example.com/private/notes\n")
	if err := copyPublic(dir, source); err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, "sitemap.xml"))
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
