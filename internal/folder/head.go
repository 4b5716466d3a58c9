package folder

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
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

// KeepsOut reports whether an HTML file asks not to be listed: it redirects to another page, names one
// as canonical, or has noindex, also in a header unless that is ignored.
func (s *Site) KeepsOut(name string, ignoreHeader bool) (out bool) {
	s.readHead(name, func(h *head) {
		page := h.scan(h.text)
		out = page.Robots.For(indexer).NoIndex
		to := page.Canonical
		if len(page.Refresh.URL) > 0 && page.Refresh.Delay == 0 {
			to = page.Refresh.URL
		}
		if len(to) > 0 && !out {
			path, err := url.PathUnescape(s.pathTo(s.baseOf(name, page), to))
			out = err != nil || s.Name(path) != name
		}
	})
	if out || ignoreHeader || len(s.headers) == 0 {
		return out
	}
	path, err := url.PathUnescape(cmp.Or(s.ownAddress(name), s.pathOf(name)))
	header := http.Header{}
	for _, rule := range s.headers {
		rule.apply(path, header)
	}
	robots := extract.ParseRobotsHeader(header.Values("X-Robots-Tag"))
	return err == nil && robots.For(indexer).NoIndex
}

// indexer is the robot whose directives count.
const indexer = "googlebot"

// maxScripts is how many scripts of a page are read, and maxScript how many bytes of each.
const maxScripts, maxScript = 20, 1 << 20

var inlineScript = regexp.MustCompile(`(?is)<script\b.*?</script`)

// ScriptNames reports whether the scripts of a page name one of some others, as those of a menu do.
func (s *Site) ScriptNames(name string, others []string) (named bool) {
	isNamed := func(text []byte) bool {
		return slices.ContainsFunc(others, func(other string) bool { return bytes.Contains(text, []byte(other)) })
	}
	s.readHead(name, func(h *head) {
		page := h.scan(h.text)
		named = isNamed(bytes.Join(inlineScript.FindAll(h.text, -1), nil))
		read := 0
		for i := range page.Links {
			if page.Links[i].Kind != extract.KindScript || named || read == maxScripts {
				continue
			}
			read++
			path, err := url.PathUnescape(s.pathTo(s.baseOf(name, page), page.Links[i].URL))
			if script := s.Name(path); err == nil && script != "" {
				answer := s.serve(script, http.StatusOK)
				text, err := io.ReadAll(io.LimitReader(answer.Body, maxScript))
				answer.Body.Close()
				named = err == nil && isNamed(text)
			}
		}
	})
	return named
}
