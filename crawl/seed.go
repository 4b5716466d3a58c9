package crawl

import (
	"context"

	"github.com/mapatools/mapa/source"
)

// seedBatch is how many seeds are taken in at once.
const seedBatch = 1000

// seeder takes in what a new crawl begins with.
type seeder struct {
	*crawler
	w *worker
}

// seed begins a new crawl with the start, the seeds of the user, and the sitemaps that
// robots.txt names.
func (c *crawler) seed(ctx context.Context) {
	s := &seeder{c, newWorker(c.state)}
	s.add(c.start, SeedStart)
	s.settle()
	if c.options.Seeds != nil {
		for seed, err := range c.options.Seeds {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				c.fail(err)
				return
			}
			s.add(seed.URL, seed.Source)
		}
	}
	s.settle()
	origin := originOf(c.start)
	for _, location := range c.hosts.rules(ctx, origin).Sitemaps {
		s.addSitemap(ctx, origin+"/robots.txt", location)
	}
	c.mutex.Lock()
	c.seedSources = nil
	c.mutex.Unlock()
}

// add resolves a seed, and settles when there are enough.
func (s *seeder) add(address string, from SeedSource) {
	link, ok := s.w.resolver.resolve([]byte(s.start), []byte(address), resolvedLink{edge: noEdge, source: from})
	if from == SeedStart && link.reason == ReasonTrap {
		link.reason, link.detail, link.trap = ReasonListed, "", TrapNone // the user asks for it
	}
	if ok {
		s.w.found = append(s.w.found, link)
	}
	if len(s.w.found) >= seedBatch {
		s.settle()
	}
}

// addSitemap adds the pages of a sitemap that robots.txt names. A sitemap that cannot
// be read adds nothing: the links of the site are still there. Locations that are not
// web addresses are skipped, because source would read them as files.
func (s *seeder) addSitemap(ctx context.Context, robots, location string) {
	address := s.w.resolver.absolute([]byte(robots), []byte(location))
	if address == nil {
		return
	}
	options := &source.Options{UserAgent: s.options.Access.UserAgent, Client: s.client.HTTP()}
	for file, err := range source.Sitemaps(ctx, []string{string(address)}, options) {
		if err != nil {
			continue
		}
		for entry, err := range file.Entries() {
			if err != nil {
				break
			}
			s.add(string(entry.Loc), SeedSitemap)
		}
	}
	s.settle()
}

// settle takes the resolved seeds into the shared state.
func (s *seeder) settle() {
	s.mutex.Lock()
	for i := range s.w.found {
		link := &s.w.found[i]
		id := s.w.addLinkLocked(&item{depth: -1, url: s.start}, link)
		s.markSeedLocked(id, link.source)
	}
	s.mutex.Unlock()
	s.w.reset()
	s.flush(true)
}

// markSeedLocked records who named a URL, each source once.
func (s *state) markSeedLocked(id ID, from SeedSource) {
	for int(id) >= len(s.seedSources) {
		s.seedSources = append(s.seedSources, 0)
	}
	if s.seedSources[id]&from != from {
		s.seedSources[id] |= from
		s.pending.Seeds = append(s.pending.Seeds, SeedMark{id, from})
	}
}
