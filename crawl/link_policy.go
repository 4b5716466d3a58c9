package crawl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A LinkPolicy says how bad it is when a URL fails, of the site or of another one: the level of
// the first rule that matches the URL and the failure counts. Redirect loops have no level.
type LinkPolicy []LinkRule

// A LinkRule is a rule of a [LinkPolicy].
type LinkRule struct {
	// URL is matched as the patterns of [Scope] are; nil matches every URL.
	URL *regexp.Regexp
	// Failures are those that the rule is about; none means all.
	Failures []LinkFailure
	Level    LinkLevel
}

// A LinkFailure is a range of HTTP statuses, both ends included, or a cause for which a request
// has no response.
type LinkFailure struct {
	First, Last int
	Cause       FailureCause // empty for statuses
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

// FailureCause says in one word why a request has no response.
type FailureCause string

// The causes that a [LinkPolicy] knows.
const (
	CauseTimeout FailureCause = "timeout" // no connection, no response or no end of it in time
	CauseDNS     FailureCause = "dns"     // the host does not exist, or no name server answers
	CauseTLS     FailureCause = "tls"     // no trusted connection, such as an expired certificate
	CauseRefused FailureCause = "refused" // the host refuses connections
)

// FailureCauses returns the causes.
func FailureCauses() []FailureCause {
	return []FailureCause{CauseTimeout, CauseDNS, CauseTLS, CauseRefused}
}

// Cause returns the cause that a detail of [ReasonUnreachable] names, for the URL or for the
// robots.txt of its host, or "" for another one.
func (d Detail) Cause() FailureCause {
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

// Level returns how bad the failure of a page is, given its normalized URL, or "" where the page
// has not failed or no rule matches.
func (p LinkPolicy) Level(address string, page *Page) LinkLevel {
	failed := page.Broken() && page.Reason != ReasonRedirectLoop || page.Reason == ReasonInconclusive
	if !failed || len(p) == 0 {
		return ""
	}
	at := slices.IndexFunc(p, func(r LinkRule) bool {
		return r.matches([]byte(address)) &&
			(len(r.Failures) == 0 || slices.ContainsFunc(r.Failures, func(f LinkFailure) bool { return f.is(page) }))
	})
	if at < 0 {
		return ""
	}
	return p[at].Level
}

// matches reports whether the rule is about a normalized URL.
func (r *LinkRule) matches(address []byte) bool {
	if r.URL == nil {
		return true
	}
	_, path := splitURL(address)
	return matchesURL(r.URL, address, path)
}

// is reports whether a page that failed did so in this way.
func (f *LinkFailure) is(page *Page) bool {
	if page.Reason == ReasonUnreachable { // a status is that of an incomplete response
		return f.Cause != "" && f.Cause == page.Detail.Cause()
	}
	return f.First <= page.Status && page.Status <= f.Last
}

// skipped returns the pattern by which a URL is not requested, since all its failures are
// skipped, or nil.
func (p LinkPolicy) skipped(address []byte) *regexp.Regexp {
	for i := range p {
		switch rule := &p[i]; {
		case !rule.matches(address):
		case rule.Level != LinkSkip:
			return nil
		case len(rule.Failures) == 0:
			return rule.URL
		}
	}
	return nil
}

// apply decides whether a page that failed is a broken link.
func (p LinkPolicy) apply(address string, page *Page) {
	switch p.Level(address, page) {
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
