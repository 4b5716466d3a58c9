package lint

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// statusRules are about the status of the listed pages.
var statusRules = []*Rule{pageMissing, pageFailing, pageRedirect, redirectChain, pageRobotsBlocked}

const (
	googleStatus = "https://developers.google.com/search/docs/crawling-indexing/http-network-errors"
	livePage     = "-- /sitemap.xml --\n"
)

// liveExample is a site whose sitemap lists /a, and its answers.
func liveExample(answers string) string {
	return livePage + urlset(page("https://example.com/a", "")) + answers
}

// goodPage is a page that breaks no rule.
const goodPage = `<!DOCTYPE html><link rel="canonical" href="https://example.com/a"><p>Hello</p>` + "\n"

var goodLive = liveExample("-- /a --\n" + goodPage)

var pageMissing = &Rule{
	ID:            "page-4xx",
	Title:         "listed page is not found or refused (4xx)",
	Why:           "Search engines drop pages that answer 404 or 410, and cannot read pages that need a login. They trust a sitemap less if it lists such pages.",
	Fix:           "Remove the page from the sitemap, or restore it. If the server refuses only programs, allow those of search engines.",
	Severity:      SeverityError,
	Source:        googleStatus,
	SearchConsole: "URLs not accessible", Yandex: "HTTP error",
	Since: "0.1",
	Live:  true,
	Bad:   liveExample("-- /a --\nHTTP 404\n\nNot found\n"),
	Good:  goodLive,
	checkPage: func(p *pageCheck) {
		a := p.chain().end()
		if a == nil || a.Status < 400 || a.Status >= 500 || a.Status == http.StatusTooManyRequests {
			return
		}
		message := statusText(a.Status) + afterRedirects(p)
		if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden {
			message += "; possibly only for Mapa"
		}
		p.reportLoc(message)
	},
}

// statusText returns a status with its usual name.
func statusText(status int) string {
	if name := http.StatusText(status); name != "" {
		return strconv.Itoa(status) + " " + name
	}
	return strconv.Itoa(status)
}

// afterRedirects returns a note about the last address when the page redirects.
func afterRedirects(p *pageCheck) string {
	t := p.chain()
	if len(t.urls) == 1 {
		return ""
	}
	return " from " + printable(t.last()) + ", where the page redirects to"
}

var pageFailing = &Rule{
	ID:            "page-5xx",
	Title:         "listed page has a server error (5xx) or no answer",
	Why:           "On status 5xx or 429, or without an answer, search engines slow down for the whole site. They drop the page after some days.",
	Fix:           "Look for the URL in the server's log. If the server was only busy, check again later or with a lower --rate.",
	Severity:      SeverityError,
	Source:        googleStatus,
	SearchConsole: "URLs not accessible", Yandex: "HTTP error",
	Since: "0.1",
	Live:  true,
	Bad:   liveExample("-- /a --\nHTTP 500\n\nSorry\n"),
	Good:  goodLive,
	checkPage: func(p *pageCheck) {
		t := p.chain()
		switch a := t.end(); {
		case t.err != nil && !p.cancelled():
			p.reportLoc("no answer: " + printable([]byte(rootCause(t.err).Error())))
		case a != nil && (a.Status >= 500 || a.Status == http.StatusTooManyRequests):
			p.reportLoc(statusText(a.Status) + afterRedirects(p))
		}
	},
}

// rootCause returns the innermost error, which does not repeat the address.
func rootCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

var pageRedirect = &Rule{
	ID:            "page-redirect",
	Title:         "listed page redirects",
	Why:           "A sitemap lists the URLs to show in search results. A redirect says that the right URL is another one, and costs an extra request on every visit.",
	Fix:           "List the URL where the redirect ends.",
	Severity:      SeverityWarning,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap#general-guidelines",
	SearchConsole: "URLs not followed", Yandex: "HTTP error",
	Since: "0.1",
	Live:  true,
	Bad:   liveExample("-- /a --\nHTTP 301\nLocation: https://example.com/b\n\n-- /b --\n" + goodPage),
	Good:  goodLive,
	checkPage: func(p *pageCheck) {
		if t := p.chain(); t.redirects() > 0 {
			p.reportLoc(statusText(t.answers[0].Status) + " to " + printable([]byte(t.answers[0].Location)))
		}
	},
}

var redirectChain = &Rule{
	ID:            "redirect-chain",
	Title:         "redirect chain",
	Why:           "Google stops after ten redirects in a row, and each one delays the visit. A redirect loop never ends.",
	Fix:           "Redirect straight to the final URL, and list that one.",
	Severity:      SeverityInfo,
	Source:        googleStatus,
	SearchConsole: "URLs not followed",
	Since:         "0.1",
	Live:          true,
	Bad: liveExample("-- /a --\nHTTP 301\nLocation: https://example.com/b\n\n-- /b --\nHTTP 302\nLocation: https://example.com/c\n\n" +
		"-- /c --\n" + goodPage),
	Good: liveExample("-- /a --\nHTTP 301\nLocation: https://example.com/c\n\n-- /c --\n" + goodPage),
	checkPage: func(p *pageCheck) {
		t := p.chain()
		switch last := printable(t.last()); {
		case t.endless:
			p.reportLoc(fmt.Sprintf("%d redirects without reaching a page, the last at %s", t.redirects(), last))
		case t.redirects() > 1:
			p.reportLoc(fmt.Sprintf("%d redirects to %s", t.redirects(), last))
		}
	},
}

var pageRobotsBlocked = &Rule{
	ID:            "page-robots-blocked",
	Title:         "listed page is blocked by robots.txt",
	Why:           "The sitemap asks search engines to read the page, and robots.txt asks them not to. They obey robots.txt.",
	Fix:           "Remove the page from the sitemap, or allow it in robots.txt.",
	Severity:      SeverityWarning,
	Source:        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
	SearchConsole: "URLs blocked by robots.txt", Yandex: "Forbidden in robots.txt",
	Since: "0.1",
	Live:  true,
	Bad:   liveExample("-- /a --\n" + goodPage + "-- /robots.txt --\nUser-agent: *\nDisallow: /a\n"),
	Good:  liveExample("-- /a --\n" + goodPage + "-- /robots.txt --\nUser-agent: *\nDisallow: /b\n"),
	checkPage: func(p *pageCheck) {
		if a := p.chain().end(); a != nil && a.Forbidden != "" {
			p.reportLoc(printable(a.Forbidden) + afterRedirects(p))
		}
	},
}
