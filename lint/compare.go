package lint

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// A comparer finds what is wrong between pages, one partition after the other. It
// holds the keys of a partition, more only of those that stand in it twice, and
// no more of a page than a bounded number of links.
type comparer struct {
	run   *run
	hits  *hits
	seen  keySet
	first map[pageKey]record // of keys that stand twice: the page as it is listed first
	links links
}

// noPage stands for a page that was not listed yet.
var noPage = record{origin: fileMask, entry: 1<<32 - 1}

// compare lets every processor look at a part of the partitions.
func (r *run) compare(ctx context.Context) (*hits, error) {
	found := make([]*hits, runtime.GOMAXPROCS(0))
	failed := make([]error, len(found))
	var next atomic.Int64
	var running sync.WaitGroup
	for i := range found {
		running.Go(func() {
			c := comparer{run: r, hits: newHits(r.options.MaxPerRule), first: map[pageKey]record{}}
			found[i] = c.hits
			for failed[i] == nil && ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= partitionCount {
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

// partition looks at a partition once where every page is listed once, and two
// more times where not.
func (c *comparer) partition(i int) error {
	c.seen.clear()
	clear(c.first)
	c.links.clear()
	if err := c.judgeCrawl(i); err != nil {
		return err
	}
	for _, look := range []func([]record){c.notice, c.collect, c.again} {
		if err := c.run.set.records.each(i, look); err != nil {
			return err
		}
		if len(c.first) == 0 {
			return nil
		}
	}
	c.links.eachPage(c.judgeLinks)
	return nil
}

// notice finds the keys that stand twice.
func (c *comparer) notice(block []record) {
	for i := range block {
		if block[i].kind() != crawledRecord && c.seen.add(block[i].key) {
			c.first[block[i].key] = noPage
		}
	}
}

// collect finds where their pages are listed first, and all links.
func (c *comparer) collect(block []record) {
	for i := range block {
		r := &block[i]
		switch r.kind() {
		case pageRecord:
			if first, twice := c.first[r.key]; twice && comparePages(r.at(), first.at()) < 0 {
				c.first[r.key] = *r
			}
		case outRecord, inRecord:
			c.links.add(r)
		}
	}
}

// again compares pages with themselves as they are listed first.
func (c *comparer) again(block []record) {
	for i := range block {
		r := &block[i]
		if r.kind() != pageRecord {
			continue
		}
		if first, twice := c.first[r.key]; twice && first != *r {
			c.compare(r, &first)
		}
	}
}

// compare judges a page that was listed before.
func (c *comparer) compare(r, before *record) {
	rule := duplicateLoc
	file, first := c.run.set.files[r.file()], c.run.set.files[before.file()]
	switch {
	case file.format != first.format:
		return // a feed of what is new, or a list, may stand beside the sitemap
	case r.a != before.a:
		rule = equivalentLoc
	case file != first && file.media != first.media:
		rule = nil
	case file != first:
		rule = duplicateAcrossFiles
	}
	if rule != nil {
		c.hit(rule, r, before)
	}
	if conflict(r.b, before.b) {
		c.hit(conflictingMetadata, r, before)
	}
}

func (c *comparer) hit(rule *Rule, at, other *record) {
	if _, applied := c.run.plan.severity[rule]; applied {
		c.hits.add(hit{rule, at.at(), other.at()})
	}
}
