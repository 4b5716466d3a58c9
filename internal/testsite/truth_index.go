package testsite

import (
	"fmt"
	"net/http"
	"strconv"
)

// indexKinds are pages with and without noindex.
var indexKinds = func() []truthKind {
	kinds := []truthKind{
		{"plain", func(b *truthBuilder) { b.page(b.path(""), Expected{}) }},
		{"plain-file", func(b *truthBuilder) { b.page(b.path(".html"), Expected{}) }},
		{"noindex-leads-on", func(b *truthBuilder) {
			target := b.path("-end")
			b.hidden(target, Expected{})
			p := b.page(b.path(""), Expected{Reason: "noindex", Detail: []string{"meta"}})
			p.head, p.nav = `<meta name="robots" content="noindex, follow">`, `<a href="`+target+`">On</a>`
		}},
		{"nofollow-link", func(b *truthBuilder) {
			target := b.path("")
			b.expect(target, Expected{Reason: "nofollow"})
			b.linkNofollow(target, []string{"nofollow", "NoFollow noopener", "external nofollow"}[b.number%3])
		}},
		{"nofollow-and-followed", func(b *truthBuilder) {
			target := b.path("")
			b.page(target, Expected{})
			b.linkNofollow(target, "nofollow")
		}},
		{"nofollow-page", func(b *truthBuilder) {
			target := b.path("-end")
			b.expect(target, Expected{Reason: "nofollow"})
			p := b.page(b.path(""), Expected{})
			p.head, p.nav = `<meta name="robots" content="nofollow">`, `<a href="`+target+`">On</a>`
		}},
		{"nofollow-header", func(b *truthBuilder) {
			target := b.path("-end")
			b.expect(target, Expected{Reason: "nofollow"})
			p := b.page(b.path(""), Expected{})
			p.header, p.nav = []string{"X-Robots-Tag: nofollow"}, `<a href="`+target+`">On</a>`
		}},
		{"robots-folder", func(b *truthBuilder) {
			target := "/private" + b.path("")
			b.page(target, Expected{Reason: "robots", Detail: []string{"Disallow: /private/", "5"}})
		}},
		{"robots-allowed", func(b *truthBuilder) { b.page("/private/press"+b.path(""), Expected{}) }},
		{"robots-ending", func(b *truthBuilder) {
			b.page(b.path(".cgi"), Expected{Reason: "robots", Detail: []string{"Disallow: /*.cgi$", "7"}})
		}},
		{"robots-not-ending", func(b *truthBuilder) { b.page(b.path(".cgi-bin"), Expected{}) }},
		{"robots-parameter", func(b *truthBuilder) {
			b.page(b.path("?print=1"), Expected{Reason: "robots", Detail: []string{"Disallow: /*?print=", "8"}})
		}},
		{"excluded", func(b *truthBuilder) {
			target := "/excluded" + b.path("")
			b.page(target, Expected{Reason: "excluded", Detail: []string{"^/excluded/"}})
		}},
		{"no-list", func(b *truthBuilder) {
			target := b.path("-end")
			b.hidden(target, Expected{})
			p := b.page("/unlisted"+b.path(""), Expected{Reason: "no-list", Detail: []string{"^/unlisted/"}})
			p.nav = `<a href="` + target + `">On</a>`
		}},
		{"add", func(b *truthBuilder) {
			target := "/added" + b.path("")
			b.page(target, Expected{Reason: "added", Detail: []string{"^/added/"}})
		}},
		{"elsewhere", func(b *truthBuilder) {
			target := fmt.Sprintf("http://elsewhere.example/page-%d", b.number)
			b.expect(target, Expected{Reason: "out-of-scope"})
			b.link(target)
		}},
		{"soft-404", func(b *truthBuilder) {
			target := "/lost" + b.path("")
			b.expect(target, Expected{Reason: "soft-404"})
			b.link(target)
		}},
		{"document", func(b *truthBuilder) {
			at := b.ago(50)
			p := b.page(b.path(".pdf"), Expected{LastMod: b.header(at)})
			p.mediaType, p.raw, p.still, p.stamped = "application/pdf", "%PDF-1.4\n% "+p.title+p.paragraphs[0], true, false
			if !b.site.options.Stamped {
				p.modified = at
			}
		}},
		{"document-noindex", func(b *truthBuilder) {
			p := b.page(b.path(".pdf"), Expected{Reason: "noindex", Detail: []string{"header"}})
			p.mediaType, p.raw, p.still = "application/pdf", "%PDF-1.4\n% "+p.title, true
			p.header = []string{"X-Robots-Tag: noindex"}
		}},
	}
	for i, file := range [][2]string{{".png", "image/png"}, {".zip", "application/zip"}, {".css", "text/css"},
		{".js", "text/javascript"},
		{".json", "application/json"}, {".rss", "application/rss+xml"}, {".mp4", "video/mp4"}} {
		kinds = append(kinds, truthKind{"file-" + strconv.Itoa(i), func(b *truthBuilder) {
			p := b.page(b.path(file[0]), Expected{Reason: "not-a-page"})
			p.mediaType, p.raw, p.still = file[1], p.title, true
		}})
	}
	for i, status := range []int{404, 410, 400, 451, 500, 501} {
		reason := "client-error"
		if status >= 500 {
			reason = "server-error"
		}
		kinds = append(kinds, truthKind{"status-" + strconv.Itoa(i), func(b *truthBuilder) {
			b.page(b.path(""), Expected{Reason: reason}).status = status
		}})
	}
	for _, status := range []int{401, 403} {
		kinds = append(kinds, truthKind{"refused-" + strconv.Itoa(status), func(b *truthBuilder) {
			b.page(b.path(""), Expected{Reason: "inconclusive"}).status = status
		}})
	}
	for i, head := range noindexHeads {
		kinds = append(kinds, truthKind{"noindex-meta-" + strconv.Itoa(i), func(b *truthBuilder) {
			b.page(b.path(""), Expected{Reason: "noindex", Detail: []string{"meta"}}).head = head
		}})
	}
	for i, head := range indexHeads {
		kinds = append(kinds, truthKind{"index-meta-" + strconv.Itoa(i), func(b *truthBuilder) {
			b.page(b.path(""), Expected{}).head = head
		}})
	}
	for i, tags := range noindexTags {
		kinds = append(kinds, truthKind{"noindex-header-" + strconv.Itoa(i), func(b *truthBuilder) {
			b.page(b.path(""), Expected{Reason: "noindex", Detail: []string{"header"}}).header = robotsTags(tags)
		}})
	}
	for i, tags := range indexTags {
		kinds = append(kinds, truthKind{"index-header-" + strconv.Itoa(i), func(b *truthBuilder) {
			b.page(b.path(""), Expected{}).header = robotsTags(tags)
		}})
	}
	return kinds
}()

func robotsTags(values []string) (lines []string) {
	for _, value := range values {
		lines = append(lines, "X-Robots-Tag: "+value)
	}
	return lines
}

// noindexHeads are markup with noindex
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
var noindexHeads = []string{
	`<meta name="robots" content="noindex">`,
	`<META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW">`,
	`<meta content='none' name='robots'>`,
	`<meta name=robots content=noindex>`,
	`<meta name="googlebot" content="noindex">`,
	`<meta name="GoogleBot" content="Index, NoIndex">`,
	`<meta name="robots" content="max-snippet:20,noindex ,noarchive" />`,
	`<meta name="robots" content="index, follow"><meta name="robots" content="noindex">`,
	`<meta name="robots" content="index"><meta name="googlebot" content="none">`,
	`<meta name="robots" content="unavailable_after: 25 Jun 2010 15:00:00 GMT">`,
	`<meta name="robots" content="unavailable_after: 2010-06-25">`,
	`<link rel="canonical" href="/about"><meta name="robots" content="noindex">`,
}

// indexHeads are similar markup without noindex.
var indexHeads = []string{
	`<meta name="robots" content="index, follow">`,
	`<meta name="robots" content="all">`,
	`<meta name="robots" content="noarchive, nosnippet, noimageindex, notranslate">`,
	`<meta name="otherbot" content="noindex">`,
	`<meta name="description" content="noindex">`,
	`<!-- <meta name="robots" content="noindex"> -->`,
	`<script>var tag = '<meta name="robots" content="noindex">';</script>`,
	`<meta name="robots" content="max-snippet:-1, max-image-preview:large, max-video-preview:0">`,
	`<meta name="robots" content="unavailable_after: 25 Jun 2090 15:00:00 GMT">`,
}

// noindexTags are X-Robots-Tag headers with noindex.
var noindexTags = [][]string{
	{"noindex"},
	{"NOINDEX, nofollow"},
	{"none"},
	{"noarchive,noindex"},
	{"googlebot: noindex"},
	{"GoogleBot: none"},
	{"nofollow", "noindex"},
	{"otherbot: noarchive", "noindex"},
	{"otherbot: noarchive", "googlebot: nofollow, noindex"},
	{"unavailable_after: 25 Jun 2010 15:00:00 GMT"},
	{"unavailable_after: Friday, 25-Jun-10 15:00:00 GMT"},
	{"noarchive, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nosnippet"},
	{"unavailable_after: 2010-06-25T15:00:00Z"},
}

// indexTags are X-Robots-Tag headers without it.
var indexTags = [][]string{
	{"all"},
	{"index, follow"},
	{"nosnippet, max-snippet: 5"},
	{"otherbot: noindex"},
	{"otherbot: noindex, nofollow"},
	{"otherbot: none", "archivebot: noindex"},
	{"noarchive, otherbot: noindex"},
	{"unavailable_after: 25 Jun 2090 15:00:00 GMT"},
	{"unavailable_after: Sunday, 25-Jun-28 15:00:00 GMT", "noimageindex"},
}

// redirectKinds redirect.
var redirectKinds = func() []truthKind {
	kinds := []truthKind{
		{"redirect-chain", func(b *truthBuilder) {
			first, second, third, end := b.path("-a"), b.path("-b"), b.path("-c"), b.path("-d")
			b.hidden(end, Expected{})
			b.redirect(first, second, 301)
			b.redirect(second, third, 302)
			b.redirect(third, end, 308)
			b.link(first)
		}},
		{"redirect-loop-one", func(b *truthBuilder) {
			target := b.path("")
			b.redirect(target, target, 302)
			b.expect(target, Expected{Reason: "redirect-loop"})
			b.link(target)
		}},
		{"redirect-loop-three", func(b *truthBuilder) {
			all := []string{b.path("-a"), b.path("-b"), b.path("-c")}
			for i, target := range all {
				b.redirect(target, all[(i+1)%3], 301)
				b.expect(target, Expected{Reason: "redirect-loop"})
			}
			b.link(all[0])
		}},
		{"redirect-elsewhere", func(b *truthBuilder) {
			target, end := b.path(""), fmt.Sprintf("http://elsewhere.example/moved-%d", b.number)
			b.expect(end, Expected{Reason: "out-of-scope"})
			b.redirect(target, end, 301)
			b.link(target)
		}},
		{"redirect-missing", func(b *truthBuilder) {
			target, end := b.path(""), b.path("-end")
			b.hidden(end, Expected{Reason: "client-error"}).status = http.StatusNotFound
			b.redirect(target, end, 302)
			b.link(target)
		}},
		{"redirect-robots", func(b *truthBuilder) {
			target, end := b.path(""), "/private"+b.path("-end")
			b.expect(end, Expected{Reason: "robots"})
			b.redirect(target, end, 302)
			b.link(target)
		}},
		{"redirect-noindex", func(b *truthBuilder) {
			target, end := b.path(""), b.path("-end")
			b.hidden(end, Expected{Reason: "noindex"}).head = `<meta name="robots" content="noindex">`
			b.redirect(target, end, 301)
			b.link(target)
		}},
		{"refresh-now", func(b *truthBuilder) {
			end := b.path("-end")
			b.hidden(end, Expected{})
			b.page(b.path(""), Expected{Reason: "redirect", Target: end}).head = `<meta http-equiv="Refresh" content="0; URL='` +
				end + `'">`
		}},
		{"refresh-later", func(b *truthBuilder) {
			end := b.path("-end")
			b.hidden(end, Expected{})
			b.page(b.path(""), Expected{}).head = `<meta http-equiv="refresh" content="20;url=` + end + `">`
		}},
		{"refresh-itself", func(b *truthBuilder) {
			b.page(b.path(""), Expected{}).head = `<meta http-equiv="refresh" content="300">`
		}},
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		kinds = append(kinds, truthKind{"redirect-" + strconv.Itoa(status), func(b *truthBuilder) {
			target, end := b.path(""), b.path("-end")
			b.hidden(end, Expected{})
			b.redirect(target, end, status)
			b.link(target)
		}})
	}
	return kinds
}()

func (b *truthBuilder) redirect(target, to string, status int) {
	b.expect(target, Expected{Reason: "redirect", Target: to})
	if to[0] == '/' && b.number%2 == 0 {
		to = "$ORIGIN" + to
	}
	b.site.pages[target] = &truthPage{status: status, header: []string{"Location: " + to}, still: true, raw: "Moved"}
}
