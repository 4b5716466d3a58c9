package crawl

import (
	"context"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/source"
)

// seedBatch is how many addresses of a sitemap are taken in at a time.
const seedBatch = 1000

// replay takes up what the store holds.
func (c *crawler) replay(ctx context.Context) error {
	w := newWorker(c)
	var done, unasked idSet
	err := c.store.Replay(ctx, func(commit Commit) error {
		for i := range commit.Done {
			page := &commit.Done[i]
			done.add(page.ID)
			if page.unasked() {
				unasked.add(page.ID)
			}
			if page.Reason == ReasonRedirect && page.Target > 0 {
				c.redirects[page.ID] = hop{page.Target, page.Status}
			}
			c.count(page)
			c.seeded = true
		}
		for i := range commit.Found {
			link := &commit.Found[i]
			c.last = max(c.last, link.ID)
			c.seen.add(w.key([]byte(link.URL)), link.ID)
			switch {
			case !done.has(link.ID):
				c.takeUp(link)
			case link.Role == RolePage && !unasked.has(link.ID):
				c.tally.Pages++
			}
		}
		return c.failed
	})
	c.tally.Resumed = c.last > 0
	return err
}

// takeUp takes in an address that was found and not fetched.
func (c *crawler) takeUp(link *Link) {
	switch link.Reason {
	case ReasonListed:
		c.queue(link.item())
	case ReasonNofollow:
		c.held[link.ID] = *link
	}
}

// An idSet is a set of IDs, a bit each.
type idSet []uint64

func (s *idSet) add(id ID) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s idSet) has(id ID) bool {
	return int(id/64) < len(s) && s[id/64]&(1<<(id%64)) != 0
}

// seed begins a crawl that has no page yet with the start, what the user gave,
// and the sitemaps that robots.txt names.
func (c *crawler) seed(ctx context.Context) {
	w := newWorker(c)
	w.plant(c.start, SeedStart)
	w.admitSeeds()
	if c.options.Seeds != nil {
		for seed, err := range c.options.Seeds {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				c.fail(err)
				return
			}
			w.plant(seed.URL, seed.Source)
		}
	}
	w.admitSeeds()
	origin, _ := urlnorm.CutOrigin(c.start)
	for _, address := range c.hosts.rules(ctx, origin).Sitemaps {
		w.seedSitemap(ctx, origin+"/robots.txt", address)
	}
	c.given = nil
}

// plant takes a seed in, together with others.
func (w *worker) plant(address string, given SeedSource) {
	w.meet([]byte(w.start), []byte(address), met{edge: -1, given: given})
	if len(w.met) >= seedBatch {
		w.admitSeeds()
	}
}

func (w *worker) admitSeeds() {
	w.mutex.Lock()
	for i := range w.met {
		id := w.admit(item{depth: -1, url: w.start}, &w.met[i])
		w.name(id, w.met[i].given)
	}
	w.mutex.Unlock()
	w.met, w.arena = w.met[:0], w.arena[:0]
	w.hand(true)
}

// name notes who named an address, once each.
func (c *crawler) name(id ID, given SeedSource) {
	for int(id) >= len(c.given) {
		c.given = append(c.given, 0)
	}
	if c.given[id]&given != given {
		c.given[id] |= given
		c.pending.Seeds = append(c.pending.Seeds, SeedMark{id, given})
	}
}

// seedSitemap takes in the pages of a sitemap that robots.txt names. One that
// cannot be read seeds nothing: the site's links are still there. Neither does
// one that has no web address, which source would look for on this machine.
func (w *worker) seedSitemap(ctx context.Context, robots, location string) {
	base, ok := w.baseOf([]byte(robots))
	if !ok {
		return
	}
	address, err := base.AppendResolve(nil, []byte(location))
	if err != nil {
		return
	}
	options := &source.Options{UserAgent: w.options.Access.UserAgent, Client: w.client.HTTP()}
	for file, err := range source.Sitemaps(ctx, []string{string(address)}, options) {
		if err != nil {
			continue
		}
		for entry, err := range file.Entries() {
			if err != nil {
				break
			}
			w.plant(string(entry.Loc), SeedSitemap)
		}
	}
	w.admitSeeds()
}
