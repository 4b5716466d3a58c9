package sitemap_test

import (
	zipfile "archive/zip"
	"bytes"
	"fmt"
	"io"
	"log"

	"github.com/mapatools/mapa/sitemap"
)

// zipFile is a file of an archive, which needs no Close.
type zipFile struct{ io.Writer }

// Close does nothing: the next file ends this one.
func (zipFile) Close() error { return nil }

// A set is written into an archive.
func ExampleNewSetWriter() {
	var buffer bytes.Buffer
	archive := zipfile.NewWriter(&buffer)
	set, err := sitemap.NewSetWriter(func(name string) (io.WriteCloser, error) {
		fmt.Println(name)
		file, err := archive.Create(name)
		return zipFile{file}, err
	}, &sitemap.SetOptions{BaseURL: "https://example.com/", Limits: sitemap.Limits{URLs: 2}})
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{"", "tea", "coffee"} {
		if err := set.Write(&sitemap.URL{Loc: "https://example.com/" + path}); err != nil {
			log.Fatal(err)
		}
	}
	if err := set.Close(); err != nil {
		log.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Count(), "pages")
	// Output:
	// sitemap-1.xml
	// sitemap-2.xml
	// sitemap.xml
	// 3 pages
}
