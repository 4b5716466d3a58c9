package source_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/source"
	_ "modernc.org/sqlite" // a driver
)

// writeSite writes an index with one sitemap into a folder.
func writeSite(folder string) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>`
	const namespace = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	for name, text := range map[string]string{
		"sitemap.xml": head + `<sitemapindex` + namespace +
			`><sitemap><loc>https://example.com/shop/part.xml</loc></sitemap></sitemapindex>`,
		"part.xml": head + `<urlset` + namespace + `><url><loc>https://example.com/chair</loc></url></urlset>`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
}

// A source is a file, a URL, or a site such as example.com, whose sitemaps are found.
// Indexes are followed. The README has this code.
func ExampleURLs() {
	folder, err := os.MkdirTemp("", "site")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	writeSite(folder)
	ctx, sites := context.Background(), []string{filepath.Join(folder, "sitemap.xml")}
	for u, err := range source.URLs(ctx, sites, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(u.Loc, u.LastMod)
	}
	// Output:
	// https://example.com/chair
}

// Entries of a file are read without a copy.
func ExampleSitemaps() {
	folder, err := os.MkdirTemp("", "site")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	writeSite(folder)
	ctx, site := context.Background(), filepath.Join(folder, "sitemap.xml")
	for file, err := range source.Sitemaps(ctx, []string{site}, nil) {
		if err != nil {
			log.Fatal(err)
		}
		for entry, err := range file.Entries() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s %s\n", entry.Loc, entry.LastMod)
		}
	}
	// Output:
	// https://example.com/chair
}

// The sitemaps in a folder are read like those of a site: the index leads to its
// parts.
func ExampleExpandFolders() {
	folder, err := os.MkdirTemp("", "site")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	writeSite(folder)
	sources, err := source.ExpandFolders([]string{folder})
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range sources {
		fmt.Println(filepath.Base(path))
	}
	// Output:
	// sitemap.xml
	// part.xml
}

func ExamplePartPaths() {
	for _, path := range source.PartPaths("public/sitemap.xml", "https://example.com/shop/part.xml") {
		fmt.Println(filepath.ToSlash(path))
	}
	// Output:
	// public/shop/part.xml
	// public/part.xml
}

// Lines without a URL are skipped and counted.
func ExampleSkippedError() {
	options := &source.LineOptions{Stdin: strings.NewReader("https://example.com/\nno URL\n")}
	for address, err := range source.Lists([]string{"-"}, options) {
		var skipped *source.SkippedError
		if errors.As(err, &skipped) {
			fmt.Printf("skipped %d, first line %d: %v\n", skipped.Lines, skipped.First, skipped.Err)
			continue
		}
		fmt.Println(address, err)
	}
	// Output:
	// https://example.com/ <nil>
	// skipped 1, first line 2: no URL in it
}

// The pages of a database. Columns of other names are given by Columns.
func ExampleSQL() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if _, err := db.Exec(`create table posts (slug text, changed text);
		insert into posts values ('tea', '2026-01-02'), ('coffee', null)`); err != nil {
		log.Fatal(err)
	}
	const query = "select '/posts/' || slug as loc, changed as lastmod from posts"
	options := &source.RowOptions{Base: "https://example.com/"}
	for row, err := range source.SQL(context.Background(), db, query, options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row.Loc, row.LastMod)
	}
	// Output:
	// https://example.com/posts/tea 2026-01-02
	// https://example.com/posts/coffee
}
