package report

import (
	"bytes"
	"html"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A siteFolder is the folder of a site that was crawled without a server, where the files of
// its pages are.
type siteFolder struct {
	name string
	root *os.Root
	base string // URL of the folder

	page  string // that was looked up last
	file  string
	lines map[string]int // of the links of the page, by linkKey
}

// openSite opens the folder that was crawled. It returns nil for a site that was requested
// from a server, and for a folder that is not there.
func openSite(file crawl.Reader) *siteFolder {
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

// look finds the file of a page, and reports whether there is one.
func (s *siteFolder) look(page string) bool {
	if page == s.page {
		return s.file != ""
	}
	s.page, s.file, s.lines = page, "", nil
	rest, found := strings.CutPrefix(page, s.base)
	rest, _, _ = strings.Cut(rest, "?")
	name, err := url.PathUnescape(rest)
	if !found || err != nil {
		return false
	}
	for _, name := range []string{name, name + ".html", path.Join(name, "index.html")} {
		if info, err := s.root.Stat(name); err == nil && info.Mode().IsRegular() {
			s.file = filepath.Join(s.name, filepath.FromSlash(name))
			s.readLines(name)
			return true
		}
	}
	return false
}

// longestPage is how much of a file is searched for links.
const longestPage = 10 << 20

// readLines finds the lines of the links in a file, as far as they are as written.
func (s *siteFolder) readLines(name string) {
	file, err := s.root.Open(name)
	if err != nil {
		return
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, longestPage))
	if err != nil {
		return
	}
	base, err := urlnorm.NewBase([]byte(s.page))
	if err != nil {
		return
	}
	var scanner extract.Scanner
	page := scanner.Scan(text, "text/html", extract.Options{})
	if own, err := base.AppendResolve(nil, page.Base); err == nil && len(page.Base) > 0 {
		if base, err = urlnorm.NewBase(own); err != nil {
			return
		}
	}
	s.lines = map[string]int{}
	at, line := 0, 1
	for i := range page.Links {
		written := page.Links[i].URL
		next := indexOfValue(text[at:], written)
		if next < 0 {
			continue
		}
		line += bytes.Count(text[at:at+next], []byte("\n"))
		at += next
		target, err := base.AppendResolve(nil, written)
		if err != nil {
			continue
		}
		address := string(target)
		if _, fragment, found := strings.Cut(string(written), "#"); found && fragment != "" {
			s.note(address+"#"+fragment, line)
		}
		s.note(address, line)
	}
}

// note keeps the line of the first link to a URL.
func (s *siteFolder) note(address string, line int) {
	if key := linkKey(address); s.lines[key] == 0 {
		s.lines[key] = line
	}
}

// linkKey returns a URL without its scheme: a link may name the own host with another one than
// the base URL, which is that of the crawl.
func linkKey(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return rest
}

// indexOfValue finds the value of an attribute in HTML, or returns -1.
func indexOfValue(text, value []byte) int {
	escaped := []byte(html.EscapeString(string(value)))
	for _, written := range [][]byte{value, escaped} {
		for at := 0; len(written) > 0; {
			next := bytes.Index(text[at:], written)
			if next < 0 {
				break
			}
			next += at
			end := next + len(written)
			if next > 0 && end < len(text) && strings.IndexByte(`"'= `, text[next-1]) >= 0 &&
				strings.IndexByte("\"'> \n\t", text[end]) >= 0 {
				return next
			}
			at = next + 1
		}
	}
	return -1
}
