package folder

import (
	"io/fs"
	"iter"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// verification is a pattern of the files by which search engines and others verify the
// owner of a site.
const verification = `(google[0-9a-f]{16}|yandex_[0-9a-f]+|baidu_verify_[^/]+|naver[0-9a-f]+|` +
	`pinterest-[0-9a-f]+)(\.html)?`

// Unlisted returns a pattern of the paths that no sitemap lists: those of the page for
// missing ones, and of files that verify the owner of the site.
func (s *Site) Unlisted() string {
	prefix := regexp.QuoteMeta(s.path)
	return "^" + prefix + `(404(\.html|/|/index\.html)?|` + verification + `)(\?|$)`
}

// Pages yields the path and the name of every HTML file, as Path serves it and in the
// folder, except for those that [Site.Unlisted] matches. It reads one folder at a time.
func (s *Site) Pages() iter.Seq2[Page, error] {
	unlisted := regexp.MustCompile(s.Unlisted())
	return func(yield func(Page, error) bool) {
		err := fs.WalkDir(s.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." {
				return fs.SkipDir
			}
			if !isPage(name) || !s.isFile(name) {
				return nil
			}
			page := Page{Name: name, Path: s.pathOf(name)}
			if unlisted.MatchString(page.Path) {
				return nil
			}
			if !yield(page, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Page{}, err)
		}
	}
}

// A Page is an HTML file of the folder.
type Page struct {
	Name string // with slashes, in the folder
	Path string // of its URL, escaped
}

func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return !strings.HasPrefix(path.Base(name), ".")
	}
	return false
}

// pathOf returns the path of the URL that a page is linked by.
func (s *Site) pathOf(name string) string {
	public := s.path + name
	if path.Base(name) == "index.html" {
		public = strings.TrimSuffix(public, "index.html")
	} else if s.clean {
		public = strings.TrimSuffix(public, ".html")
	}
	return (&url.URL{Path: public}).EscapedPath()
}

// Name returns the name in the folder of the file that is served for the path of a
// URL, or "".
func (s *Site) Name(path string) string {
	name, _ := s.find(path)
	return name
}
