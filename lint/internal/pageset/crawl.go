package pageset

import (
	"bytes"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// NoMatch is the kind of a crawled page that is fit for a sitemap and linked.
const NoMatch = kindCount

// The record of a crawled page says in a which kind of match it is where a file lists it,
// or listedAs: a file lists the page, in another spelling; the crawl did not find it by
// this record.
const listedAs = 1 << 8

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

// CollectCrawl returns a collector of the pages of a crawl, after at least one file. They
// are those of one more file with the location of the first.
func (s *Set) CollectCrawl() *Collector {
	return &Collector{set: s, file: s.AddFile(s.files[0].location)}
}

// AddCrawled adds a page that a crawl requested, and the status of the answer. Listed is
// the match of the page where a file lists it: NoMatch, NotLinked, or a kind that says why
// it is not fit for a sitemap.
func (c *Collector) AddCrawled(address string, listed Kind, status int) (err error) {
	loc := []byte(address)
	if c.normal, err = crawlForm(c.normal[:0], loc); err != nil {
		return nil // not an address, so no sitemap lists it
	}
	k := c.set.seed.key(c.normal)
	c.add(record{key: k, origin: crawledRecord | c.file.number, entry: c.entries, a: uint32(listed)})
	c.entries++
	return c.file.log.add(loc, int64(status), 0, 0, Values{}) // which has no offset
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
		kind, isListed := Kind(f.page.a), f.listed != noPage
		switch {
		case isListed && kind != NoMatch:
			c.match(kind, &f.listed, &f.page)
		case !isListed && (kind == NoMatch || kind == NotLinked):
			c.match(NotListed, &f.page, &f.page)
		}
	}
	return nil
}
