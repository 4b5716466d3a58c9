package testsite

import (
	"fmt"
	"net/http"
	"net/url"
)

// canonicalKinds have canonical links.
var canonicalKinds = []truthKind{
	{"canonical-self", func(b *truthBuilder) {
		target := b.path("")
		b.page(target, Expected{}).head = `<link rel="canonical" href="$ORIGIN` + target + `">`
	}},
	{"canonical-self-relative", func(b *truthBuilder) {
		target := b.path("")
		b.page(target, Expected{}).head = `<LINK HREF="` + target + `#top" REL="Canonical">`
	}},
	{"canonical-self-header", func(b *truthBuilder) {
		target := b.path("")
		b.page(target, Expected{}).header = []string{`Link: <` + target + `>; rel="canonical"`}
	}},
	{"canonical-other", func(b *truthBuilder) {
		end := b.path("-end")
		b.page(end, Expected{})
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).head = `<link rel="canonical" href="$ORIGIN` + end +
			`">`
	}},
	{"canonical-unlinked", func(b *truthBuilder) {
		end := b.path("-end")
		b.hidden(end, Expected{})
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).head = `<link rel='canonical' href='` + end + `' />`
	}},
	{"canonical-relative", func(b *truthBuilder) {
		target, end := fmt.Sprintf("/canonicals/%d/page", b.number), fmt.Sprintf("/canonicals/end-%d", b.number)
		b.page(end, Expected{})
		b.page(target, Expected{Reason: "canonical",
			Target: end}).head = fmt.Sprintf(`<link rel="canonical" href="../end-%d">`, b.number)
	}},
	{"canonical-header", func(b *truthBuilder) {
		end := b.path("-end")
		b.page(end, Expected{})
		b.page(b.path(""), Expected{Reason: "canonical", Target: end, Detail: []string{"header"}}).header = []string{
			`Link: </style.css>; rel=preload; as=style, <$ORIGIN` + end + `>; title="a, b"; rel="canonical"`,
		}
	}},
	{"canonical-header-relative", func(b *truthBuilder) {
		end := b.path("-end")
		b.page(end, Expected{})
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).header = []string{
			`Link: </style.css>; rel=preload`, `Link: <` + end + `>;rel=Canonical`,
		}
	}},
	{"canonical-document", func(b *truthBuilder) {
		end := b.path("-end")
		b.page(end, Expected{})
		p := b.page(b.path(".pdf"), Expected{Reason: "canonical", Target: end, Detail: []string{"header"}})
		p.mediaType, p.raw, p.still = "application/pdf", "%PDF-1.4\n% "+p.title, true
		p.header = []string{`Link: <$ORIGIN` + end + `>; rel="canonical"`}
	}},
	{"canonical-conflict", func(b *truthBuilder) {
		one, two := b.path("-one"), b.path("-two")
		b.page(one, Expected{})
		b.page(two, Expected{})
		p := b.page(b.path(""), Expected{Reason: "canonical", Target: one, Rival: two})
		p.header, p.head = []string{`Link: <$ORIGIN` + one + `>; rel="canonical"`},
			`<link rel="canonical" href="$ORIGIN`+two+`">`
	}},
	{"canonical-in-body", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).extra = `<link rel="canonical" href="$ORIGIN/about">`
	}},
	{"canonical-in-comment", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = `<!-- <link rel="canonical" href="$ORIGIN/about"> -->`
	}},
	{"canonical-redirect", func(b *truthBuilder) {
		middle, end := b.path("-middle"), b.path("-end")
		b.page(end, Expected{})
		b.redirect(middle, end, 301)
		b.page(b.path(""), Expected{Reason: "canonical", Target: middle}).head = `<link rel="canonical" href="` + middle +
			`">`
	}},
	{"canonical-missing", func(b *truthBuilder) {
		end := b.path("-end")
		b.hidden(end, Expected{Reason: "client-error"}).status = http.StatusNotFound
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).head = `<link rel="canonical" href="` + end + `">`
	}},
	{"canonical-noindex", func(b *truthBuilder) {
		end := b.path("-end")
		b.hidden(end, Expected{Reason: "noindex"}).header = []string{"X-Robots-Tag: noindex"}
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).head = `<link rel="canonical" href="` + end + `">`
	}},
	{"canonical-elsewhere", func(b *truthBuilder) {
		end := fmt.Sprintf("http://elsewhere.example/original-%d", b.number)
		b.expect(end, Expected{Reason: "out-of-scope"})
		b.page(b.path(""), Expected{Reason: "canonical", Target: end}).head = `<link rel="canonical" href="` + end + `">`
	}},
	{"canonical-alternate", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = `<link rel="alternate" type="application/rss+xml" href="/about"><link rel="next" href="/about">`
	}},
}

// addressKinds are pages with several URLs.
var addressKinds = []truthKind{
	{"tracked", func(b *truthBuilder) {
		target := b.path("")
		b.hidden(target, Expected{})
		n := b.number
		b.link(fmt.Sprintf("%s?utm_source=letter&utm_medium=mail&utm_campaign=%d", target, n),
			target+"?gclid=Cj0KCQ"+fmt.Sprint(n), target+"?fbclid=IwAR"+fmt.Sprint(n))
	}},
	{"tracked-parameter", func(b *truthBuilder) {
		target := b.path("?color=red")
		b.hidden(target, Expected{})
		b.link(target+"&utm_source=letter", target)
	}},
	{"session", func(b *truthBuilder) {
		target := b.path("")
		b.hidden(target, Expected{})
		b.link(target, target+"?PHPSESSID=0123456789abcdef0123456789abcdef",
			target+";jsessionid=0123456789ABCDEF0123456789ABCDEF", target+"?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9")
	}},
	{"session-only", func(b *truthBuilder) {
		target := b.path("")
		b.hidden(target, Expected{})
		b.link(fmt.Sprintf("%s?PHPSESSID=%032x", target, b.number))
	}},
	{"fragment", func(b *truthBuilder) {
		target := b.path("")
		b.hidden(target, Expected{})
		b.link(target+"#part", target+"#other")
	}},
	{"order", func(b *truthBuilder) {
		target := b.path("?a=1&b=2")
		b.hidden(target, Expected{})
		other := *b.site.pages[target]
		b.site.pages[plainPath(target)+"?b=2&a=1"] = &other
		b.link(target, plainPath(target)+"?b=2&a=1")
	}},
	{"parameter-of-its-own", func(b *truthBuilder) {
		target := b.path("")
		b.page(target, Expected{})
		b.page(target+"?size=large", Expected{})
		b.page(target+"?size=small", Expected{})
	}},
	{"parameter-variant", func(b *truthBuilder) {
		target := b.path("")
		p := b.hidden(target, Expected{})
		p.still = true
		b.link(target)
		for _, query := range []string{"?ref=home", "?from=list&view=1"} {
			copied := *p
			b.site.pages[target+query] = &copied
			b.expect(target+query, Expected{Reason: "parameter-variant", Target: target})
			b.link(target + query)
		}
	}},
	{"parameter-canonical", func(b *truthBuilder) {
		target := b.path("")
		p := b.page(target, Expected{})
		p.head = `<link rel="canonical" href="$ORIGIN` + target + `">`
		copied := *p
		b.site.pages[target+"?ref=home"] = &copied
		b.expect(target+"?ref=home", Expected{Reason: "canonical", Target: target})
		b.link(target + "?ref=home")
	}},
	{"duplicate-index", func(b *truthBuilder) {
		target := b.path("/")
		p := b.page(target, Expected{})
		p.still = true
		copied := *p
		b.site.pages[target+"index.html"] = &copied
		b.expect(target+"index.html", Expected{Reason: "duplicate", Target: target})
		b.link(target + "index.html")
	}},
	{"duplicate-deeper", func(b *truthBuilder) {
		target, copyTarget := b.path(""), "/archive/old"+b.path("-again")
		p := b.page(target, Expected{})
		p.still = true
		copied := *p
		b.site.pages[copyTarget] = &copied
		b.expect(copyTarget, Expected{Reason: "duplicate", Target: target})
		b.page(b.path("-way"), Expected{}).nav = `<a href="` + copyTarget + `">The same again</a>`
	}},
	{"unicode", func(b *truthBuilder) {
		raw := fmt.Sprintf("/straße/größe-%d", b.number)
		b.hidden((&url.URL{Path: raw}).EscapedPath(), Expected{})
		b.link(raw)
	}},
	{"space", func(b *truthBuilder) {
		raw := fmt.Sprintf("/a place/with space-%d", b.number)
		b.hidden((&url.URL{Path: raw}).EscapedPath(), Expected{})
		b.link(raw)
	}},
	{"entity", func(b *truthBuilder) { b.page(b.path("?a=b&c=d"), Expected{}) }},
	{"dots", func(b *truthBuilder) {
		target := b.path("")
		b.hidden(target, Expected{})
		b.link("/x/../." + target)
	}},
}

func plainPath(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		panic(err)
	}
	return u.EscapedPath()
}
