package crawl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/folder"
)

// builtFolders are the names of the folders that site generators write to.
var builtFolders = []string{"public", "dist", "_site", "site", "build", "out", "output", "docs", "book", "www", "html"}

// withIndex adds to the error of a folder without index.html which one to name instead.
func withIndex(name string, err error) error {
	if !errors.Is(err, folder.ErrNoIndex) {
		return err
	}
	for _, built := range builtFolders {
		inner := filepath.Join(name, built)
		if info, missing := os.Stat(filepath.Join(inner, "index.html")); missing == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%w; %s has one", err, inner)
		}
	}
	return fmt.Errorf("%w: name the one that the site is built into", err)
}
