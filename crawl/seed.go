package crawl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/source"
)

const (
	// seedBatch is how many seeds are taken in at once.
	seedBatch = 1000
	// sitemapTime is the longest time to wait for the body of one sitemap.
	sitemapTime = time.Minute
	// sitemapsTime is the longest time to read the sitemaps that robots.txt names, by
	// the rate of the crawl. The links of the site are still there.
	sitemapsTime = 5 * time.Minute
)

// seeder adds the URLs that a new crawl begins with.
type seeder struct {
	*crawler
	w         *worker
	isEarlier bool // the URLs are those of an earlier crawl
}

// seed begins a new crawl with the start, the seeds of the user, and the sitemaps that
// robots.txt names.
func (c *crawler) seed(ctx context.Context) {
	s := &seeder{crawler: c, w: newWorker(c.state)}
	s.add(c.start, SeedStart)
	s.settle()
	if c.options.Seeds != nil && !s.addSeeds(ctx) {
		return
	}
	origin := urlnorm.Origin(c.address.toCrawled(c.start))
	rules := c.hosts.rules(ctx, origin)
	c.noticeDelay(rules.AskedDelay, len(rules.Sitemaps))
	if !c.options.SkipSitemaps && !c.options.Scope.OnlySeeds {
		s.addSitemaps(ctx, origin+"/robots.txt", rules.Sitemaps)
	}
	c.mutex.Lock()
	c.seedSources, c.tally.Reading = nil, ""
	c.mutex.Unlock()
}

// givenSeed is what Options.Seeds yields.
type givenSeed struct {
	Seed
	err error
}

// addSeeds adds the seeds of the user. It reports false if ctx ends first, even while
// a seed is waited for, or if they fail.
func (s *seeder) addSeeds(ctx context.Context) bool {
	given := make(chan givenSeed, seedBatch)
	go func() {
		defer close(given)
		for seed, err := range s.options.Seeds {
			select {
			case given <- givenSeed{seed, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer s.settle()
	for {
		select {
		case <-ctx.Done():
			return false
		case next, ok := <-given:
			switch {
			case !ok:
				return true
			case ctx.Err() != nil:
				return false
			case next.err != nil:
				s.fail(next.err)
				return false
			}
			s.add(next.URL, next.Source)
		}
	}
}

// add resolves a seed.
func (s *seeder) add(address string, from SeedSource) {
	link, ok := s.w.resolver.resolve([]byte(s.start), []byte(address), resolvedLink{edge: noEdge, source: from})
	if from == SeedStart && link.reason == ReasonTrap {
		link.reason, link.detail, link.trap = ReasonListed, "", TrapNone // the user asks for it
	}
	if ok {
		s.addLink(link)
	}
}

// addLink adds a resolved seed, and settles when there are enough.
func (s *seeder) addLink(link resolvedLink) {
	if s.w.found = append(s.w.found, link); len(s.w.found) >= seedBatch {
		s.settle()
	}
}

// addSitemaps adds the pages of the sitemaps that robots.txt names. A sitemap that
// cannot be read adds nothing: the links of the site are still there. Locations that
// are not web addresses are skipped, because source would read them as files.
func (s *seeder) addSitemaps(ctx context.Context, robots string, locations []string) {
	var addresses []string
	isNamed := false
	for _, location := range locations {
		address := string(s.w.resolver.absolute([]byte(robots), []byte(location)))
		switch {
		case address == "":
			continue
		case s.isForeign(address):
			s.onSitemap(SiteSitemap{URL: address, Named: true})
		default:
			addresses = append(addresses, address)
		}
		isNamed = true
	}
	limited, cancel := context.WithTimeout(ctx, sitemapsTime)
	defer cancel()
	defer s.settle()
	if !isNamed {
		s.lookForSitemap(limited, robots)
		return
	}
	for file, err := range source.Sitemaps(limited, addresses, s.sitemapOptions()) {
		named, failed := errors.AsType[*source.Error](err)
		switch {
		case errors.Is(err, source.ErrTooMany):
			s.notice(err.Error())
		case failed && named.Index == "" && limited.Err() == nil:
			s.onSitemap(SiteSitemap{URL: named.Location, Named: true, Err: err})
		}
		if err != nil {
			continue
		}
		found := SiteSitemap{URL: file.Location, Named: true}
		found.read(file, func(address string) { s.add(address, SeedSitemap) })
		s.onSitemap(found)
	}
	if limited.Err() != nil && ctx.Err() == nil {
		s.notice(fmt.Sprintf("the sitemaps that robots.txt names could not all be read in %v: "+
			"pages that only they list are missing", sitemapsTime))
	}
}

// sitemapOptions returns how sitemaps are requested: by the rules that hold for pages, those of
// robots.txt and the rate.
func (s *seeder) sitemapOptions() *source.Options {
	return sourceOptions(&siteStream{s.client.Stream(s.hosts.robots), s.address, s.reads}, s.options.Access.Timeout)
}

// maxUnnamedFiles is how many sitemaps of an index that nothing names are read.
const maxUnnamedFiles = 3

// lookForSitemap counts the pages of a sitemap at the usual place, if somebody wants to know of
// one. Nobody says that it is up to date, so the crawl does not use it.
func (s *seeder) lookForSitemap(ctx context.Context, robots string) {
	o := &s.options
	if o.OnSitemap == nil || o.Seeds != nil || o.Local.Transport != nil || o.Scope.Prefix != "" {
		return
	}
	address := string(s.w.resolver.absolute([]byte(robots), []byte("/sitemap.xml")))
	files, found := 0, SiteSitemap{URL: address}
	for file, err := range source.Sitemaps(ctx, []string{address}, s.sitemapOptions()) {
		if err != nil {
			continue
		}
		found.read(file, func(string) {})
		if files++; files == maxUnnamedFiles {
			break
		}
	}
	if found.Pages > 0 {
		s.onSitemap(found)
	}
}

// read counts the pages of a file, and calls each with their URLs.
func (s *SiteSitemap) read(file *source.File, each func(address string)) {
	for entry, err := range file.Entries() {
		if err != nil {
			return
		}
		address := string(entry.Loc)
		if origin := urlnorm.Origin(address); s.Pages == 0 {
			s.Origin = origin
		} else if s.Origin != origin {
			s.Origin = ""
		}
		s.Pages++
		each(address)
	}
}

func (s *seeder) onSitemap(found SiteSitemap) {
	if s.options.OnSitemap != nil {
		s.options.OnSitemap(found)
	}
}

// reads notes for the progress which sitemap is read. It refuses that of another site.
func (s *seeder) reads(address string) error {
	if s.isForeign(address) {
		return &fetch.Error{URL: address, Kind: fetch.KindBlocked}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.tally.Reading = address
	return nil
}

// isForeign reports whether a crawl of this machine would ask another host for a sitemap.
func (s *seeder) isForeign(address string) bool {
	own, host := urlnorm.Host(s.address.toCrawled(s.start)), urlnorm.Host(s.address.toCrawled(address))
	return (s.options.Local.Transport != nil || urlnorm.IsLoopback(own)) && host != own &&
		!urlnorm.IsLoopback(host)
}

// settle takes the resolved seeds into the shared state.
func (s *seeder) settle() {
	s.mutex.Lock()
	for i := range s.w.found {
		link := &s.w.found[i]
		id := s.w.addLinkLocked(&item{depth: -1, url: s.start, isEarlier: s.isEarlier}, link)
		if !s.isEarlier { // else addNewLocked has marked it
			s.markSeedLocked(id, link.source)
		}
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
		s.pending.Seeds = append(s.pending.Seeds, Link{ID: id, SeededBy: from})
	}
}
