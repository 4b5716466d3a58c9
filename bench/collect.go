package main

import (
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// A part is how Go programs declare an entry of an index.
type part struct {
	Loc     string     `xml:"loc"`
	LastMod *time.Time `xml:"lastmod,omitempty"`
}

type partIndex struct {
	XMLName xml.Name `xml:"sitemapindex"`
	Space   string   `xml:"xmlns,attr"`
	Parts   []part   `xml:"sitemap"`
}

// collectSet writes a set as sitemap libraries do: it collects the URLs of a
// file in a slice and hands them to encoding/xml, file by file. Nothing of it is
// certain to be on the disk, unlike what Mapa writes.
func collectSet(folder string, urls []*pageURL, n int, zip bool) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	extension := ".xml"
	if zip {
		extension = ".xml.gz"
	}
	index := partIndex{Space: sitemapSpace}
	var collected []*pageURL
	for i := range n {
		u := *urls[i%len(urls)]
		collected = append(collected, &u)
		if len(collected) < 50_000 && i+1 < n {
			continue
		}
		name := fmt.Sprintf("sitemap-%d%s", len(index.Parts)+1, extension)
		if err := encodeFile(filepath.Join(folder, name), zip, pageSet{Space: sitemapSpace, URLs: collected}); err != nil {
			return err
		}
		index.Parts = append(index.Parts, part{Loc: baseURL + name, LastMod: newest(collected)})
		collected = nil
	}
	return encodeFile(filepath.Join(folder, "sitemap"+extension), zip, index)
}

func newest(urls []*pageURL) *time.Time {
	last := urls[0].LastMod
	for _, u := range urls {
		if u.LastMod.After(*last) {
			last = u.LastMod
		}
	}
	return last
}

func encodeFile(path string, zip bool, content any) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if !zip {
		return encode(file, content)
	}
	packed := gzip.NewWriter(file)
	if err := encode(packed, content); err != nil {
		return err
	}
	return packed.Close()
}

// encode writes one file with encoding/xml.
func encode(w io.Writer, content any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(content)
}
