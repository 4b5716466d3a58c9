package documents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		at = s.locate(name, ".html")
	}
	if at == "" {
		if s.isMade(name) || s.compiled(name) != "" {
			return unread, nil
		}
		_, isChecked := s.partOf(name, number)
		return s.unreadPage(name, isChecked, fs.ErrNotExist)
	}
	found, err := s.pageOf(at, number)
	if requested == s.path { // where a crawl starts
		found.mediaType = htmlPage("").mediaType
	}
	return found, err
}

// isServed reports whether there is a file at a path, or a program makes one.
func (s *Set) isServed(name string) bool {
	return s.locate(name, ".html") != "" || s.isMade(name) || s.compiled(name) != ""
}

// pageOf returns a part of a file, or a folder, as a page. A folder has the anchors of the page that
// is shown for it. A file that cannot be read is one whose links and anchors nobody knows.
func (s *Set) pageOf(name string, number int) (page, error) {
	if info, err := s.root.Stat(filepath.FromSlash(name)); err == nil && info.IsDir() {
		for _, index := range []string{"index.html", "README.md", "readme.md", "index.md"} {
			if d, err := s.load(path.Join(name, index), 0); err == nil {
				text, err := s.render(partName{name: name}, d.withoutLinks(), false)
				return htmlPage(text), err
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
	text, err := s.render(partName{name, number}, d, isChecked)
	if err != nil {
		return s.unreadPage(name, isChecked, err)
	}
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
	by, site := s.programs(name)
	if s.isMDX(name, by, site) {
		by |= mdx
	}
	kind := s.kindOf(name, f)
	d, err := parse(kind, text, p, by, s.done)
	if err != nil {
		return nil, err
	}
	if kind == kindHTML {
		by &^= docsify // which shows it as it is
	}
	d.generated = d.generated || by&^ofCode != 0
	if kind == kindHTML {
		d.generated = d.generated || s.isOfOtherRoot(name, d)
		d.choose(text, templateName.MatchString(name))
	}
	s.addImports(name, d)
	if d.generated && kind == kindMarkdown {
		d.part = isPart(name) || s.indexOf().importedParts[name]
		d.open = d.open || d.part || s.indexOf().hasAnchorPlugin
	}
	if kind == kindMarkdown {
		d.template = prototype.MatchString(name) && !isIndexOf(plainPart(stemOf(name)))
	}
	return d, nil
}

// isOfOtherRoot reports whether a path of a page that begins with a slash leads to a file from another root than the
// folder of the project: the page is of a site with that root.
func (s *Set) isOfOtherRoot(name string, d *document) bool {
	if s.path != "/" {
		return false
	}
	w := s.rewriterOf(partName{name: name}, d)
	return slices.ContainsFunc(d.links, func(l Link) bool {
		if !strings.HasPrefix(l.URL, "/") || strings.HasPrefix(l.URL, "//") {
			return false
		}
		at, _, _ := strings.Cut(l.URL, "#")
		at, _, _ = strings.Cut(at, "?")
		found := w.resolve(at)
		return found.bySite && found.file != "" && s.locate(strings.TrimLeft(unescape(at), "/"), ".html") == ""
	})
}

// addImports adds the anchors of the Markdown that the page of a document has too. The page is open if a component
// may have headings.
func (s *Set) addImports(name string, d *document) {
	w := s.rewriterOf(partName{name: name}, d)
	for _, component := range d.components {
		if file := s.indexOf().globalParts[component]; file != "" {
			d.imports = append(d.imports, file)
		}
	}
	slices.Sort(d.imports)
	d.imports = slices.Compact(d.imports)
	slices.Sort(d.componentFiles)
	d.componentFiles = slices.Compact(d.componentFiles)
	for _, imported := range d.imports {
		at := s.imported(path.Dir(name), w.site, imported)
		isShortcode := strings.HasPrefix(strings.TrimPrefix(imported, "templates/"), shortcodes)
		if isShortcode || strings.HasPrefix(imported, jekyllIncludes) {
			at = s.indexOf().ending(imported)
		}
		if at == "" && strings.HasPrefix(imported, shortcodes) {
			continue // of a theme of Hugo that is not among the files
		}
		if at == "" && kindOf(imported) == kindMarkdown {
			at = w.resolve(imported).file
		}
		switch {
		case at == "":
			d.open = d.open || !s.isPackage(w.site, imported) // nobody knows its headings
		case kindOf(at) != kindMarkdown:
			d.open = d.open || s.hasHeadings(at)
		default:
			s.addPart(d, at)
		}
	}
	for _, shown := range d.componentFiles {
		if at := s.indexOf().ending("/" + shown + ".mdx"); at != "" {
			s.addPart(d, at)
		}
	}
}

// addPart adds the anchors of Markdown that the page of a document has too. The page is open if nobody knows all.
func (s *Set) addPart(d *document, at string) {
	text := s.head(at)
	part, err := readMarkdown(text, 0, s.done)
	if err != nil || part.open || len(part.imports)+len(part.componentFiles) > 0 || len(text) == maxHead {
		d.open = true
		return
	}
	d.anchors, d.terms = append(d.anchors, part.anchors...), append(d.terms, part.terms...)
	component := letters(stemOf(at))
	d.components = slices.DeleteFunc(d.components, func(shown string) bool { return letters(shown) == component })
}

// scoped begins what is imported from a package in a scope (https://docs.npmjs.com/cli/using-npm/scope).
var scoped = regexp.MustCompile(`^@[a-z][\w-]*/[a-z][\w.-]*`)

// isPackage reports whether an import is of a package that the project of a site has, whose components have no headings
// of documents.
func (s *Set) isPackage(site, imported string) bool {
	name := scoped.FindString(imported)
	for folder := site; name != ""; folder = path.Dir(folder) {
		if bytes.Contains(s.beginning(path.Join(folder, "package.json"), maxSettings), []byte(`"`+name+`"`)) {
			return true
		}
		if folder == "." {
			break
		}
	}
	return false
}

// hasHeadings reports whether the source of a component may have headings. Many documents use one.
func (s *Set) hasHeadings(component string) bool {
	s.mutex.Lock()
	has, known := s.headings[component]
	s.mutex.Unlock()
	if known {
		return has
	}
	text := s.head(component)
	has = len(text) == maxHead || openComponent.Match(text) || hasOtherComponent(text)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.headings[component] = has
	return has
}

// hasOtherComponent reports whether the source of a component has one that may have headings, apart from the types of
// its values.
func hasOtherComponent(text []byte) bool {
	plain := map[string]bool{}
	for _, found := range ownComponent.FindAllSubmatch(text, -1) {
		plain[string(found[1])] = true
	}
	for found := range importsIn(text) {
		for _, name := range componentName.FindAll(found[1], -1) {
			plain[string(name)] = inert.Match(found[2])
		}
	}
	return slices.ContainsFunc(usedComponent.FindAllSubmatchIndex(text, -1), func(at []int) bool {
		r, _ := utf8.DecodeLastRune(text[:at[0]])
		return r != ']' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !plain[string(text[at[2]:at[3]])] &&
			!plainComponent.Match(text[at[2]:at[3]])
	})
}

// componentEnds are what imports leave out.
var componentEnds = []string{"", ".astro", ".vue", ".svelte", ".tsx", ".jsx", ".ts", ".js", "/index.tsx", "/index.jsx",
	"/index.js", "/index.ts",
}

// imported returns the file that a document in a folder imports, or an empty string.
func (s *Set) imported(folder, site, name string) string {
	bases := []string{folder}
	if alias.MatchString(name) {
		name = alias.ReplaceAllString(name, "$2")
		bases = []string{site, path.Join(site, "src")}
	} else if strings.HasPrefix(name, "/") || kindOf(name) == kindMarkdown {
		bases = append(bases, site, ".") // https://facelessuser.github.io/pymdown-extensions/extensions/snippets/
	} else if !strings.HasPrefix(name, ".") {
		return "" // a package
	}
	for _, base := range bases {
		for _, end := range componentEnds {
			at := path.Join(base, name+end)
			if s.isRegular(at) {
				return at
			}
		}
	}
	return ""
}

// render returns the page of a document, and keeps what is known of its links. The error is errStopped if the time of
// the run ended.
func (s *Set) render(of partName, d *document, isChecked bool) (string, error) {
	w := s.rewriterOf(of, d)
	text := string(d.raw)
	switch {
	case d.raw == nil:
		text = d.html(w.rewrite)
	case isChecked:
		for i := range d.links {
			w.judge(&d.links[i])
		}
	}
	if w.isStopped {
		return "", errStopped
	}
	if isChecked {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.counts[of] = w.count
	}
	return text, nil
}

// rewriterOf returns what rewrites the links of a document.
func (s *Set) rewriterOf(of partName, d *document) *rewriter {
	w := &rewriter{set: s, name: of.name, source: d, count: newCounts(), reasons: map[string]Reason{}}
	w.programs, w.site = s.programs(of.name)
	w.language = languageEnd.FindString(strings.ToLower(strings.TrimSuffix(of.name, path.Ext(of.name))))
	return w
}
