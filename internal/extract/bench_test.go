package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// articlePage generates a page of about 15 KB with 26 links to pages: head,
// navigation, paragraphs, footer.
func articlePage() []byte {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Crawling &amp; mapping a site of a hundred thousand pages</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="How a crawler finds every page of a site once.">
<meta name="robots" content="index, follow">
<meta property="og:title" content="Crawling a site">
<meta property="article:modified_time" content="2026-03-04T05:06:07Z">
<link rel="canonical" href="https://example.com/articles/crawling">
<link rel="stylesheet" href="/static/style.css?v=8f3a2b">
<script src="/static/app.js" defer></script>
</head>
<body class="page article">
<nav class="main-nav"><ul>
`)
	for i := range 10 {
		fmt.Fprintf(&b, `<li class="nav-item"><a class="nav-link" href="/section/%d/">Section %d</a></li>`+"\n", i, i)
	}
	b.WriteString("</ul></nav>\n<main id=\"content\">\n<h1>Crawling a site</h1>\n")
	for i := 0; b.Len() < 14_000; i++ {
		if i%3 == 0 {
			fmt.Fprintf(&b, "<h2 id=\"part-%d\">Part %d: on finding pages</h2>\n", i, i)
		}
		fmt.Fprintf(&b, `<p>A crawler reads a page, takes the <em>links</em> out of it and asks for those it has `+
			`not seen, until nothing is left. The <code>frontier</code> holds what waits; the set of known addresses `+
			`keeps it from asking twice. Every page is asked for once, whatever the number of links that lead to it.`)
		if i < 12 {
			fmt.Fprintf(&b, ` More on this stands in <a href="/articles/%d/part-%d.html?from=list&amp;page=%d">the chapter on frontiers</a>.`, i, i*7, i)
		}
		b.WriteString("</p>\n<div class=\"note\"><span class=\"label\">Note</span> Sites differ; none is simple.</div>\n")
	}
	b.WriteString("</main>\n<footer><p>Made by people.</p>\n")
	for i := range 4 {
		fmt.Fprintf(&b, `<a href="https://example.org/about/%d" rel="nofollow noopener">About %d</a>`+"\n", i, i)
	}
	b.WriteString("</footer>\n<script>window.config = {\"token\": \"c0ffee\", \"debug\": false};</script>\n</body></html>\n")
	return []byte(b.String())
}

func BenchmarkScan(b *testing.B) {
	page := articlePage()
	var s Scanner
	links := 0
	for _, link := range s.Scan(page, "text/html; charset=utf-8", Options{}).Links {
		if link.Kind == KindAnchor {
			links++
		}
	}
	if links != 26 {
		b.Fatalf("the page has %d links", links)
	}
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		s.Scan(page, "text/html; charset=utf-8", Options{})
	}
}

// BenchmarkTokenizer reads the same page with golang.org/x/net/html, for
// comparison.
func BenchmarkTokenizer(b *testing.B) {
	page := articlePage()
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		z := html.NewTokenizer(bytes.NewReader(page))
		for z.Next() != html.ErrorToken {
			for more := true; more; {
				_, _, more = z.TagAttr()
			}
		}
	}
}
