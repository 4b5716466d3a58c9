package sitemap_test

import (
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// read returns what a document lists, as values of its own.
func read(document string) ([]*sitemap.URL, error) {
	var urls []*sitemap.URL
	for entry, err := range sitemap.NewReader(strings.NewReader(document), &sitemap.ReaderOptions{Strict: true}).Entries() {
		if err != nil {
			return urls, err
		}
		u, err := entry.URL()
		if err != nil {
			return urls, err
		}
		urls = append(urls, u)
	}
	return urls, nil
}
