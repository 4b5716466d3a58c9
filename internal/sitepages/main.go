// Sitepages writes the pages of the documentation site for which Hugo has no source of its own:
// the documents in docs, each command, each rule in every language, and each public package. It
// runs in the root of the repository; `make site` runs it before Hugo.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/internal/catalog"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sitepages FOLDER")
		os.Exit(2)
	}
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sitepages:", err)
		os.Exit(1)
	}
}

// run replaces the pages in a folder, which has a folder of content for each language.
func run(ctx context.Context, folder string) error {
	documents, err := documentPages(ctx)
	if err != nil {
		return err
	}
	packages, err := packagePages(ctx)
	if err != nil {
		return err
	}
	for language, pages := range rulePages() {
		if language == catalog.English {
			pages = slices.Concat(pages, documents, commandPages(), packages)
		}
		if err := writePages(filepath.Join(folder, string(language)), pages); err != nil {
			return err
		}
	}
	return nil
}

// page is a file of Hugo's content.
type page struct {
	path  string // with slashes, below the folder of its language
	front map[string]any
	body  string
}

// writePages replaces a folder by pages.
func writePages(folder string, pages []page) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the pages of an earlier run: %w", err)
	}
	for _, p := range pages {
		front, err := json.MarshalIndent(p.front, "", "  ")
		if err != nil {
			return fmt.Errorf("write the front matter of %s: %w", p.path, err)
		}
		name := filepath.Join(folder, filepath.FromSlash(p.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("make the folder of a page: %w", err)
		}
		if err := os.WriteFile(name, []byte(string(front)+"\n\n"+p.body), 0o666); err != nil {
			return fmt.Errorf("write a page: %w", err)
		}
	}
	return nil
}
