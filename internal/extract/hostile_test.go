package extract

import (
	"strings"
	"testing"
)

// hostile makes pages of about n bytes that are hard on a parser.
var hostile = map[string]func(n int) string{
	"links":             func(n int) string { return strings.Repeat("<a href=x>y</a>", n/15) },
	"nested elements":   func(n int) string { return strings.Repeat("<div>", n/5) },
	"nested navigation": func(n int) string { return strings.Repeat("<nav><main>", n/11) },
	"open anchors":      func(n int) string { return strings.Repeat("<a href=x>", n/10) },
	"one address":       func(n int) string { return "<a href='" + strings.Repeat("x", n) + "'>" },
	"references":        func(n int) string { return "<a href='" + strings.Repeat("&amp;", n/5) + "'>" },
	"false references": func(n int) string {
		return "<a href='" + strings.Repeat("&ab", n/3) + "'>" + strings.Repeat("&ab;", n/4)
	},
	"digits of a reference": func(n int) string { return "<a href='&#" + strings.Repeat("0", n) + "'>" },
	"open quotes":           func(n int) string { return strings.Repeat("<a href='x\">", n/12) },
	"unclosed tag":          func(n int) string { return strings.Repeat("<a ", n/3) },
	"less-than signs":       func(n int) string { return strings.Repeat("<", n) },
	"end tags":              func(n int) string { return strings.Repeat("</", n/2) },
	"attributes":            func(n int) string { return "<a" + strings.Repeat(" href=x", n/7) + ">" },
	"unknown attributes":    func(n int) string { return "<a" + strings.Repeat(" x=x", n/4) + ">" },
	"slashes":               func(n int) string { return "<a" + strings.Repeat("/", n) + ">" },
	"comments":              func(n int) string { return strings.Repeat("<!-- -- >", n/9) },
	"declarations":          func(n int) string { return strings.Repeat("<!", n/2) },
	"cdata":                 func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n/9) },
	"scripts":               func(n int) string { return "<script>" + strings.Repeat("<!--<script></script", n/20) },
	"escaped scripts":       func(n int) string { return "<script>" + strings.Repeat("<!---->", n/7) },
	"titles":                func(n int) string { return strings.Repeat("<title></titl", n/13) },
	"srcset":                func(n int) string { return "<img srcset='" + strings.Repeat("a ((,", n/5) + "'>" },
	"srcset of commas":      func(n int) string { return "<img srcset='" + strings.Repeat(",", n) + "'>" },
	"rel":                   func(n int) string { return "<link href=x rel='" + strings.Repeat("a ", n/2) + "'>" },
	"classes":               func(n int) string { return "<div class='" + strings.Repeat("a ", n/2) + "'>" },
	"robots": func(n int) string {
		return "<meta name=robots content='" + strings.Repeat("unavailable_after:,", n/19) + "'>"
	},
	"words":               func(n int) string { return strings.Repeat("May 1 ", n/6) },
	"one word":            func(n int) string { return strings.Repeat("x1", n/2) },
	"one number":          func(n int) string { return strings.Repeat("1.", n/2) },
	"h1":                  func(n int) string { return strings.Repeat("<h1>x", n/5) },
	"time":                func(n int) string { return strings.Repeat("<time>x", n/7) },
	"templates":           func(n int) string { return strings.Repeat("<template>", n/10) },
	"ended templates":     func(n int) string { return strings.Repeat("<template></template>", n/21) },
	"tags in a template":  func(n int) string { return "<template>" + strings.Repeat("<svg></a><!--", n/13) },
	"less in a template":  func(n int) string { return "<template>" + strings.Repeat("<", n) },
	"false template ends": func(n int) string { return "<template>" + strings.Repeat("</template ", n/11) },
	"labels":              func(n int) string { return "<a href=x aria-label='" + strings.Repeat("&nbsp;", n/6) + "'>" },
	"names of links":      func(n int) string { return strings.Repeat("<a href=x title=yyyyy aria-label=z>", n/35) },
	"pictures in links":   func(n int) string { return strings.Repeat("<a href=x><svg><title>t</title>", n/31) },
	"noscript":            func(n int) string { return "<noscript>" + strings.Repeat("javascrip", n/9) },
	"cjk":                 func(n int) string { return strings.Repeat("漢", n/3) },
	"json arrays":         func(n int) string { return "<script type=application/ld+json>" + strings.Repeat("[", n) },
	"json graphs": func(n int) string {
		return "<script type=application/ld+json>" + strings.Repeat(`{"@graph":`,
			n/10)
	},
	"control characters": func(n int) string { return strings.Repeat("\x00\r", n/2) },
}

// TestLinear shows that twice the page takes no more than twice the steps.
func TestLinear(t *testing.T) {
	const n = 1 << 17
	for name, page := range hostile {
		t.Run(name, func(t *testing.T) {
			steps := func(n int) int {
				var s Scanner
				s.Scan([]byte(page(n)), "text/html; charset=utf-8", Options{})
				return s.steps
			}
			one, two := steps(n), steps(2*n)
			if two > 2*one+1000 {
				t.Errorf("%d steps for %d bytes, %d for twice as many", one, n, two)
			}
			if one > 5*n {
				t.Errorf("%d steps for %d bytes", one, n)
			}
		})
	}
}

// TestLimits shows that what is kept of a page is bounded and counted.
func TestLimits(t *testing.T) {
	var s Scanner
	page := s.Scan([]byte(strings.Repeat("<a href=x>some text</a>", 1000)), "", Options{MaxLinks: 10, MaxText: 6})
	if len(page.Links) != 10 || page.LinksDropped != 990 {
		t.Errorf("%d links, %d dropped", len(page.Links), page.LinksDropped)
	}
	if got := string(page.Links[9].Text); got != "some t" {
		t.Errorf("text %q", got)
	}
	page = s.Scan([]byte("<title>"+strings.Repeat("é", maxTitle)+"</title><a href=x>aä ä</a>"), "", Options{MaxText: 2})
	if len(page.Title) != maxTitle {
		t.Errorf("title of %d bytes", len(page.Title))
	}
	if got := string(page.Links[0].Text); got != "a" {
		t.Errorf("text %q: cut inside a character or after a gap", got)
	}
	page = s.Scan([]byte(strings.Repeat("<p id=x>", maxAnchors+10)), "", Options{})
	if len(page.Anchors) != maxAnchors {
		t.Errorf("%d anchors", len(page.Anchors))
	}
	s.Scan(nil, "", Options{})
	if cap(s.page.Anchors) > maxKeptItems {
		t.Error("a huge buffer is kept for the next page")
	}
}

// TestAllocations shows that a page of usual size is read without allocating but
// for its robots directives.
func TestAllocations(t *testing.T) {
	page := articlePage()
	var s Scanner
	s.Scan(page, "text/html; charset=utf-8", Options{})
	if got := testing.AllocsPerRun(100, func() { s.Scan(page, "text/html; charset=utf-8", Options{}) }); got > 1 {
		t.Errorf("%v allocations", got)
	}
}
