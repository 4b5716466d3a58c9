package lint

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
)

// statusRules are about the status of the listed pages.
var statusRules = []*Rule{
	{ID: "page-4xx", Severity: SeverityError, Source: googleStatus, SearchConsole: "URLs not accessible",
		Yandex: "HTTP error", Live: true,
		checkPage: func(p *pageCheck) {
			a := p.chain().end()
			if a == nil || a.Status < 400 || a.Status >= 500 || a.Status == http.StatusTooManyRequests {
				return
			}
			message := afterRedirects(p, statusText(a.Status))
			if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden {
				message = newText("rule.page-4xx.only-mapa", message)
			}
			p.reportLoc(message)
		}},
	{ID: "page-5xx", Severity: SeverityError, Source: googleStatus, SearchConsole: "URLs not accessible",
		Yandex: "HTTP error", Live: true,
		checkPage: func(p *pageCheck) {
			t := p.chain()
			switch a := t.end(); {
			case t.err != nil && !p.cancelled():
				p.reportLoc(noAnswer(t.err))
			case a != nil && (a.Status >= 500 || a.Status == http.StatusTooManyRequests):
				p.reportLoc(afterRedirects(p, statusText(a.Status)))
			}
		}},
	{ID: "page-redirect", Severity: SeverityWarning,
		Source:        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap#general-guidelines",
		SearchConsole: "URLs not followed", Yandex: "HTTP error", Live: true,
		checkPage: func(p *pageCheck) {
			if t := p.chain(); t.redirects() > 0 {
				first := t.answers[0]
				p.reportLoc(newText("rule.page-redirect.found", statusText(first.Status), printable(first.Location)))
			}
		}},
	{ID: "page-redirect-chain", Severity: SeverityInfo, Source: googleStatus, SearchConsole: "URLs not followed",
		Live: true,
		checkPage: func(p *pageCheck) {
			t := p.chain()
			switch last := printable(t.last()); {
			case t.endless:
				p.reportLoc(newText("rule.page-redirect-chain.endless", t.redirects(), last))
			case t.redirects() > 1:
				p.reportLoc(newText("rule.page-redirect-chain.found", t.redirects(), last))
			}
		}},
	{ID: "page-robots-blocked", Severity: SeverityWarning,
		Source: "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2", SearchConsole: "URLs blocked by robots.txt",
		Yandex: "Forbidden in robots.txt", Live: true,
		checkPage: func(p *pageCheck) {
			if a := p.chain().end(); a != nil && a.Forbidden != "" {
				p.reportLoc(afterRedirects(p, newText("finding.value", printable(a.Forbidden))))
			}
		}},
}

const googleStatus = "https://developers.google.com/search/docs/crawling-indexing/http-network-errors"

// statusText returns a status with its usual name.
func statusText(status int) Text {
	return newText("finding.status", strings.TrimSpace(strconv.Itoa(status)+" "+http.StatusText(status)))
}

// noAnswer returns why there is no answer.
func noAnswer(err error) Text {
	if kind := fetch.KindOf(err); kind != fetch.KindMalformed { // the default
		err = kind
	}
	return newText("finding.no-answer", printable(rootCause(err).Error()))
}

// afterRedirects adds to a message the last address when the page redirects.
func afterRedirects(p *pageCheck, message Text) Text {
	t := p.chain()
	if len(t.urls) == 1 {
		return message
	}
	return newText("finding.after-redirects", message, printable(t.last()))
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
