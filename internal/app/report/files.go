package report

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
)

// A siteFolder is the folder of a site that was crawled without a server, where the files of
// its pages are.
type siteFolder struct {
	name string
	root *os.Root
	base string // URL of the folder

	page string // that was looked up last
	file string // or empty
}

// openSite opens the folder that was crawled. It returns nil for a site that was requested
// from a server, and for a folder that is not there.
func openSite(file *store.File) *siteFolder {
	meta, err := crawlfile.ReadMeta(file)
	if err != nil || meta.Crawled == "" || format.IsURL(meta.Crawled) {
		return nil
	}
	root, err := os.OpenRoot(meta.Crawled)
	if err != nil {
		return nil
	}
	about := file.Meta()
	return &siteFolder{name: meta.Crawled, root: root, base: about.FolderURL()}
}

// fileOf returns the file of a page, or an empty string.
func (s *siteFolder) fileOf(page string) string {
	if page == s.page {
		return s.file
	}
	s.page, s.file = page, ""
	rest, found := strings.CutPrefix(page, s.base)
	rest, _, _ = strings.Cut(rest, "?")
	name, err := url.PathUnescape(rest)
	if !found || err != nil {
		return ""
	}
	for _, name := range []string{name, name + ".html", path.Join(name, "index.html"), path.Join(name, "index.htm")} {
		if info, err := s.root.Stat(name); err == nil && info.Mode().IsRegular() {
			s.file = filepath.Join(s.name, filepath.FromSlash(name))
			break
		}
	}
	return s.file
}
