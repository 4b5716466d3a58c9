package folder

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"sync"

	"github.com/mapatools/mapa/internal/extract"
)

// maxHead is how many bytes of an HTML file are read for what it says about its address.
const maxHead = 128 << 10

// A head is the beginning of an HTML file. Its memory is used again.
type head struct {
	name    string // of the file
	text    []byte
	scanner extract.Scanner
}

var heads = sync.Pool{New: func() any { return &head{text: make([]byte, maxHead)} }}

// readHead calls use with the beginning of an HTML file, unless that cannot be read.
func (s *Site) readHead(name string, use func(*head)) {
	file, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return
	}
	defer file.Close()
	h := heads.Get().(*head)
	defer heads.Put(h)
	n, err := io.ReadFull(file, h.text[:maxHead])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return
	}
	h.name, h.text = name, h.text[:n]
	use(h)
}

// scan reads a part of the text.
func (h *head) scan(text []byte) *extract.Page {
	return h.scanner.Scan(text, mediaTypes[".html"], extract.Options{})
}

// scanCanonical reads the text if it may have a canonical link, mostly only up to that. It
// returns nil without one.
func (h *head) scanCanonical() *extract.Page {
	const word = "anonical" // after a c of either case
	at := bytes.Index(h.text, []byte(word))
	if at < 0 {
		return nil
	}
	if end := bytes.IndexByte(h.text[at:], '>'); end >= 0 {
		if page := h.scan(h.text[:at+end+1]); len(page.Canonical) > 0 {
			return page
		}
	}
	if page := h.scan(h.text); len(page.Canonical) > 0 {
		return page
	}
	return nil
}

// canonicalPath returns the escaped path of the URL that an HTML file names as canonical, or
// "" without one on this site.
func (s *Site) canonicalPath(name string) (canonical string) {
	s.readHead(name, func(h *head) {
		if page := h.scanCanonical(); page != nil {
			canonical = s.pathTo(s.baseOf(name, page), page.Canonical)
		}
	})
	return canonical
}

// LeadsElsewhere reports whether an HTML file is there for another page, which it redirects
// to or names as canonical.
func (s *Site) LeadsElsewhere(name string) (elsewhere bool) {
	s.readHead(name, func(h *head) {
		page := h.scan(h.text)
		to := page.Canonical
		if len(page.Refresh.URL) > 0 && page.Refresh.Delay == 0 {
			to = page.Refresh.URL
		}
		if len(to) > 0 {
			path, err := url.PathUnescape(s.pathTo(s.baseOf(name, page), to))
			elsewhere = err != nil || s.Name(path) != name
		}
	})
	return elsewhere
}
