package crawl

import (
	"context"
	"fmt"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// askVanished queues the URLs that the earlier crawl wants asked and that this one has not found, once nothing else is
// left. It reports whether there are any. Nothing is found through them but where they redirect to and what they name
// as canonical, and none is listed. What a limit keeps from being requested stays without an answer. Seeds alone say
// nothing about other pages.
func (c *crawler) askVanished(ctx context.Context) bool {
	most, asks := c.beginAsking()
	if !asks {
		return false
	}
	s := &seeder{crawler: c, w: newWorker(c.state), isEarlier: true}
	for address, err := range c.options.Previous.URLsToAsk(ctx) {
		if err != nil && ctx.Err() == nil {
			c.notice(fmt.Sprintf("not all pages of the crawl before are looked for: %v", err))
		}
		if err != nil || most == 0 {
			break
		}
		if s.addVanished(address) {
			most--
		}
	}
	s.settle()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.waitingLocked() > 0
}

// beginAsking reports whether the crawl requests URLs of the earlier one, and how many it may; a negative number means
// all. A crawl that has not seen the whole site does not know which URLs are gone.
func (c *crawler) beginAsking() (most int, asks bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.options.Previous == nil || c.options.Offered != nil || c.options.Scope.OnlySeeds ||
		c.stopped || c.left > 0 || c.pages.isCut() {
		return 0, false
	}
	c.asking = true
	c.outage.retries.until = time.Time{}
	if limit := c.options.Limits.Pages; limit > 0 {
		return max(limit-c.requested, 0), true
	}
	return -1, true
}

// addVanished takes in a URL of the earlier crawl. It reports whether it is to be requested.
func (s *seeder) addVanished(address string) bool {
	if s.isFound(address) {
		return false
	}
	link, ok := s.w.resolver.resolve([]byte(s.start), []byte(address), resolvedLink{edge: noEdge, source: SeedEarlier})
	if !ok || link.role != RolePage {
		return false
	}
	s.addLink(link)
	return link.reason == ReasonListed
}

// isFound reports whether the crawl has found a URL, in the form in which crawls record it.
func (s *state) isFound(address string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.seen.get(s.urls.key([]byte(address))) != 0
}

// leaveSite removes what counts only for pages of the site.
func (p *Page) leaveSite() {
	p.Links, p.Anchors, p.Shingles, p.Extensions = nil, nil, nil, nil
	p.LastMod, p.LastModSource, p.Difference = sitemap.Date{}, "", nil
}
