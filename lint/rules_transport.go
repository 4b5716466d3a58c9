package lint

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/source"
)

// transportRules are about fetching a file.
var transportRules = []*Rule{
	httpStatus, fetchFail, fileUnreadable, fetchTimeout, fetchDNS, fetchTLS, redirectLimit, sitemapNotFound, depthCap,
	tooManySitemaps,
}

// ruleForError returns the rule that is broken by an error of opening or reading a
// file, and the message.
func ruleForError(err error) (*Rule, Text) {
	var status *source.StatusError
	var name *net.DNSError
	var timeout net.Error
	cause := err
	var where *source.Error
	if errors.As(err, &where) {
		cause = where.Err
	}
	message := newText("finding.value", printable(strings.TrimPrefix(cause.Error(), source.ErrOpen.Error()+": ")))
	switch {
	case errors.As(err, &status):
		return httpStatus, newText("rule.http-status.found", statusText(status.Status))
	case errors.Is(err, source.ErrNoSitemap):
		return sitemapNotFound, message
	case errors.Is(err, source.ErrTooDeep):
		return depthCap, message
	case errors.Is(err, source.ErrTooMany):
		return tooManySitemaps, message
	case errors.Is(err, source.ErrRedirect):
		return redirectLimit, message
	case errors.As(err, &name) && !name.IsTimeout:
		return fetchDNS, newText("rule.dns.found", printable(name.Name))
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, source.ErrStalled):
		return fetchTimeout, message
	case fetch.KindOf(err) == fetch.KindTLS:
		if failed, ok := errors.AsType[*fetch.TLSError](err); ok {
			message = newText("finding.value", printable(failed.Error()))
		}
		return fetchTLS, message
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return fileUnreadable, newText("rule.file-unreadable.found", file.Err.Error())
	}
	if _, is := errors.AsType[*source.MissingError](err); is {
		return fileUnreadable, newText("rule.file-unreadable.found", syscall.ENOENT.Error())
	}
	return fetchFail, message
}

var (
	httpStatus = &Rule{ID: "http-status", Severity: SeverityError, Source: yandexText,
		SearchConsole: "HTTP error", Yandex: "HTTP error"}
	fetchFail = &Rule{ID: "fetch-fail", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch", Yandex: "Connection failed"}
	fileUnreadable = &Rule{ID: "file-unreadable", Severity: SeverityError, Source: protocolHome}
	fetchTimeout   = &Rule{ID: "timeout", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch", Yandex: "Connection lost"}
	fetchDNS = &Rule{ID: "dns", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch", Yandex: "DNS error"}
	fetchTLS = &Rule{ID: "tls", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch", Yandex: "Connection failed"}
	redirectLimit = &Rule{ID: "redirect-limit", Severity: SeverityError,
		Source:        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
		SearchConsole: "Couldn't fetch", Yandex: "HTTP error"}
	sitemapNotFound = &Rule{ID: "sitemap-not-found", Severity: SeverityError,
		Source: protocolText + "#submit_robots"}
)
