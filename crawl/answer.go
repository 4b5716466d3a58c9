package crawl

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	// DefaultAnswerAge is how long the answer of another site counts without
	// Options.AnswerAge.
	DefaultAnswerAge = 24 * time.Hour
	// maxFailureAge is how long a failure counts: it may be over soon.
	maxFailureAge = time.Hour
)

// Answers keeps what URLs of other sites answer, for later crawls. Several goroutines may
// call it at once. It may forget answers at any time.
type Answers interface {
	// Lookup returns the answer that was kept last for a URL. It returns false for an unknown URL.
	Lookup(url string) (Answer, bool)
	// Keep keeps the answer of a URL in place of an earlier one.
	Keep(url string, answer Answer)
}

// An Answer is what a URL of another site answered, after redirects.
type Answer struct {
	Time   time.Time // of the request
	Status int       // the HTTP status code; 0 without a response
	// MediaType and Size are those of Page.
	MediaType string
	Size      int64
	// Failure is the code of what failed, such as "no-host"; empty if nothing did.
	Failure string
}

// keptFailures are the failures that are kept: those of the other site. What may be wrong
// with this machine or its network, such as a name server that fails, is tried again.
var keptFailures = []fetch.Kind{
	fetch.KindNoHost, fetch.KindRefused, fetch.KindTLS, fetch.KindConnectTimeout, fetch.KindHandshakeTimeout,
	fetch.KindAnswerTimeout, fetch.KindRedirectLoop, fetch.KindTooManyRedirects,
}

// failure returns the failure, which is one of keptFailures. It returns false for any other answer.
func (a *Answer) failure() (fetch.Kind, bool) {
	i := slices.IndexFunc(keptFailures, func(k fetch.Kind) bool { return k.Code() == a.Failure })
	if i < 0 {
		return 0, false
	}
	return keptFailures[i], true
}

// lifetime returns how long an answer counts, which is 0 for one that is not kept: refusals
// and errors of servers pass.
func (a *Answer) lifetime(longest time.Duration) time.Duration {
	if _, failed := a.failure(); failed {
		return min(longest, maxFailureAge)
	}
	switch {
	case a.Failure != "":
		return 0
	case a.Status >= 200 && a.Status < 400, a.Status == http.StatusNotFound, a.Status == http.StatusGone:
		return longest
	}
	return 0
}

// sharesAnswers reports whether crawls may share what a URL of a role answers: it is that of
// another site, which gets no header of the user and no cookie.
func (s *site) sharesAnswers(role Role, address string) bool {
	if s.options.Answers == nil || role == RolePage || s.options.Access.Cookies {
		return false
	}
	origin := urlnorm.Origin(address)
	switch {
	case s.scope.onSite([]byte(address)), origin == s.hosts.start,
		fetch.IsLoopback(urlnorm.Host(address)): // what is developed here changes with every run
		return false
	}
	return len(s.options.Access.Headers[origin]) == 0
}

// recallAnswer takes the answer of a URL of another site from an earlier crawl, in place of
// a request. It reports false if none is known, or if the answer is too old.
func (s *site) recallAnswer(f *fetched) bool {
	if f.item.again || !s.sharesAnswers(f.item.role, f.item.url) {
		return false
	}
	answer, ok := s.options.Answers.Lookup(f.item.url)
	age := f.page.Time.Sub(answer.Time)
	if !ok || age < 0 || age >= answer.lifetime(s.options.AnswerAge) {
		return false
	}
	if kind, failed := answer.failure(); failed {
		f.err = &fetch.Error{URL: f.item.url, Kind: kind}
	}
	if answer.Status != 0 {
		f.response = &fetch.Response{
			URL: f.item.url, Status: answer.Status, Header: http.Header{"Content-Type": {answer.MediaType}},
		}
		f.describe()
		f.page.Size = answer.Size
	}
	f.page.Time, f.recalled = answer.Time, true
	return true
}

// keepAnswer keeps the answer of a URL of another site for later crawls. The challenge of a
// site for robots says nothing about the URL, what the own site answers to a redirect depends
// on the options, and where a URL has moved would be kept as a text.
func (s *site) keepAnswer(f *fetched) {
	if f.recalled || !s.sharesAnswers(f.item.role, f.item.url) {
		return
	}
	answer := Answer{Time: f.page.Time, Status: f.page.Status, MediaType: f.page.MediaType, Size: f.page.Size}
	failed, isFailure := errors.AsType[*fetch.Error](f.err)
	var asked []string
	if isFailure {
		asked = append(asked, failed.URL)
	}
	if response := f.response; response != nil {
		if response.Header.Get("cf-mitigated") != "" || isFailure && setsCookie(response) ||
			s.options.Checks.Moved && !isFailure && response.Status < 400 && movedDetail(response) != "" {
			return
		}
		asked = append(append(asked, response.Hops...), response.URL)
	}
	if isFailure && (f.response == nil || isRedirectFailure(failed)) {
		answer.Failure = failed.Kind.Code()
	}
	if isFailure && f.page.Detail != "" && f.page.Detail != kindDetail(failed.Kind) {
		return // robots.txt could not be read
	}
	if answer.lifetime(s.options.AnswerAge) == 0 || slices.ContainsFunc(asked, func(address string) bool {
		return !s.sharesAnswers(f.item.role, address)
	}) {
		return
	}
	s.options.Answers.Keep(f.item.url, answer)
}

// isRedirectFailure reports whether an error is about redirects that do not end.
func isRedirectFailure(err error) bool {
	return errors.Is(err, fetch.KindRedirectLoop) || errors.Is(err, fetch.KindTooManyRedirects)
}
