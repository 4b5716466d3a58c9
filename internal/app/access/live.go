package access

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint"
)

// imageTypes are fetched as well as pages, for their size.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// maxLiveDelay is the longest Crawl-delay that a check waits for: a sample of 200
// pages takes 100 minutes with it. A host that asks for more is not checked.
const maxLiveDelay = 30 * time.Second

// A LiveSite requests pages as politely as a crawl does and obeys robots.txt.
type LiveSite struct {
	fetcher *fetch.Robots
	skip    func(HostSkipped)

	mutex   sync.Mutex
	skipped map[string]bool // hosts that were reported
	silent  map[string]int  // requests in a row without an answer, by host
}

// maxUnanswered is how many requests in a row a host may leave without an answer. Its other
// pages are not checked then.
const maxUnanswered = 10

var errSilent = errors.New("the host does not answer")

// NewLiveSite returns a site whose requests are sent as the options say. skip is called for
// every host that is left out.
func NewLiveSite(options *fetch.Options, skip func(HostSkipped)) (*LiveSite, error) {
	options.Types = imageTypes
	client, err := fetch.New(options)
	if err != nil {
		return nil, err
	}
	robots := fetch.NewRobots(client, &fetch.RobotsOptions{MaxDelay: maxLiveDelay})
	return &LiveSite{fetcher: robots, skip: skip, skipped: map[string]bool{}, silent: map[string]int{}}, nil
}

// Get implements lint.Live.
func (s *LiveSite) Get(ctx context.Context, address string, limit int64) (*lint.Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if s.isSilent(u.Host) {
		s.report(HostSkipped{Host: u.Host, Err: errSilent})
		return &lint.Answer{Skipped: "not checked: " + errSilent.Error()}, nil
	}
	response, err := s.fetcher.Fetch(ctx, &fetch.Request{
		URL: address, Limit: max(limit, 1), AnyType: u.Path == "/robots.txt",
	})
	if refused, ok := errors.AsType[*fetch.RobotsError](err); ok {
		return s.refused(u.Host, refused), nil
	}
	if ctx.Err() == nil {
		s.count(u.Host, response != nil)
	}
	if err != nil && (response == nil || len(response.Body) == 0) {
		return nil, err
	}
	return &lint.Answer{
		Status: response.Status, Header: response.Header, Location: response.RedirectTo, Body: response.Body,
	}, nil
}

// refused returns the answer for an address that robots.txt keeps from being
// requested. A host that is skipped altogether is reported once.
func (s *LiveSite) refused(host string, refused *fetch.RobotsError) *lint.Answer {
	if refused.Delay == 0 {
		return &lint.Answer{Forbidden: refused.Error()}
	}
	s.report(HostSkipped{Host: host, Err: refused, MaxDelay: maxLiveDelay})
	return &lint.Answer{Skipped: "not checked: " + refused.Error()}
}

// report reports a host that is skipped, once.
func (s *LiveSite) report(skipped HostSkipped) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	const maxReports = 20
	if !s.skipped[skipped.Host] && len(s.skipped) < maxReports {
		s.skipped[skipped.Host] = true
		s.skip(skipped)
	}
}

func (s *LiveSite) isSilent(host string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.silent[host] >= maxUnanswered
}

// count counts a request. An answer resets the count of its host.
func (s *LiveSite) count(host string, answered bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if answered {
		delete(s.silent, host)
		return
	}
	s.silent[host]++
}

// HostSkipped reports a host that live checks leave out, because its robots.txt asks for
// a longer delay than they wait, or because it does not answer.
type HostSkipped struct {
	Host     string
	Err      error
	MaxDelay time.Duration // that they wait; 0 for a host that does not answer
}

// String says why the host was left out.
func (e HostSkipped) String() string {
	if e.MaxDelay == 0 {
		return fmt.Sprintf("%s was not checked any further: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("%s was not checked: %v, and a check waits for %v at most", e.Host, e.Err, e.MaxDelay)
}
