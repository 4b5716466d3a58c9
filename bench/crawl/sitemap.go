package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/mapatools/mapa/sitemap"
)

// A page is one entry of a sitemap.
type page struct{ loc, lastmod string }

// readSitemap reads a sitemap, or an index with its parts in the same folder.
func readSitemap(name string) ([]page, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var pages []page
	for entry, err := range sitemap.NewReader(file).Entries() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !entry.IsSitemap() {
			pages = append(pages, page{string(entry.Loc), string(entry.LastMod)})
			continue
		}
		part, err := readSitemap(filepath.Join(filepath.Dir(name), path.Base(string(entry.Loc))))
		if err != nil {
			return nil, err
		}
		pages = append(pages, part...)
	}
	return pages, nil
}
