package lint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/mapatools/mapa/source"
)

// transportRules are about fetching a file.
var transportRules = []*Rule{
	httpStatus, fetchFail, fileUnreadable, fetchTimeout, fetchDNS, fetchTLS, redirectLimit, sitemapNotFound, depthCap,
	tooManySitemaps,
}

// ruleForError returns the rule that is broken by an error of opening or reading a
// file, and the message.
func ruleForError(err error) (*Rule, string) {
	var status *source.StatusError
	var name *net.DNSError
	var timeout net.Error
	cause := err
	var where *source.Error
	if errors.As(err, &where) {
		cause = where.Err
	}
	message := printable([]byte(strings.TrimPrefix(cause.Error(), source.ErrOpen.Error()+": ")))
	switch {
	case errors.As(err, &status):
		return httpStatus, status.Error()
	case errors.Is(err, source.ErrNoSitemap):
		return sitemapNotFound, message
	case errors.Is(err, source.ErrTooDeep):
		return depthCap, message
	case errors.Is(err, source.ErrTooMany):
		return tooManySitemaps, message
	case errors.Is(err, source.ErrRedirect):
		return redirectLimit, message
	case errors.As(err, &name) && !name.IsTimeout:
		return fetchDNS, "host not found: " + printable(name.Name)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, source.ErrStalled):
		return fetchTimeout, message
	case isTLS(err):
		return fetchTLS, message
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return fileUnreadable, "the file cannot be read: " + file.Err.Error()
	}
	return fetchFail, message
}

func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var host x509.HostnameError
	var alert tls.AlertError
	return errors.As(err, &record) || errors.As(err, &certificate) || errors.As(err, &host) || errors.As(err, &alert) ||
		// crypto/tls has no type for the rest
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ")
}

var httpStatus = &Rule{
	ID:            "http-status",
	Title:         "server does not answer 200",
	Why:           "Search engines read a sitemap only from an answer with status 200. Yandex documents this explicitly.",
	Fix:           "Open the URL without a login. Check that the file is where robots.txt, the sitemap index or your submission says, and that no firewall blocks crawlers.",
	Severity:      SeverityError,
	Source:        yandexText,
	SearchConsole: "HTTP error", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 404\n\nNot found\n",
	Good:  goodSitemap,
}

var fetchFail = &Rule{
	ID:            "fetch-fail",
	Title:         "file cannot be fetched",
	Why:           `Search engines learn nothing from a file that they cannot fetch. Search Console reports "Couldn't fetch".`,
	Fix:           "Check the URL, and that the server runs and accepts the connection.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection failed",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: refused\n\n",
	Good:  goodSitemap,
}

var fileUnreadable = &Rule{
	ID:       "file-unreadable",
	Title:    "local file cannot be read",
	Why:      "Nothing in the file was checked.",
	Fix:      "Check the path and its permissions. For a site, give its host alone, example.com, or with https://.",
	Severity: SeverityError,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nFailure: missing\n\n",
	Good:     goodSitemap,
}

var fetchTimeout = &Rule{
	ID:            "timeout",
	Title:         "server does not answer in time",
	Why:           "Search engines wait no longer than a person would, and come back less often.",
	Fix:           "Generate the sitemap in advance and serve it as a file, instead of collecting all pages during the request.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection lost",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: timeout\n\n",
	Good:  goodSitemap,
}

var fetchDNS = &Rule{
	ID:            "dns",
	Title:         "host name not found (DNS)",
	Why:           "Without the host's IP address, search engines cannot request the file.",
	Fix:           "Check for a typo in the name, and check the domain's DNS records and registration.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "DNS error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: dns\n\n",
	Good:  goodSitemap,
}

var fetchTLS = &Rule{
	ID:            "tls",
	Title:         "no trusted TLS connection",
	Why:           "Search engines do not read the file if the certificate has expired, names another host or lacks its chain.",
	Fix:           "Renew the certificate, make sure that it names the host, and serve the intermediate certificates with it.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch", Yandex: "Connection failed",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 200\nFailure: tls\n\n",
	Good:  goodSitemap,
}

var redirectLimit = &Rule{
	ID:            "redirect-limit",
	Title:         "too many redirects",
	Why:           "Search engines stop after ten redirects, or at one that does not lead to a web page.",
	Fix:           "Make the sitemap URL answer directly. The usual cause is conflicting redirect rules for http, www and slashes.",
	Severity:      SeverityError,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
	SearchConsole: "Couldn't fetch", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 301\nLocation: https://example.com/sitemap.xml\n\n",
	Good:  goodSitemap,
}

var sitemapNotFound = &Rule{
	ID:       "sitemap-not-found",
	Title:    "no sitemap found in the usual places",
	Why:      "Search engines without a submitted sitemap look in robots.txt and for /sitemap.xml. Mapa does the same, and tries a few more names.",
	Fix:      "Name the sitemap in robots.txt: Sitemap: https://example.com/sitemap.xml",
	Severity: SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Bad:      "-- / --\n<p>Welcome</p>\n",
	Good:     "-- / --\n<p>Welcome</p>\n-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n-- /sitemap.xml --\n" + goodSitemap,
}
