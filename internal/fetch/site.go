package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// maxCheckDelay is the longest Crawl-delay that a check waits for: a sample of 200
// pages takes 100 minutes with it. A host that asks for more is not checked.
const maxCheckDelay = 30 * time.Second

// maxUnanswered is how many requests in a row a host may leave without an answer. Its other
// pages are not checked then.
const maxUnanswered = 10

var errSilent = errors.New("the host does not answer")

// A Site requests single URLs for a check. It obeys robots.txt, and leaves out hosts that
// would hold up the check. It is safe for concurrent use.
type Site struct {
	robots   *Robots
	onNotice func(text string)

	mutex   sync.Mutex
	skipped map[string]bool // hosts that were reported
	silent  map[string]int  // requests in a row without an answer, by host
}

// NewSite returns a site whose requests a client sends. onNotice, unless it is nil, is
// called for each of the first hosts that are left out.
func NewSite(client *Client, onNotice func(text string)) *Site {
	return &Site{
		robots:   NewRobots(client, &RobotsOptions{MaxDelay: maxCheckDelay}),
		onNotice: onNotice, skipped: map[string]bool{}, silent: map[string]int{},
	}
}

// An Answer is what a site answers for one URL.
type Answer struct {
	Status   int
	Header   http.Header
	Location string // absolute, of a redirect
	Body     []byte // without its Content-Encoding
	// Forbidden is the rule of robots.txt that forbids the request. Everything else
	// is empty then.
	Forbidden string
	// Skipped is why the URL was not requested although no rule forbids it, such as a
	// Crawl-delay that is too long for a check. Everything else is empty then.
	Skipped string
}

// Get requests a URL once, without following redirects, and returns the answer with at most
// limit bytes of the body. The body of a type that the client does not read is missing. An
// error means that there is no answer.
func (s *Site) Get(ctx context.Context, address string, limit int64) (*Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if s.isSilent(u.Host) {
		s.notice(u.Host, fmt.Sprintf("%s was not checked any further: %v", u.Host, errSilent))
		return &Answer{Skipped: "not checked: " + errSilent.Error()}, nil
	}
	response, err := s.robots.Fetch(ctx, &Request{
		URL: address, Limit: max(limit, 1), AnyType: u.Path == robotsPath,
	})
	if refused, ok := errors.AsType[*RobotsError](err); ok {
		return s.refused(u.Host, refused), nil
	}
	if ctx.Err() == nil {
		s.count(u.Host, response != nil)
	}
	if err != nil && (response == nil || len(response.Body) == 0) {
		return nil, err
	}
	return &Answer{
		Status: response.Status, Header: response.Header, Location: response.RedirectTo, Body: response.Body,
	}, nil
}

// refused returns the answer for a URL that robots.txt keeps from being requested.
func (s *Site) refused(host string, refused *RobotsError) *Answer {
	if refused.Delay == 0 {
		return &Answer{Forbidden: refused.Error()}
	}
	s.notice(host, fmt.Sprintf("%s was not checked: %v, and a check waits for %v at most", host, refused, maxCheckDelay))
	return &Answer{Skipped: "not checked: " + refused.Error()}
}

// notice reports once that a host is left out.
func (s *Site) notice(host, text string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	const maxNotices = 20
	if s.onNotice != nil && !s.skipped[host] && len(s.skipped) < maxNotices {
		s.skipped[host] = true
		s.onNotice(text)
	}
}

func (s *Site) isSilent(host string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.silent[host] >= maxUnanswered
}

// count counts a request. An answer resets the count of its host.
func (s *Site) count(host string, answered bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if answered {
		delete(s.silent, host)
		return
	}
	s.silent[host]++
}
