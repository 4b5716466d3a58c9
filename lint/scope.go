package lint

import (
	"bytes"
	"net/url"
	"path"
	"strings"
)

// scopeRules are about which pages a sitemap may list, for each of which there
// has to be a reason: the place where the sitemap lies, a robots.txt that names
// it, or a host that was verified.
var scopeRules = []*Rule{
	outOfScopeScheme, outOfScopeHost, outOfScopePort, outOfScopePath, wwwMismatch, plainInSecure,
}

// A scope is the place of a sitemap, below which its pages lie. Where the place
// is not known, it is that of the first page, without a path.
type scope struct {
	address *url.URL // nil where it is not known
	origin  *url.URL // whose scheme, host and port the pages share
	folder  []byte   // what a page in scope begins with, when it is spelled in the usual way
}

// newScope finds out where the file lies.
func (c *fileCheck) newScope() (s scope) {
	address := c.file.Address()
	if address == "" && c.options.BaseURL != "" {
		address = published(c.options.BaseURL, c.location)
	}
	u, err := url.Parse(address)
	if address == "" || err != nil || u.Host == "" {
		return s
	}
	s.address, s.origin = u, u
	s.folder = []byte(u.Scheme + "://" + u.Host + folderOf(u))
	return s
}

// published is the address that a file will have.
func published(base, location string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(location, `\`, "/"))
	if location == "-" {
		return u.String()
	}
	return u.ResolveReference(&url.URL{Path: name}).String()
}

// folderOf is the path up to its last slash. The query does not count.
func folderOf(u *url.URL) string {
	p := u.EscapedPath()
	return "/" + strings.TrimPrefix(p[:strings.LastIndexByte(p, '/')+1], "/")
}

// covers reports whether a location lies in scope at first sight.
func (s *scope) covers(loc []byte) bool {
	if len(s.folder) > 0 {
		return bytes.HasPrefix(loc, s.folder)
	}
	u, err := url.Parse(string(loc))
	if err != nil || u.Host == "" {
		return false
	}
	s.origin = &url.URL{Scheme: u.Scheme, Host: u.Host}
	s.folder = []byte(u.Scheme + "://" + u.Host + "/")
	return true
}

// A departure is the part of an address that lies outside of a scope.
type departure uint8

const (
	unknown departure = iota // not looked at yet
	inScope
	otherScheme
	plainScheme // http instead of https
	otherHost
	otherWWW
	otherPort
	otherPath
)

// stray compares the page with the place of the sitemap. A page whose host proves
// that the sitemap may list it is in scope wherever it lies.
func (v *visit) stray() departure {
	if v.departure == unknown {
		v.departure = inScope
		u := v.address()
		if u == nil || u.Host == "" || usualPort(strings.ToLower(u.Scheme)) == "" || v.scope.origin == nil || v.entry.IsSitemap() {
			return inScope
		}
		if d := v.scope.departure(u); d != inScope && !isVerified(&v.options, u) && !v.namedBy(u) {
			v.departure = d
		}
	}
	return v.departure
}

// departure tells the part that differs; of several the weightiest.
func (s *scope) departure(u *url.URL) departure {
	host, own := strings.ToLower(u.Hostname()), strings.ToLower(s.origin.Hostname())
	switch {
	case host != own && strings.TrimPrefix(host, "www.") == strings.TrimPrefix(own, "www."):
		return otherWWW
	case host != own:
		return otherHost
	case !strings.EqualFold(u.Scheme, s.origin.Scheme) && strings.EqualFold(u.Scheme, "http"):
		return plainScheme
	case !strings.EqualFold(u.Scheme, s.origin.Scheme):
		return otherScheme
	case portOf(u) != portOf(s.origin):
		return otherPort
	case s.address != nil && !strings.HasPrefix(u.EscapedPath(), folderOf(s.address)) && folderOf(s.address) != "/":
		return otherPath
	}
	return inScope
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return usualPort(strings.ToLower(u.Scheme))
}

// isVerified reports whether a host, or one above it, was given as verified.
func isVerified(options *Options, u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	for _, verified := range options.VerifiedHosts {
		verified = strings.ToLower(verified)
		if host == verified || strings.HasSuffix(host, "."+verified) {
			return true
		}
	}
	return false
}

// strayCheck reports pages that depart in one way: what they do, and the place
// from which.
func strayCheck(d departure, what string) func(*visit) {
	return func(v *visit) {
		if v.stray() != d {
			return
		}
		u := v.scope.origin
		place := u.Scheme + "://" + u.Host + "/ (the site of the first page in the file)"
		if v.scope.address != nil {
			place = u.Scheme + "://" + u.Host + folderOf(u) + " (the sitemap's folder)"
		}
		v.reportLoc(what + " " + printable([]byte(place)))
	}
}

var outOfScopeScheme = &Rule{
	ID:       "out-of-scope-scheme",
	Title:    "page and sitemap differ in scheme",
	Why:      "A sitemap may list only pages of its own scheme. Search engines ignore https pages in an http sitemap.",
	Cure:     "Serve the sitemap under the scheme of the pages, which should be https.",
	Severity: SeverityError, Overlay: map[Engines]Severity{EngineGoogle: SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\nHTTP 301\nLocation: http://example.com/old.xml\n\n-- /old.xml --\n" + goodSitemap,
	Good:  urlset(page("https://example.com/a", "") + page("https://example.com/b", "")),
	needs: needsStray,
	check: strayCheck(otherScheme, "the scheme differs from"),
}

var outOfScopeHost = &Rule{
	ID:            "out-of-scope-host",
	Title:         "page is on another host than the sitemap",
	Why:           "Anybody could list other people's pages, so search engines ignore pages on other hosts unless that host's robots.txt names this sitemap.",
	Cure:          "Move the page to a sitemap on its own host, or add a Sitemap line with this sitemap's URL to the robots.txt there.",
	Severity:      SeverityError,
	Source:        protocolText + "#sitemaps_cross_submits",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   urlset(goodURL + page("https://example.org/a", "")),
	Good:  urlset(goodURL + page("https://example.com/a", "")),
	needs: needsStray,
	check: strayCheck(otherHost, "the host differs from"),
}

var outOfScopePort = &Rule{
	ID:            "out-of-scope-port",
	Title:         "page and sitemap differ in port",
	Why:           "Another port is another site. The port must be that of the sitemap's own URL.",
	Cure:          "List the URL that visitors use. A port such as 8080 usually belongs to a server behind a proxy.",
	Severity:      SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   urlset(goodURL + page("https://example.com:8443/a", "")),
	Good:  urlset(goodURL + page("https://example.com/a", "")),
	needs: needsStray,
	check: strayCheck(otherPort, "the port differs from"),
}

var outOfScopePath = &Rule{
	ID:       "out-of-scope-path",
	Title:    "page is outside the sitemap's folder",
	Why:      "A sitemap at /catalog/sitemap.xml may list only URLs under /catalog/. Search engines ignore other pages, unless the sitemap is named in robots.txt or submitted in Search Console.",
	Cure:     "Move the sitemap to the root of the site, or name it in robots.txt.",
	Severity: SeverityError, Overlay: map[Engines]Severity{EngineGoogle: SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/blog/", "")),
	Good:  "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/catalog/blog/", "")),
	needs: needsStray,
	check: strayCheck(otherPath, "the page is outside"),
}

var wwwMismatch = &Rule{
	ID:            "www-mismatch",
	Title:         "only one of page and sitemap has www",
	Why:           "www.example.com and example.com are two hosts. Google reports a path mismatch, and Yandex ignores the page.",
	Cure:          "Choose one of the two for all pages, serve the sitemap there, and redirect the other.",
	Severity:      SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "Path mismatch: Missing www, Path mismatch: Includes www", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   urlset(goodURL + page("https://www.example.com/a", "")),
	Good:  urlset(goodURL + page("https://example.com/a", "")),
	needs: needsStray,
	check: strayCheck(otherWWW, "only one of them has www: the host differs from"),
}

var plainInSecure = &Rule{
	ID:       "http-in-https-sitemap",
	Title:    "http page in an https sitemap",
	Why:      "A sitemap may list only pages of its own scheme. The http URL is usually an old one that redirects to https.",
	Cure:     "List the https URL.",
	Severity: SeverityError, Overlay: map[Engines]Severity{EngineGoogle: SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since: "0.1",
	Bad:   urlset(page("http://example.com/a", "")),
	Good:  urlset(page("https://example.com/a", "")),
	needs: needsStray,
	check: strayCheck(plainScheme, "the scheme differs from"),
}
