package crawl

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
)

// A territory is a scope made ready for the addresses of one crawl. It is not
// changed by its use.
type territory struct {
	scope Scope
	host  string // of the start, without the usual port
	start string // fetched and followed, whatever Include says
}

func newTerritory(start *url.URL, address string, scope Scope) *territory {
	return &territory{scope: scope, host: plainHost(start.Host), start: address}
}

// plainHost takes the usual ports off, since a site is one by http and https.
func plainHost(host string) string {
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	return strings.ToLower(host)
}

// holds reports whether a normalised address lies on the site.
func (t *territory) holds(address []byte) bool {
	host, _ := splitAddress(address)
	if string(host) == t.host {
		return true
	}
	return t.scope.Subdomains && len(host) > len(t.host)+1 &&
		bytes.HasSuffix(host, []byte(t.host)) && host[len(host)-len(t.host)-1] == '.'
}

// splitAddress cuts a normalised http or https address into its host and its
// path with query.
func splitAddress(address []byte) (host, path []byte) {
	rest := address[len("http://"):]
	if address[len("http")] == 's' {
		rest = rest[1:]
	}
	if i := bytes.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, []byte("/")
}

// judge says why an address of the site is not fetched, or Listed when it is.
func (t *territory) judge(address []byte) (Reason, string) {
	_, path := splitAddress(address)
	if t.scope.Prefix != "" && !bytes.HasPrefix(path, []byte(t.scope.Prefix)) {
		return ReasonOutOfScope, "outside " + t.scope.Prefix
	}
	if pattern := matching(t.scope.Exclude, address, path); pattern != "" {
		return ReasonExcluded, pattern
	}
	if pattern := matching(t.scope.Add, address, path); pattern != "" {
		return ReasonAdded, pattern
	}
	if t.notIncluded(address, path) && string(address) != t.start {
		return ReasonExcluded, notIncluded
	}
	return ReasonListed, ""
}

const notIncluded = "matches no pattern of include"

func (t *territory) notIncluded(address, path []byte) bool {
	return len(t.scope.Include) > 0 && matching(t.scope.Include, address, path) == ""
}

// unlisted says why a page that was fetched is kept out of the sitemap by the
// user's patterns, or Listed when it is not.
func (t *territory) unlisted(address []byte) (Reason, string) {
	_, path := splitAddress(address)
	if pattern := matching(t.scope.NoList, address, path); pattern != "" {
		return ReasonNoList, pattern
	}
	if t.notIncluded(address, path) {
		return ReasonExcluded, notIncluded
	}
	return ReasonListed, ""
}

func matching(patterns []*regexp.Regexp, address, path []byte) string {
	for _, p := range patterns {
		if p.Match(path) || p.Match(address) {
			return p.String()
		}
	}
	return ""
}
