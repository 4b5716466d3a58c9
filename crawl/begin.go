package crawl

import (
	"context"
	"strings"

	"github.com/mapatools/mapa/source"
)

// seedBatch is how many addresses of a sitemap are taken in at a time.
const seedBatch = 1000

// replay takes up what the store holds.
func (c *crawler) replay(ctx context.Context) error {
	w := newWorker(c)
	var waiting []Link
	roles := map[ID]Role{} // of what is no page
	finished := map[ID]bool{}
	err := c.store.Replay(ctx, func(commit Commit) error {
		for _, link := range commit.Found {
			c.last = max(c.last, link.ID)
			c.seen.add(w.key([]byte(link.URL)), link.ID)
			if link.Role != RolePage {
				roles[link.ID] = link.Role
			}
			switch link.Reason {
			case Listed:
				waiting = append(waiting, link)
			case NofollowOnly:
				c.held[link.ID] = link
			}
		}
		for i := range commit.Done {
			page := &commit.Done[i]
			finished[page.ID] = true
			if page.Reason == Redirect && page.Target > 0 {
				c.redirects[page.ID] = hop{page.Target, page.Status}
			}
			delete(c.held, page.ID)
			c.count(roles[page.ID], page)
		}
		return nil
	})
	for _, link := range waiting {
		if !finished[link.ID] {
			c.queue(link.item())
		}
	}
	c.tally.Resumed = c.last > 0
	c.seeded = len(finished) > 0
	return err
}

// seed begins a crawl that has no page yet with the start, what the user gave,
// and the sitemaps that robots.txt names.
func (c *crawler) seed(ctx context.Context) {
	w := newWorker(c)
	w.plant(c.start, GivenStart)
	w.admitSeeds()
	if c.options.Seeds != nil {
		for seed, err := range c.options.Seeds {
			if err != nil {
				c.fail(err)
				return
			}
			w.plant(seed.URL, seed.Given)
		}
	}
	w.admitSeeds()
	origin, _ := cutOrigin(c.start)
	for _, line := range c.hosts.rules(ctx, origin).file.Sitemaps() {
		w.seedSitemap(ctx, origin, line.Value)
	}
	c.given = nil
}

// plant takes a seed in, together with others.
func (w *worker) plant(address string, given Given) {
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
func (c *crawler) name(id ID, given Given) {
	for int(id) >= len(c.given) {
		c.given = append(c.given, 0)
	}
	if c.given[id]&given != given {
		c.given[id] |= given
		c.pending.Given = append(c.pending.Given, Naming{id, given})
	}
}

// seedSitemap takes in the pages of a sitemap. One that cannot be read seeds
// nothing: the site's links are still there.
func (w *worker) seedSitemap(ctx context.Context, origin, location string) {
	if strings.HasPrefix(location, "/") {
		location = origin + location
	}
	options := &source.Options{UserAgent: w.options.Access.UserAgent, Client: w.client.HTTP()}
	for file, err := range source.Sitemaps(ctx, []string{location}, options) {
		if err != nil {
			continue
		}
		for entry, err := range file.Entries() {
			if err != nil {
				break
			}
			w.plant(string(entry.Loc), GivenSitemap)
		}
	}
	w.admitSeeds()
}
