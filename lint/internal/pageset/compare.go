package pageset

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mapatools/mapa/internal/partition"
)

// comparer finds matches, one partition after the other. It holds a bounded number of links of each page whose key
// occurs twice.
type comparer struct {
	set     *Set
	matches *matches
	repeats partition.Repeats[record]
	links   links
}

// noPage is the record of a page that is not listed yet. It is after all others.
var noPage = record{origin: fileMask, entry: 1<<32 - 1}

// compare lets every processor look at a part of the partitions.
func (s *Set) compare(ctx context.Context) (*matches, error) {
	found := make([]*matches, runtime.GOMAXPROCS(0))
	failed := make([]error, len(found))
	var next atomic.Int64
	var running sync.WaitGroup
	for i := range found {
		running.Go(func() {
			c := comparer{set: s, matches: &matches{maxEach: s.options.MaxEach, groups: map[groupKey]*matchList{}}}
			c.repeats = partition.Repeats[record]{Hash: hashOf, Before: isBefore, Last: noPage}
			found[i] = c.matches
			for failed[i] == nil && ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= partition.Count {
					return
				}
				failed[i] = c.partition(n)
			}
		})
	}
	running.Wait()
	for i := range found {
		if failed[i] != nil {
			return nil, failed[i]
		}
		if i > 0 {
			found[0].merge(found[i])
		}
	}
	return found[0], ctx.Err()
}

// hashOf returns the key of a page or of a link, and whether it is a page.
func hashOf(r *record) (hash uint64, isPage bool) {
	kind := r.kind()
	if kind == crawledRecord {
		return 0, false
	}
	return uint64(r.key), kind == pageRecord
}

func isBefore(r, first *record) bool { return comparePages(r.page(), first.page()) < 0 }

// partition compares pages with the first listing of the same page, and then the links to each.
func (c *comparer) partition(i int) error {
	c.links.clear()
	if err := c.compareCrawl(i); err != nil {
		return err
	}
	err := c.repeats.Each(c.set.records, i, func(r, first *record) {
		switch kind := r.kind(); {
		case kind == outRecord, kind == inRecord:
			c.links.add(r)
		case kind == pageRecord && *r != *first:
			c.compare(r, first)
		}
	})
	if err != nil {
		return err
	}
	c.links.eachPage(c.compareLinks)
	return nil
}

// compare compares a page with one that was listed before.
func (c *comparer) compare(r, before *record) {
	file, first := c.set.files[r.file()], c.set.files[before.file()]
	switch {
	case file.format != first.format:
		return // a feed of new pages, or a list, may repeat what the sitemap has
	case r.a != before.a:
		c.match(Equivalent, r, before)
	case file == first:
		c.match(Duplicate, r, before)
	case file.media == first.media:
		c.match(DuplicateAcrossFiles, r, before)
	}
	if conflict(r.b, before.b) {
		c.match(Conflict, r, before)
	}
}

func (c *comparer) match(kind Kind, at, other *record) {
	if c.set.wanted[kind] {
		c.matches.add(match{kind, at.page(), other.page()})
	}
}

// compareLinks compares the links to a page with its own and with each other.
func (c *comparer) compareLinks(links []record) {
	page, twice := c.repeats.First(uint64(links[0].key))
	if !twice {
		return
	}
	if page == noPage {
		c.compareLanguages(links, func(*record) bool { return true })
		return
	}
	back := map[uint32]bool{}
	own := map[uint32]bool{} // the languages in the page's link to itself
	self := page.key.short()
	for i := range links {
		switch r := &links[i]; {
		case r.kind() == outRecord:
			back[r.a] = true
		case r.a == self && r.b != anyLanguage:
			own[r.b] = true
		}
	}
	for i := range links {
		r := &links[i]
		switch {
		case r.kind() == outRecord || r.a == self:
		case !back[r.a]:
			c.match(NoReturnLink, r, &page)
		case r.b != anyLanguage && len(own) > 0 && !own[r.b]:
			c.match(OtherLanguage, r, &page)
		}
	}
	if len(own) == 0 {
		c.compareLanguages(links, func(r *record) bool { return back[r.a] })
	}
}

// compareLanguages compares the languages that pages give one that gives itself none
// with those that the first of them gives it.
func (c *comparer) compareLanguages(links []record, counts func(*record) bool) {
	named := func(r *record) bool { return r.kind() == inRecord && r.b != anyLanguage && counts(r) }
	first := noPage
	for i := range links {
		if r := &links[i]; named(r) && comparePages(r.page(), first.page()) < 0 {
			first = *r
		}
	}
	given := map[uint32]bool{}
	for i := range links {
		if r := &links[i]; named(r) && r.page() == first.page() {
			given[r.b] = true
		}
	}
	for i := range links {
		if r := &links[i]; named(r) && !given[r.b] {
			c.match(LanguageElsewhere, r, &first)
		}
	}
}
