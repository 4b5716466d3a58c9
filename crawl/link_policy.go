package crawl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A LinkRule says how bad it is when a URL fails, of the site or of another one: the level of the first rule that
// matches the URL and the failure counts. Redirect loops have no level.
type LinkRule struct {
	// URL is matched as the patterns of [Scope] are; nil matches every URL.
	URL *regexp.Regexp
	// Statuses are ranges of HTTP statuses, both ends included, and Causes why a request has no response. A rule
	// without any is about all failures.
	Statuses [][2]int
	Causes   []string
	Level    LinkLevel
}

// LinkLevel says how bad a failure is.
type LinkLevel string

// The levels. A failure without one is as bad as package insight has it.
const (
	LinkError   LinkLevel = "error"   // a broken link, also where the status is inconclusive
	LinkWarning LinkLevel = "warning" // the severity of what is found
	LinkInfo    LinkLevel = "info"    // the severity of what is found
	LinkSkip    LinkLevel = "skip"    // no broken link; the URL is not listed
)

// LinkLevels returns the levels.
func LinkLevels() []LinkLevel { return []LinkLevel{LinkError, LinkWarning, LinkInfo, LinkSkip} }

// The causes that a [LinkRule] knows.
const (
	CauseTimeout = "timeout" // no connection, no response or no end of it in time
	CauseDNS     = "dns"     // the host does not exist, or no name server answers
	CauseTLS     = "tls"     // no trusted connection, such as an expired certificate
	CauseRefused = "refused" // the host refuses connections
)

// FailureCauses returns the causes.
func FailureCauses() []string { return []string{CauseTimeout, CauseDNS, CauseTLS, CauseRefused} }

// Cause returns the cause that a detail of [ReasonUnreachable] names, for the URL or for the
// robots.txt of its host, or "" for another one.
func (d Detail) Cause() string {
	switch kind, _ := strings.CutPrefix(string(d.failure().Code()), failurePrefix); {
	case kind == "no-host" || kind == "dns":
		return CauseDNS
	case kind == "tls":
		return CauseTLS
	case kind == "refused":
		return CauseRefused
	case strings.HasSuffix(kind, "-timeout") || kind == "too-slow":
		return CauseTimeout
	}
	return ""
}

// failure returns the detail of a request without a response, also where that was the one for
// robots.txt.
func (d Detail) failure() Detail {
	_, nested, _ := strings.Cut(string(d), detailSeparator)
	if d.Code() == DetailRobotsFailed {
		return Detail(nested)
	}
	return d
}

// LevelOf returns how bad the failure of a page is, given its normalized URL, or "" where the page
// has not failed or no rule matches.
func LevelOf(rules []LinkRule, address string, page *Page) LinkLevel {
	failed := page.Broken() && page.Reason != ReasonRedirectLoop || page.Reason == ReasonInconclusive
	if !failed || len(rules) == 0 {
		return ""
	}
	at := slices.IndexFunc(rules, func(r LinkRule) bool { return r.matches([]byte(address)) && r.isAbout(page) })
	if at < 0 {
		return ""
	}
	return rules[at].Level
}

// matches reports whether the rule is about a normalized URL.
func (r *LinkRule) matches(address []byte) bool {
	if r.URL == nil {
		return true
	}
	_, path := splitURL(address)
	return matchesURL(r.URL, address, path)
}

// isAll reports whether the rule is about all failures.
func (r *LinkRule) isAll() bool { return len(r.Statuses)+len(r.Causes) == 0 }

// isAbout reports whether the rule is about the failure of a page.
func (r *LinkRule) isAbout(page *Page) bool {
	switch {
	case r.isAll():
		return true
	case page.Reason == ReasonUnreachable: // a status is that of an incomplete response
		return slices.Contains(r.Causes, page.Detail.Cause())
	}
	return slices.ContainsFunc(r.Statuses, func(of [2]int) bool { return of[0] <= page.Status && page.Status <= of[1] })
}

// skippedBy returns the pattern by which a URL is not requested, since all its failures are
// skipped, or nil.
func skippedBy(rules []LinkRule, address []byte) *regexp.Regexp {
	for i := range rules {
		switch rule := &rules[i]; {
		case !rule.matches(address):
		case rule.Level != LinkSkip:
			return nil
		case rule.isAll():
			return rule.URL
		}
	}
	return nil
}

// applyRules decides whether a page that failed is a broken link.
func applyRules(rules []LinkRule, address string, page *Page) {
	switch LevelOf(rules, address, page) {
	case LinkSkip:
		if page.Reason == ReasonUnreachable {
			page.Detail = nest(DetailAcceptedCause, page.Detail.failure())
		} else {
			page.Detail = NewDetail(DetailAccepted, strconv.Itoa(page.Status))
		}
		page.Reason = ReasonNotAPage
	case LinkError:
		if page.Reason == ReasonInconclusive {
			page.Reason = brokenReason(page.Status)
		}
	}
}

// brokenReason returns the reason of a URL that answers with a status of 400 or more.
func brokenReason(status int) Reason {
	if status >= 500 && status < 600 {
		return ReasonServerError
	}
	return ReasonClientError
}
