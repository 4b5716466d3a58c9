package documents

import (
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// generatorFiles are the settings of programs that make a site of the files in the folders below.
var generatorFiles = []string{
	"book.toml", "mkdocs.yml", "mkdocs.yaml", "_config.yml", "_config.yaml", "hugo.toml", "hugo.yaml", "hugo.json",
	"docusaurus.config.js", "docusaurus.config.ts", "astro.config.mjs", "astro.config.ts", ".vitepress", ".vuepress",
	"antora.yml", "conf.py", "_quarto.yml", "gatsby-config.js", ".eleventy.js", "eleventy.config.js", "docs.json",
}

var (
	placeholder = regexp.MustCompile(`\{\{|\{%|<%`)
	// hasPlaceholder finds where generators put values, parts of other files, and elements of their own.
	hasPlaceholder = regexp.MustCompile(`\{\{|\{%|<%|(?m:^\s*(--8<--|:::)|^import )`)
	// definitionTerm finds what a line after it defines, and IDs in braces.
	definitionTerm = regexp.MustCompile(`(?m)^(\S.*)\n+:[ \t]|\{:?[^{}\n]*#([\pL\pN_:.-]+)[^{}\n]*\}`)
	// linePlace is a fragment that names lines of a file, as code hosts have them.
	linePlace = regexp.MustCompile(`^L[0-9]+(C[0-9]+)?(-L?[0-9]+(C[0-9]+)?)?$`)
)

// isGenerated reports whether a program makes a page of a file: it is in a folder below settings.
func (s *Set) isGenerated(name string) bool {
	folder := path.Dir(name)
	for folder != "." {
		folder = path.Dir(folder)
		if s.hasSettings(folder) {
			return true
		}
	}
	return false
}

// hasSettings reports whether a folder has the settings of a generator.
func (s *Set) hasSettings(folder string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	has, known := s.sites[folder]
	if !known {
		has = slices.ContainsFunc(generatorFiles, func(name string) bool {
			_, err := s.root.Stat(filepath.FromSlash(path.Join(folder, name)))
			return err == nil
		})
		s.sites[folder] = has
	}
	return has
}

// A rewriter writes the links of a document so that they can be checked.
type rewriter struct {
	set    *Set
	name   string // of the document
	source *document
}

// rewrite returns a link as a crawl can follow it. It does not keep those that nobody can check:
// placeholders, those to example sites, and in the source of a generator those to other pages of
// the site that it makes. Links in HTML there are relative to the page, not to the file.
func (w *rewriter) rewrite(l *Link) (kept string, keep bool) {
	address := l.URL
	switch {
	case isPlaceholder(address), isExample(address) && urlnorm.Origin(address) != w.set.origin:
		return "", false
	case strings.Contains(address, ":") || strings.HasPrefix(address, "//"):
		return address, true // of another site
	}
	whole, fragment, hasFragment := strings.Cut(address, "#")
	name, _, _ := strings.Cut(whole, "?")
	if w.source.generated && name != "" && (l.markup || isOfSite(name)) && w.locate(name) == "" {
		return "", false
	}
	if !hasFragment {
		return address, true
	}
	if fragment = w.plainFragment(name, fragment); fragment == "" {
		return whole, whole != ""
	}
	return whole + "#" + fragment, true
}

// isOfSite reports whether a link may lead to a page that a generator makes.
func isOfSite(name string) bool {
	return path.Ext(name) == "" || kindOf(name) == kindHTML || strings.HasPrefix(name, "/")
}

// locate returns the name of the file that a link leads to, or an empty string.
func (w *rewriter) locate(name string) string {
	name = unescape(name)
	if !strings.HasPrefix(name, "/") {
		name = path.Join(path.Dir(w.name), name)
	}
	return w.set.locate(strings.TrimPrefix(name, "/"))
}

// plainFragment returns a fragment as the anchors of the page of a file have it, or an empty string
// for one that needs no anchor. GitHub finds anchors in Markdown in lower case, and those with its
// prefix. In the source of a generator, other characters between the words are possible.
func (w *rewriter) plainFragment(name, fragment string) string {
	kind := kindOf(name)
	if name == "" {
		kind = kindOf(w.name)
		if w.set.isStdin(w.name) {
			kind = kindMarkdown
		}
	}
	if kind == kindText || linePlace.MatchString(fragment) {
		return ""
	}
	if kind != kindMarkdown {
		return fragment
	}
	plain := strings.TrimPrefix(strings.ToLower(unescape(fragment)), "user-content-")
	target := w.source
	if name != "" {
		target = w.set.target(w.locate(name))
	}
	if target.hasName(plain) {
		return ""
	}
	return (&url.URL{Fragment: plain}).EscapedFragment()
}

// maxTargets is how many documents are kept for their anchors.
const maxTargets = 1000

// target returns the anchors of a document that another one links to.
func (s *Set) target(name string) *document {
	s.mutex.Lock()
	d, known := s.targets[name]
	s.mutex.Unlock()
	if known {
		return d
	}
	d = &document{}
	if loaded, err := s.load(name, 0); err == nil && kindOf(name) == kindMarkdown {
		d = loaded
		d.links = nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.targets) >= maxTargets {
		clear(s.targets)
	}
	s.targets[name] = d
	return d
}

// hasName reports whether the page that a generator makes of a document may have an anchor.
func (d *document) hasName(fragment string) bool {
	if !d.generated {
		return false
	}
	if d.opaque {
		return true
	}
	wanted := letters(fragment)
	isIt := func(name string) bool { return letters(name) == wanted }
	return slices.ContainsFunc(d.anchors, isIt) || slices.ContainsFunc(d.terms, isIt)
}

// letters returns the letters and digits of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// isPlaceholder reports whether a link has places for values, also escaped ones.
func isPlaceholder(address string) bool {
	return strings.ContainsAny(address, "{%<") && placeholder.MatchString(unescape(address))
}

// isExample reports whether a URL is one of the names that documents use for examples
// (https://www.rfc-editor.org/rfc/rfc2606#section-3).
func isExample(address string) bool {
	host := "." + strings.ToLower(urlnorm.Host(address))
	for _, name := range []string{".example", ".example.com", ".example.net", ".example.org"} {
		if strings.HasSuffix(host, name) {
			return true
		}
	}
	return false
}
