package publish

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/sitemap"
)

// FuzzHTML writes a page with any title and path. An HTML parser must find one link with
// exactly that text and no injected elements.
func FuzzHTML(f *testing.F) {
	f.Add("Title", "/path")
	f.Add(hostile, "/"+hostile)
	f.Add("", "/a/%3Cscript%3E/?a=<b>&c='d'\"")
	f.Add("<!--", "/&lt;/&amp;amp;")
	f.Fuzz(func(t *testing.T, title, path string) {
		loc, err := sitemap.EncodeLoc("https://example.com/" + path)
		if err != nil {
			t.Skip()
		}
		h := newHTMLOutput(&series{}, home, "example.com", catalog.English)
		p := &Page{Title: plainTitle(title)}
		p.Loc = loc
		l := h.link(p)
		s := parse(t, "<!DOCTYPE html><title>x</title><main><ul>"+string(list([]link{l}))+"</ul></main>")
		if len(s.links) != 1 || s.links[0] != loc+" "+l.Title {
			t.Errorf("links %q, want %q with %q", s.links, loc, l.Title)
		}
		spans := 0
		if l.Path != "" {
			spans = 1
		}
		if s.elements["a"] != 1 || s.elements["li"] != 1 || s.elements["span"] != spans || len(s.elements) > 8+spans ||
			s.handlers != 0 {
			t.Errorf("elements %v", s.elements)
		}
		if strings.ContainsAny(l.Title+l.Path, "\x00\x1b\u202e\n") {
			t.Errorf("shown: %q, %q", l.Title, l.Path)
		}
	})
}
