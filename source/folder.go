package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// ExpandFolders replaces every folder among the sources by the paths of the
// sitemaps in it and in its subfolders, indexes first, since they lead to the
// others. Other sources are returned as they are. A folder that cannot be read, or
// has no sitemap, is an error.
func ExpandFolders(sources []string) ([]string, error) {
	var files []string
	for _, s := range sources {
		info, err := os.Stat(s)
		if err != nil || !info.IsDir() {
			files = append(files, s)
			continue
		}
		found, err := sitemapsIn(s)
		if err != nil {
			return nil, fmt.Errorf("search the folder %s: %w", s, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("the folder %s has no sitemap among its .xml, .xml.gz, .txt, .rss and .atom files", s)
		}
		files = append(files, found...)
	}
	return files, nil
}

func sitemapsIn(folder string) ([]string, error) {
	var indexes, others []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !isNamedLikeSitemap(entry.Name()) {
			return err
		}
		switch format, err := formatOf(path); {
		case err == nil && format == sitemap.FormatIndex:
			indexes = append(indexes, path)
		case err == nil, strings.Contains(entry.Name(), "sitemap"):
			others = append(others, path)
		}
		return nil
	})
	return append(indexes, others...), err
}

func isNamedLikeSitemap(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch filepath.Ext(name) {
	case ".xml", ".txt", ".rss", ".atom":
		return name != "robots.txt"
	}
	return false
}

func formatOf(path string) (sitemap.Format, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return sitemap.NewReader(file, nil).Format()
}
