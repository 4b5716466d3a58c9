package app

import (
	"context"
	"errors"
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

// A liveSite requests pages as politely as a crawl does and obeys robots.txt.
type liveSite struct {
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

func newLiveSite(options *fetch.Options, skip func(HostSkipped)) (*liveSite, error) {
	options.Types = imageTypes
	client, err := fetch.New(options)
	if err != nil {
		return nil, err
	}
	robots := fetch.NewRobots(client, &fetch.RobotsOptions{MaxDelay: maxLiveDelay})
	return &liveSite{fetcher: robots, skip: skip, skipped: map[string]bool{}, silent: map[string]int{}}, nil
}

// Get implements lint.Live.
func (s *liveSite) Get(ctx context.Context, address string, limit int64) (*lint.Answer, error) {
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
func (s *liveSite) refused(host string, refused *fetch.RobotsError) *lint.Answer {
	if refused.Delay == 0 {
		return &lint.Answer{Forbidden: refused.Error()}
	}
	s.report(HostSkipped{Host: host, Err: refused, MaxDelay: maxLiveDelay})
	return &lint.Answer{Skipped: "not checked: " + refused.Error()}
}

// report reports a host that is skipped, once.
func (s *liveSite) report(skipped HostSkipped) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	const maxReports = 20
	if !s.skipped[skipped.Host] && len(s.skipped) < maxReports {
		s.skipped[skipped.Host] = true
		s.skip(skipped)
	}
}

func (s *liveSite) isSilent(host string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.silent[host] >= maxUnanswered
}

// count counts a request. An answer resets the count of its host.
func (s *liveSite) count(host string, answered bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if answered {
		delete(s.silent, host)
		return
	}
	s.silent[host]++
}
