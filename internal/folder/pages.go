package folder

import (
	"cmp"
	"io/fs"
	"iter"
	"net/url"
	"path"
	"strings"
)

// IsNotFoundPage reports whether a path is that of an error page for missing pages: 404.html, also
// that of a language, _not-found.html of Next, and 200.html, with which hosts answer for all routes
// of an application.
func (s *Site) IsNotFoundPage(requested string) bool {
	inner, found := strings.CutPrefix(requested, s.path)
	if !found {
		return false
	}
	stem := stemOf(inner)
	return path.Base(stem) == "404" || stem == "_not-found" || inner == "200.html" || inner == "200"
}

// Pages yields every page. It reads one folder at a time.
func (s *Site) Pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for name, err := range s.htmlFiles() {
			page := Page{Name: name}
			if err == nil {
				page.Path = s.pathOf(name)
				page.Path = cmp.Or(s.Address([]byte(page.Path)), page.Path)
			}
			if !yield(page, err) {
				return
			}
		}
	}
}

// htmlFiles yields the name of every HTML file.
func (s *Site) htmlFiles() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(s.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			isHidden := strings.HasPrefix(entry.Name(), ".") || strings.HasPrefix(entry.Name(), "_vti_") // of FrontPage
			if entry.IsDir() && isHidden && name != "." {
				return fs.SkipDir
			}
			if isPage(name) && (entry.Type().IsRegular() || s.isFile(name)) && !yield(name, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// A Page is an HTML file of the folder.
type Page struct {
	Name string // with slashes, in the folder
	Path string // of its URL, escaped; see [Site.Address]
}

func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return !strings.HasPrefix(path.Base(name), ".")
	}
	return false
}

// pathOf returns the escaped path that a file is served at unless its page has an address of
// its own. That of the home page is the URL of the folder.
func (s *Site) pathOf(name string) string {
	public := s.path + name
	if s.isIndex(name) {
		if folder, _ := path.Split(public); !s.withIndex || folder == s.path {
			public = folder
		}
	} else if s.clean {
		public = strings.TrimSuffix(public, ".html")
	}
	return escaped(public)
}

// escaped returns a path as a crawl writes it in a URL.
func escaped(path string) string { return unescaped.Replace((&url.URL{Path: path}).EscapedPath()) }

// unescaped restores what net/url escapes and browsers do not
// (https://url.spec.whatwg.org/#path-percent-encode-set).
var unescaped = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%5B", "[", "%5D", "]",
	"%7C", "|")

// Name returns the name in the folder of the file that is served for the path of a
// URL, or "".
func (s *Site) Name(path string) string { return s.place([]byte(path)).name }
