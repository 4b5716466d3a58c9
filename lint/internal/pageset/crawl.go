package pageset

import (
	"bytes"
	"context"
	"iter"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// CrawledPage is a page that a crawl requested.
type CrawledPage struct {
	URL    string
	Linked bool // visitors get there by links
	State  CrawlState
	Status int
}

// CrawlState is what a crawl found out about a page.
type CrawlState uint8

// The states.
const (
	CrawlFit CrawlState = iota
	CrawlDead
	CrawlRedirect
	CrawlNoIndex
)

// What the record of a crawled page says in a: a state that is not CrawlFit, or
const (
	notLinked = iota + 1<<8
	linked
	listedAs // a file lists the page, in another spelling; the crawl did not find it by this record
)

// crawlForm appends the form in which a crawl identifies a page. Unlike in
// scan.NormalForm, session IDs, tracking parameters and the order of parameters
// do not count.
func crawlForm(dst, loc []byte) ([]byte, error) {
	var room [512]byte
	resolved, err := absolute.AppendResolve(room[:0], loc)
	if err != nil {
		return dst, err
	}
	return urlnorm.AppendKey(dst, resolved, crawlOptions), nil
}

// absolute resolves absolute addresses only.
var absolute urlnorm.Base

var crawlOptions = urlnorm.KeyOptions{Strip: urlnorm.PageParameters(), SortQuery: true}

// addCrawlKey adds the key by which a crawl knows a page with parameters.
func (c *Collector) addCrawlKey(loc, normal []byte) {
	var err error
	if c.other, err = crawlForm(c.other[:0], loc); err == nil && !bytes.Equal(c.other, normal) {
		k := c.set.seed.key(c.other)
		c.add(record{key: k, origin: crawledRecord | c.file.number, entry: c.entries, a: listedAs})
	}
}

// AddCrawl adds the pages of a crawl after all files, as those of one more file
// with the location of the first. An error is that of pages, or of ctx.
func (s *Set) AddCrawl(ctx context.Context, pages iter.Seq2[CrawledPage, error]) error {
	if len(s.files) == 0 {
		return nil
	}
	c := &Collector{set: s, file: s.AddFile(s.files[0].location)}
	defer c.Close()
	for page, err := range pages {
		if err != nil {
			return err
		}
		if c.entries%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.addCrawled(page); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collector) addCrawled(page CrawledPage) (err error) {
	loc := []byte(page.URL)
	if c.normal, err = crawlForm(c.normal[:0], loc); err != nil {
		return nil // not an address, so no sitemap lists it
	}
	record := record{key: c.set.seed.key(c.normal), origin: crawledRecord | c.file.number, entry: c.entries}
	switch {
	case page.State != CrawlFit:
		record.a = uint32(page.State)
	case page.Linked:
		record.a = linked
	default:
		record.a = notLinked
	}
	c.add(record)
	c.entries++
	return c.file.log.add(loc, int64(page.Status), 0, 0, Values{}) // which has no offset
}

// crawled is the record of a crawled page and of the first page in a file that is
// the same one: noPage where no file lists it.
type crawled struct{ page, listed record }

// compareCrawl compares the crawled pages of a partition with the listed ones.
func (c *comparer) compareCrawl(i int) error {
	if !c.set.options.Crawled {
		return nil
	}
	found := map[key]crawled{}
	for _, look := range []func(*record){
		func(r *record) {
			if r.kind() == crawledRecord && r.a != listedAs {
				found[r.key] = crawled{*r, noPage}
			}
		},
		func(r *record) {
			listed := r.kind() == pageRecord || r.kind() == crawledRecord && r.a == listedAs
			if f, known := found[r.key]; known && listed && comparePages(r.page(), f.listed.page()) < 0 {
				found[r.key] = crawled{f.page, *r}
			}
		},
	} {
		err := c.set.records.Each(i, func(block []record) {
			for i := range block {
				look(&block[i])
			}
		})
		if err != nil {
			return err
		}
	}
	for _, f := range found {
		kind, unfit := unfitKinds[f.page.a]
		switch {
		case unfit && f.listed != noPage:
			c.match(kind, &f.listed, &f.page)
		case unfit:
		case f.listed == noPage:
			c.match(NotListed, &f.page, &f.page)
		case f.page.a == notLinked:
			c.match(NotLinked, &f.listed, &f.page)
		}
	}
	return nil
}

// unfitKinds are the matches of listed pages that are not fit for a sitemap.
var unfitKinds = map[uint32]Kind{
	uint32(CrawlDead): ListedDead, uint32(CrawlRedirect): ListedRedirect, uint32(CrawlNoIndex): ListedNoIndex,
}
