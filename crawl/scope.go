package crawl

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// scopeMatcher applies a Scope to normalized URLs. It does not change.
type scopeMatcher struct {
	scope Scope
	local Local  // says which pages are those for missing ones
	host  string // of the start, without the default port
	start string // fetched and followed even if Include does not match it
	// address is set if the site is crawled at another address than its public one.
	// Only the folder of the public address belongs to the site then: nothing else
	// can be requested there.
	address *publicAddress
	// details are those of the patterns: many links share one.
	details map[*regexp.Regexp]Detail
}

func newScopeMatcher(start string, address *publicAddress, options *Options) scopeMatcher {
	host, _ := splitURL([]byte(start))
	scope := options.Scope
	m := scopeMatcher{
		scope: scope, local: options.Local, host: withoutDefaultPort(string(host)), start: start, address: address,
		details: map[*regexp.Regexp]Detail{},
	}
	patterns := slices.Concat(scope.Exclude, scope.Add, scope.NoList)
	for _, rule := range options.Checks.Policy {
		if rule.URL != nil {
			patterns = append(patterns, rule.URL)
		}
	}
	for _, pattern := range patterns {
		m.details[pattern] = NewDetail(DetailPattern, pattern.String())
	}
	return m
}

// patternDetail returns the detail of a URL that matches a pattern.
func (m *scopeMatcher) patternDetail(pattern *regexp.Regexp) Detail {
	if detail, known := m.details[pattern]; known {
		return detail
	}
	return NewDetail(DetailPattern, pattern.String())
}

// withoutDefaultPort removes ports 80 and 443: http and https are one site.
func withoutDefaultPort(host string) string {
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	return strings.ToLower(host)
}

// onSite reports whether a normalized URL has a host of the site.
func (m *scopeMatcher) onSite(address []byte) bool {
	host, path := splitURL(address)
	if m.address != nil {
		_, found := m.address.public.rest(path)
		return found && string(host) == m.host
	}
	if string(host) == m.host {
		return true
	}
	return m.scope.Subdomains && len(host) > len(m.host)+1 &&
		bytes.HasSuffix(host, []byte(m.host)) && host[len(host)-len(m.host)-1] == '.'
}

// splitURL splits a normalized http or https URL into its host and its path with
// query.
func splitURL(address []byte) (host, path []byte) {
	rest := address[len("http://"):]
	if address[len("http")] == 's' {
		rest = rest[1:]
	}
	if i := bytes.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, []byte("/")
}

// fetchReason returns why a URL of the site is not fetched, or ReasonListed if it
// is.
func (m *scopeMatcher) fetchReason(address []byte) (Reason, Detail) {
	_, path := splitURL(address)
	if m.scope.Prefix != "" && !bytes.HasPrefix(path, []byte(m.scope.Prefix)) {
		return ReasonOutOfScope, NewDetail(DetailOutside, m.scope.Prefix)
	}
	if pattern := firstMatch(m.scope.Exclude, address, path); pattern != nil {
		return ReasonExcluded, m.patternDetail(pattern)
	}
	if pattern := firstMatch(m.scope.Add, address, path); pattern != nil {
		if reason, detail := listable(string(address)); reason != ReasonListed {
			return reason, detail
		}
		return ReasonAdded, m.patternDetail(pattern)
	}
	if m.notIncluded(address, path) && string(address) != m.start {
		return ReasonExcluded, DetailNotIncluded
	}
	return ReasonListed, ""
}

// listReason returns why a fetched page is not listed, or ReasonListed if it is.
func (m *scopeMatcher) listReason(address []byte) (Reason, Detail) {
	_, path := splitURL(address)
	if pattern := firstMatch(m.scope.NoList, address, path); pattern != nil {
		return ReasonNoList, m.patternDetail(pattern)
	}
	if m.notIncluded(address, path) {
		return ReasonExcluded, DetailNotIncluded
	}
	return ReasonListed, ""
}

func (m *scopeMatcher) notIncluded(address, path []byte) bool {
	return len(m.scope.Include) > 0 && firstMatch(m.scope.Include, address, path) == nil
}

// Reason returns why the prefix or the patterns keep a page of the site, given by its
// normalized URL, out of the sitemap, with the pattern, or [ReasonListed].
func (s *Scope) Reason(address string) (Reason, Detail) {
	if s.Prefix == "" && len(s.Include)+len(s.Exclude)+len(s.NoList) == 0 {
		return ReasonListed, ""
	}
	m := scopeMatcher{scope: *s}
	if reason, detail := m.fetchReason([]byte(address)); reason != ReasonListed {
		return reason, detail
	}
	return m.listReason([]byte(address))
}

// firstMatch returns the first pattern that matches, or nil.
func firstMatch(patterns []*regexp.Regexp, address, path []byte) *regexp.Regexp {
	for _, p := range patterns {
		if matchesURL(p, address, path) {
			return p
		}
	}
	return nil
}

func matchesURL(pattern *regexp.Regexp, address, path []byte) bool {
	return pattern.Match(path) || pattern.Match(address)
}

// matchesAddress is matchesURL for an address alone.
func matchesAddress(pattern *regexp.Regexp, address string) bool {
	_, path := splitURL([]byte(address))
	return matchesURL(pattern, []byte(address), path)
}
