package lintexample

import (
	"fmt"
	"slices"
	"strings"
)

// pageParts are the parts of a page that a directive can leave out.
var pageParts = []string{
	"headers", "hsts", "nosniff", "csp", "frame", "lang", "viewport", "title", "description", "links", "h1", "text",
}

// pageLinks are the pages that each page links to.
var pageLinks = []string{"/", "/steak", "/wine"}

// A pageOf is the page that a directive asks for: a path and the parts to leave out.
type pageOf struct {
	path    string
	without []string
}

// parsePages reads paths, and after "without" the parts that all these pages lack.
func parsePages(text string) (pages []pageOf) {
	paths, without, _ := strings.Cut(text, " without ")
	parts := strings.Fields(without)
	for _, part := range parts {
		if !slices.Contains(pageParts, part) {
			panic("lintexample: a page has no part " + part)
		}
	}
	for path := range strings.FieldsSeq(paths) {
		pages = append(pages, pageOf{path, parts})
	}
	return pages
}

// has reports whether the page has one of the parts.
func (p pageOf) has(part string) bool { return !slices.Contains(p.without, part) }

// name is the subject of the page.
func (p pageOf) name() string {
	if p.path == "/" {
		return "Food"
	}
	name := strings.ReplaceAll(strings.Trim(p.path, "/"), "/", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// head returns the response up to the elements of the head.
func (p pageOf) head() string {
	var b strings.Builder
	if p.has("headers") {
		b.WriteString("HTTP 200\nContent-Type: text/html; charset=utf-8\n")
		for _, header := range [][2]string{
			{"hsts", "Strict-Transport-Security: max-age=31536000"}, {"nosniff", "X-Content-Type-Options: nosniff"},
			{"csp", "Content-Security-Policy: default-src 'self'"}, {"frame", "X-Frame-Options: SAMEORIGIN"},
		} {
			if p.has(header[0]) {
				b.WriteString(header[1] + "\n")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("<!DOCTYPE html>\n")
	if p.has("lang") {
		b.WriteString("<html lang=\"en\">\n")
	} else {
		b.WriteString("<html>\n")
	}
	b.WriteString("<head><meta charset=\"utf-8\">\n")
	if p.has("viewport") {
		b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	}
	if p.has("title") {
		fmt.Fprintf(&b, "<title>%s at the Example restaurant in town</title>\n", p.name())
	}
	if p.has("description") {
		fmt.Fprintf(&b, "<meta name=\"description\" content=\"%s: what the Example restaurant in town offers every day,"+
			" and for how much.\">\n", p.name())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// body returns the end of the head, and the body up to its last elements.
func (p pageOf) body() string {
	var b strings.Builder
	b.WriteString("</head>\n<body>\n")
	if p.has("links") {
		b.WriteString("<nav>")
		for _, path := range pageLinks {
			if path != p.path {
				fmt.Fprintf(&b, "<a href=\"%s\">%s of the house</a> ", path, pageOf{path: path}.name())
			}
		}
		b.WriteString("</nav>\n")
	}
	b.WriteString("<main>\n")
	if p.has("h1") {
		fmt.Fprintf(&b, "<h1>%s of the house</h1>\n", p.name())
	}
	if p.has("text") {
		name := strings.ToLower(p.name())
		for i := range 50 {
			fmt.Fprintf(&b, "<p>Guest %d of %s praised %s dish %d.</p>\n", i+1, name, name, i+1)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// file returns the page as a file of a site.
func (p pageOf) file() string { return "-- " + p.path + " --\n" + p.head() + "\n" + p.body() + "\n" }

// describePages returns what a directive about pages generates, in words.
func describePages(what, text string) string {
	paths, without, _ := strings.Cut(text, " without ")
	description := what + " " + strings.Join(strings.Fields(paths), ", ")
	if without != "" {
		description += " without " + strings.Join(strings.Fields(without), ", ")
	}
	return description
}
