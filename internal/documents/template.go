package documents

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	// placeholder is where a program puts a value: {{x}}, {%x%}, <%x%>, ${x}, <?x?>, [[x]], %NAME%, %%NAME%%, or at the
	// beginning |x| or @x@, in place of a host $x or %s, and $x^ (https://docs.getpelican.com/en/latest/content.html#linking-to-internal-content).
	placeholder = regexp.MustCompile(`\{\{|\{%|<%|\$\{|<\?|\[\[|%%?[A-Z][A-Z_-]{2,}%|%[a-z]+\.[\w.]+%|^\|\w+\||` +
		`^@\w+@|^\w+:(?://)?(?:\$\w|%(?:[sdv{]|$))|\$\w+\^`)
	// leadingPlaceholder is one at the beginning of a target in Twirl, Razor or Blade: @x.y/z, @{x}, @(x), and
	// a name of JSX in braces.
	leadingPlaceholder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(@[\\pL_({]|\\{([\\pL!$#`]|$))")
	})
	// innerPlaceholder is a name in braces or angle brackets anywhere: {x}, <NAME>. No URL has one.
	innerPlaceholder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{[\pL_$][^{}]*\}|<[A-Z][A-Z0-9_-]+>`)
	})
	// namedPlaceholder is a path that is nothing else, if there is no such file: ENGLISH_URL, __ENTRY__, $link, %s, url.
	// A name with * is that of several files.
	namedPlaceholder = regexp.MustCompile(`^([A-Z_]*(URL|LINK|PATH|HREF)|_+[A-Z_]*_+|_|\$\w+|%[sdv]|(?i:(your|my|insert)[-_][\w-]+[-_]here)|url|link|href|\.{3}|…|.*\*.*)$`)
)

// isPlaceholder reports whether a link has places for values, also escaped ones.
func (d *document) isPlaceholder(l *Link) bool {
	if strings.HasPrefix(l.URL, "!") {
		return true // what a program shows in place of the link
	}
	if !strings.ContainsAny(l.URL, "{%<$@[") {
		return false
	}
	address := unescape(l.URL)
	isFile := l.markup || d.template
	return placeholder.MatchString(address) || !utf8.ValidString(address) && placeholder.MatchString(l.URL) ||
		innerPlaceholder().MatchString(address) ||
		isFile && leadingPlaceholder().MatchString(address) && !strings.HasPrefix(address, "@site/")
}

// wholePage is in HTML that is a page, not a part of pages.
var wholePage = regexp.MustCompile(`(?i)<!doctype|<html|<head[\s>]|<body`)

// partFolder is the name of a folder with parts of pages that are written in Markdown.
var partFolder = regexp.MustCompile(`(?i)(^|/)(_?(includes?|partials?|snippets?|fragments?|reusables?|shared)|_(common|components|templates))/`)

// isPart reports whether the text of a Markdown document is shown in the pages of other ones: its relative links and
// its anchors are those of these pages.
func isPart(name string) bool {
	base := path.Base(name)
	return base[0] == '_' && !isIndexOf(stemOf(name)) || partFolder.MatchString(name)
}

// embedding is where code takes the text of a file: in Go (https://pkg.go.dev/embed) and C++. These are the ends of the
// names of such code.
var (
	embedding    = regexp.MustCompile(`(?m)^\s*(?://go:embed|#\s*include)[ \t]+["<]?([\w.-]+\.md)\b`)
	embeddedEnds = []string{".go", ".cc", ".cpp", ".cxx"}
)

// isEmbedded reports whether code next to a document puts its text elsewhere. Code hosts show a README in its folder too.
func (s *Set) isEmbedded(name string) bool {
	stem := stemOf(name)
	return !isIndexOf(stem) && !ownName.MatchString(stem) &&
		slices.Contains(s.embeddedIn(path.Dir(name)), path.Base(name))
}

// embeddedIn returns the names of the documents in a folder whose text code next to them takes.
func (s *Set) embeddedIn(folder string) []string {
	s.mutex.Lock()
	names, known := s.embedded[folder]
	s.mutex.Unlock()
	if known {
		return names
	}
	// A folder that cannot be read has no code that anybody can read.
	entries, _ := fs.ReadDir(s.root.FS(), folder)
	for _, entry := range entries {
		if !slices.Contains(embeddedEnds, path.Ext(entry.Name())) {
			continue
		}
		for _, found := range embedding.FindAllSubmatch(s.head(path.Join(folder, entry.Name())), -1) {
			names = append(names, string(found[1]))
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.embedded[folder] = names
	return names
}

// prototype is the name of a document from which programs make new ones
// (https://gohugo.io/content-management/archetypes/, https://hexo.io/docs/writing#Scaffolds).
var prototype = regexp.MustCompile(`(^|/)(archetypes|scaffolds|(scripts|tools)/(.+/)?templates)/|^templates/`)

// rootBase is an element that moves the root of a page, which a server then knows.
var rootBase = regexp.MustCompile(`(?i)<base\s[^>]*href=["']?/`)

// base is an element with the folder that relative links of a page are relative to.
var base = regexp.MustCompile(`(?i)<base\s[^>]*href=["']?(\.[./]*)["'\s>]`)

// isTemplate reports whether HTML is a template, or on a site a part of pages: nobody knows the URLs of the pages that
// it is in.
func isTemplate(source []byte, links []Link, onSite bool) bool {
	head := source[:min(len(source), maxHead)]
	isPart := !wholePage.Match(head) // of pages, as those of Thymeleaf
	if rootBase.Match(head) || isPart && (onSite || bytes.Contains(source, []byte(" th:"))) {
		return true
	}
	var d document
	for i := range links {
		if d.isPlaceholder(&links[i]) {
			return true
		}
	}
	for _, mark := range []string{"{{", "{%", "{#", "<%", "<?php"} {
		if at := bytes.Index(source, []byte(mark)); at >= 0 && !isQuoted(source, at) {
			return true
		}
	}
	return false
}

// isQuoted reports whether a place in HTML is in a script, a style sheet or code.
func isQuoted(source []byte, at int) bool {
	lower := bytes.ToLower(source[:at])
	for _, element := range []string{"script", "style", "pre", "code", "textarea"} {
		if bytes.LastIndex(lower, []byte("<"+element)) > bytes.LastIndex(lower, []byte("</"+element)) {
			return true
		}
	}
	return false
}
