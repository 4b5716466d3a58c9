package folder

import (
	"bytes"
	"hash/maphash"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A place is what a path leads to. The zero place is that of a path without a file, or with
// a rule of _redirects.
type place struct {
	name     string // of the file that is served, or ""
	redirect string // the path that hosts redirect to, or ""
	address  string // the escaped path of the page, or "" for the path itself
}

// places remembers where paths lead to: most pages link to the same ones.
type places struct {
	mutex sync.RWMutex
	known map[string]place
	files map[uint64]struct{} // hashes of paths that lead to the file with their name, as nearly all do
	seed  maphash.Seed
}

// These bound how many paths are remembered, and the length of each.
const (
	maxPlaces = 1 << 16
	maxFiles  = 1 << 20 // 20 MB
	maxPlace  = 512
)

// get returns the place of a path below root that is remembered.
func (p *places) get(requested []byte, root string) (place, bool) {
	p.mutex.RLock()
	defer p.mutex.RUnlock()
	if found, ok := p.known[string(requested)]; ok || p.files == nil {
		return found, ok
	}
	if _, ok := p.files[maphash.Bytes(p.seed, requested)]; !ok {
		return place{}, false
	}
	name, inside := strings.CutPrefix(string(requested), root)
	return place{name: name}, inside
}

// set remembers the place of a path below root.
func (p *places) set(requested, root string, found place) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if name, inside := strings.CutPrefix(requested, root); inside && name != "" && found == (place{name: name}) {
		if len(p.files) >= maxFiles || p.files == nil {
			p.files, p.seed = map[uint64]struct{}{}, maphash.MakeSeed()
		}
		p.files[maphash.String(p.seed, requested)] = struct{}{}
		return
	}
	if len(p.known) >= maxPlaces || p.known == nil {
		p.known = map[string]place{}
	}
	p.known[requested] = found
}

// Address returns the path of the page that a path leads to, or "" for the path itself. Both
// are escaped. Hosts serve a file at several paths, such as /x and /x/, or redirect from one
// to the other, each in its own way. So the page's own canonical link decides where it is one
// of these. Where it does not, index.html is left out, unless most links of the folder name it.
func (s *Site) Address(path []byte) string {
	if bytes.IndexByte(path, '%') < 0 {
		return s.place(path).address
	}
	requested, err := url.PathUnescape(string(path))
	if err != nil {
		return ""
	}
	return s.place([]byte(requested)).address
}

// place returns what a path leads to.
func (s *Site) place(requested []byte) place {
	found, ok := s.places.get(requested, s.path)
	if !ok {
		path := string(requested)
		if found = s.findPlace(path); len(path) <= maxPlace {
			s.places.set(path, s.path, found)
		}
	}
	return found
}

// findPlace is place for a path that is not remembered.
func (s *Site) findPlace(requested string) place {
	if rule, _ := s.redirect(requested, true); rule != nil {
		return place{}
	}
	name, redirect := s.find(requested)
	if name != "" {
		return place{name: name, address: s.addressAt(requested, name)}
	}
	if rule, _ := s.redirect(requested, false); rule != nil && redirect == "" {
		return place{}
	}
	for _, name := range s.namesOf(requested) {
		if own := s.ownAddress(name); own != "" {
			return place{name: name, address: own}
		}
	}
	at := place{redirect: redirect}
	if redirect != "" && path.Base(requested) == indexNames[0] {
		at.address = escaped(redirect)
	}
	return at
}

// addressAt returns the address of a page whose file is served at a path, or "" if that is it.
func (s *Site) addressAt(requested, name string) string {
	if own := s.ownAddress(name); own != "" {
		return own
	}
	if s.isIndex(name) {
		return s.pathOf(name)
	}
	return ""
}

// namesOf returns the HTML files that hosts may serve at a path.
func (s *Site) namesOf(requested string) (names []string) {
	inner, found := strings.CutPrefix(requested, s.path)
	if !found || !isClean(inner) {
		return nil
	}
	stem := stemOf(inner)
	for _, name := range []string{s.indexIn(strings.TrimPrefix(stem+"/", "/")), stem + ".html"} {
		if name != "" && mayServe(name, inner) && s.isFile(name) {
			names = append(names, name)
		}
	}
	return names
}

// mayServe reports whether hosts serve an HTML file at a path: its own, or that without
// .html or index.html, with a slash or without. None serves x/index.html at x.html.
func mayServe(name, inner string) bool {
	return inner == name || strings.TrimSuffix(inner, "/") == stemOf(name)
}

// stemOf returns what the paths x, x/, x/index.html and x.html have in common.
func stemOf(inner string) string {
	if folder, base := path.Split(inner); slices.Contains(indexNames, base) {
		inner = folder
	} else {
		inner = strings.TrimSuffix(inner, ".html")
	}
	return strings.TrimSuffix(inner, "/")
}

// ownAddress returns the escaped path that an HTML file names as its canonical URL, if hosts
// may serve it there, or "" if that is where it is served anyway.
func (s *Site) ownAddress(name string) string {
	if path.Ext(name) != ".html" && !s.isIndex(name) {
		return ""
	}
	canonical := s.canonicalPath(name)
	if canonical == "" || canonical == s.pathOf(name) {
		return ""
	}
	requested, err := url.PathUnescape(canonical)
	if err != nil {
		return ""
	}
	inner, found := strings.CutPrefix(requested, s.path)
	if !found || !isClean(inner) || !mayServe(name, inner) || !s.isFree(requested, name) {
		return ""
	}
	return canonical
}

// isFree reports whether no rule of _redirects and no other file is served at a path.
func (s *Site) isFree(requested, name string) bool {
	for _, forced := range []bool{true, false} {
		if rule, target := s.redirect(requested, forced); rule != nil {
			served, _ := s.find(target)
			return rule.status == http.StatusOK && served == name
		}
		if served, _ := s.find(requested); served != "" {
			return served == name
		}
	}
	return true
}

// baseOf returns what the links of an HTML file are relative to, or nil.
func (s *Site) baseOf(name string, page *extract.Page) *urlnorm.Base {
	base, err := urlnorm.NewBase([]byte(s.origin + s.pathOf(name)))
	if err == nil && len(page.Base) > 0 {
		var address []byte
		if address, err = base.AppendResolve(nil, page.Base); err == nil {
			base, err = urlnorm.NewBase(address)
		}
	}
	if err != nil {
		return nil
	}
	return base
}

// pathTo returns the escaped path of this site that a link leads to, or "" if it leads elsewhere or
// has a query.
func (s *Site) pathTo(base *urlnorm.Base, link []byte) string {
	if base == nil {
		return ""
	}
	address, err := base.AppendResolve(nil, link)
	if err != nil {
		return ""
	}
	origin, path := urlnorm.CutOrigin(string(urlnorm.AppendKey(nil, address, urlnorm.KeyOptions{})))
	if urlnorm.Host(origin) != urlnorm.Host(s.origin) || strings.IndexByte(path, '?') >= 0 {
		return ""
	}
	return path
}
