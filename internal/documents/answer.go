package documents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// RoundTrip implements [http.RoundTripper].
func (s *Set) RoundTrip(r *http.Request) (*http.Response, error) {
	found, err := s.find(pathOfURL(r.URL), partNumber(r.URL.RawQuery))
	response := &http.Response{
		Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, StatusCode: http.StatusOK, Header: http.Header{},
	}
	if err != nil {
		response.StatusCode = http.StatusNotFound
	}
	response.Status = fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	response.Header.Set("Content-Type", found.mediaType)
	response.Body, response.ContentLength = io.NopCloser(strings.NewReader(found.text)), int64(len(found.text))
	if r.Method == http.MethodHead {
		response.Body = http.NoBody
	}
	return response, nil
}

// pathOfURL returns the path of a request, also of one with escapes that are none.
func pathOfURL(u *url.URL) string {
	if u.Opaque == "" {
		return u.Path
	}
	_, escaped, _ := strings.Cut(strings.TrimPrefix(u.Opaque, "//"), "/")
	escaped, _, _ = strings.Cut(escaped, "?")
	return "/" + unescape(escaped)
}

// A page is what a request is answered with.
type page struct{ text, mediaType string }

func htmlPage(text string) page { return page{text, "text/html; charset=utf-8"} }

// unread is the page of a file whose links and anchors nobody knows.
var unread = page{mediaType: "application/octet-stream"}

// find returns the page at a path. The error is fs.ErrNotExist without one.
func (s *Set) find(requested string, number int) (page, error) {
	name, inside := strings.CutPrefix(requested, s.path)
	switch {
	case requested+"/" == s.path:
		name = ""
	case !inside:
		return unread, fs.ErrNotExist
	}
	at := name
	if !s.isStdin(name) {
		at = s.locate(name)
	}
	if at == "" {
		_, isChecked := s.partOf(name, number)
		return s.unreadPage(name, isChecked, fs.ErrNotExist)
	}
	found, err := s.pageOf(at, number)
	if requested == s.path { // where a crawl starts
		found.mediaType = htmlPage("").mediaType
	}
	return found, err
}

// locate returns the name of the file or folder that a path leads to, or an empty string.
func (s *Set) locate(name string) string {
	for _, folder := range append([]string{".", s.working}, s.folders...) {
		at := path.Join(folder, name)
		for _, at := range []string{at, at + ".html"} { // as web servers answer
			info, err := s.root.Stat(filepath.FromSlash(at))
			if err == nil && (info.IsDir() || info.Mode().IsRegular()) {
				return at
			}
			if path.Ext(name) != "" {
				break
			}
		}
	}
	return ""
}

// pageOf returns a part of a file, or a folder, as a page. A folder has the anchors of the page that
// is shown for it. A file that cannot be read is one whose links and anchors nobody knows.
func (s *Set) pageOf(name string, number int) (page, error) {
	if info, err := s.root.Stat(filepath.FromSlash(name)); err == nil && info.IsDir() {
		for _, index := range []string{"index.html", "README.md", "readme.md", "index.md"} {
			if d, err := s.load(path.Join(name, index), 0); err == nil {
				return htmlPage(s.render(name, d.withoutLinks())), nil
			}
		}
		return unread, nil
	}
	_, isChecked := s.partOf(name, number)
	if !isChecked && kindOf(name) != kindHTML && kindOf(name) != kindMarkdown {
		return unread, nil
	}
	d, err := s.load(name, number)
	if err != nil {
		return s.unreadPage(name, isChecked, err)
	}
	if !isChecked {
		d = d.withoutLinks()
	}
	text := s.render(name, d)
	if isChecked && (len(text) > maxDocument || len(d.links) > extract.DefaultMaxLinks) {
		return s.unreadPage(name, isChecked, errLarge)
	}
	if isChecked {
		s.keepPlaces(partName{name, number}, d)
	}
	return htmlPage(text), nil
}

// unreadPage returns the page of a document that cannot be read.
func (s *Set) unreadPage(name string, isChecked bool, err error) (page, error) {
	if isChecked {
		s.addUnread(name, err)
	}
	if errors.Is(err, fs.ErrNotExist) { // it is gone
		return unread, fs.ErrNotExist
	}
	return unread, nil
}

// load reads a part of a document, or the whole of one that Paths did not yield.
func (s *Set) load(name string, number int) (*document, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, isChecked := s.partOf(name, number)
	if !isChecked {
		p = part{end: f.Size()}
	}
	if p.end-p.start > maxDocument {
		return nil, errLarge
	}
	text, err := io.ReadAll(io.NewSectionReader(f, p.start, p.end-p.start))
	if err != nil {
		return nil, err
	}
	d := parse(s.kindOf(name, f), text, p)
	d.generated = d.generated || strings.EqualFold(path.Ext(name), ".mdx") || d.raw == nil && s.isGenerated(name)
	return d, nil
}

// render returns the page of a document.
func (s *Set) render(name string, d *document) string {
	if d.raw != nil {
		return string(d.raw)
	}
	w := rewriter{s, name, d}
	return d.html(w.rewrite)
}
