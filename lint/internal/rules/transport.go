package rules

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/source"
)

// transportRules are about getting at a file.
var transportRules = []*rule.Rule{
	httpStatus, fetchFail, fetchTimeout, fetchDNS, fetchTLS, redirectLimit, sitemapNotFound, depthCap, tooManySitemaps,
}

// ForError returns the rule that is broken by an error of opening or reading a
// file, and the message.
func ForError(err error) (*rule.Rule, string) {
	var status *source.StatusError
	var name *net.DNSError
	var timeout net.Error
	cause := err
	var where *source.Error
	if errors.As(err, &where) {
		cause = where.Err
	}
	message := display.Text([]byte(strings.TrimPrefix(cause.Error(), source.ErrOpen.Error()+": ")))
	switch {
	case errors.As(err, &status):
		return httpStatus, status.Error()
	case errors.Is(err, source.ErrNoSitemap):
		return sitemapNotFound, message
	case errors.Is(err, source.ErrTooDeep):
		return depthCap, message
	case errors.Is(err, source.ErrTooMany):
		return tooManySitemaps, message
	case errors.Is(err, source.ErrRedirects):
		return redirectLimit, message
	case errors.As(err, &name) && !name.IsTimeout:
		return fetchDNS, "there is no host " + display.Text(name.Name)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, source.ErrSilent):
		return fetchTimeout, message
	case isTLS(err):
		return fetchTLS, message
	}
	return fetchFail, message
}

func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var host x509.HostnameError
	var alert tls.AlertError
	return errors.As(err, &record) || errors.As(err, &certificate) || errors.As(err, &host) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ") // crypto/tls has no type for the rest
}

var httpStatus = &rule.Rule{
	ID:            "http-status",
	Title:         "the server does not answer 200",
	Why:           "Engines read a sitemap only from an answer of status 200; Yandex says so in as many words.",
	Cure:          "Open the address without a login. See that the file is where robots.txt, the index or your submission says, and that no firewall blocks crawlers.",
	Severity:      rule.SeverityError,
	Source:        yandexText,
	SearchConsole: "HTTP error", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 404\n\nNot found\n",
	Good:  goodSitemap,
}

var fetchFail = &rule.Rule{
	ID:            "fetch-fail",
	Title:         "the file cannot be opened",
	Why:           "What cannot be fetched lists nothing. Search Console says \"Couldn't fetch\" of it.",
	Cure:          "Check the path or the address, and whether the server runs and lets the connection through.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection failed",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: refused\n\n",
	Good:  goodSitemap,
}

var fetchTimeout = &rule.Rule{
	ID:            "timeout",
	Title:         "the server does not answer in time",
	Why:           "Engines wait no longer than a person would, and come back more seldom.",
	Cure:          "Make the sitemap beforehand and serve it as a file, instead of gathering all pages while the engine waits.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection lost",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: timeout\n\n",
	Good:  goodSitemap,
}

var fetchDNS = &rule.Rule{
	ID:            "dns",
	Title:         "the name of the host cannot be found",
	Why:           "Without an address of the host no engine can ask for the file.",
	Cure:          "Look for a slip in the name, and check the domain's records and whether it is still registered.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "DNS error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: dns\n\n",
	Good:  goodSitemap,
}

var fetchTLS = &rule.Rule{
	ID:            "tls",
	Title:         "no trusted TLS connection",
	Why:           "With an expired certificate, one of another name or an incomplete chain, engines do not read the file.",
	Cure:          "Renew the certificate, let it name the host, and serve the intermediate certificates with it.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection failed",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: tls\n\n",
	Good:  goodSitemap,
}

var redirectLimit = &rule.Rule{
	ID:            "redirect-limit",
	Title:         "redirects do not end",
	Why:           "After ten redirects, or one that leads to no web address, nobody follows any more.",
	Cure:          "Let the address of the sitemap answer by itself. Rules for http, www and slashes that undo each other are the usual cause.",
	Severity:      rule.SeverityError,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
	SearchConsole: "Couldn't fetch", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 301\nLocation: https://example.com/sitemap.xml\n\n",
	Good:  goodSitemap,
}

var sitemapNotFound = &rule.Rule{
	ID:       "sitemap-not-found",
	Title:    "the site has no sitemap in any usual place",
	Why:      "Engines that are not told look into robots.txt and for /sitemap.xml, as this program does with a few more names.",
	Cure:     "Name the sitemap in robots.txt: Sitemap: https://example.com/sitemap.xml",
	Severity: rule.SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Bad:      "-- / --\n<p>Welcome</p>\n",
	Good:     "-- / --\n<p>Welcome</p>\n-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n-- /sitemap.xml --\n" + goodSitemap,
}
