package lint

import (
	"bytes"
	"context"
	"sync"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A CrawledPage is one that a crawl of the site found fit for a sitemap: it may
// be indexed, and is not another page's double.
type CrawledPage struct {
	URL string
	// Linked says that visitors get there by links, or begin there; or that the
	// crawl cannot tell, because it ended early.
	Linked bool
}

// crawlRules compare the pages of all files together with those of a crawl.
var crawlRules = []*Rule{pageNotInSitemap, orphanPage}

// website is an example of a sitemap with these entries, a home page with these
// links, and two more pages.
func website(entries, links string) string {
	html := func(body string) string {
		return "<!DOCTYPE html>\n<title>Example</title>\n<body>" + body + "</body>\n"
	}
	return "-- /sitemap.xml --\n" + urlset(entries) + "-- / --\n" + html(links) + "-- /steak --\n" + html("") + "-- /wine --\n" + html("")
}

var bothPages = goodURL + page("https://example.com/steak", "") + page("https://example.com/wine", "")

const bothLinks = `<a href="/steak">Steak</a> <a href="/wine">Wine</a>`

var pageNotInSitemap = &Rule{
	ID:    "page-not-in-sitemap",
	Title: "page is missing from the sitemap",
	Why: "The crawl found that the page answers 200 and is open to search engines, but no sitemap " +
		"lists it. Search engines have to discover it on their own. This rule needs --crawl.",
	Cure:     "List the page, or add noindex if it should not appear in search results.",
	Severity: SeverityInfo,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      website(goodURL+page("https://example.com/steak", ""), bothLinks),
	Good:     website(bothPages, bothLinks),
}

var orphanPage = &Rule{
	ID:    "orphan-page",
	Title: "orphan page: no page links to this listed page",
	Why: "Visitors cannot reach the page through links, and search engines consider it unimportant. Google asks for at " +
		"least one link to every page you care about. This rule needs --crawl, and checks only pages that the crawl found.",
	Cure:     "Link to the page where visitors look for it, or remove it from the sitemap if it is obsolete.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
	Since:    "0.1",
	Bad:      website(bothPages, `<a href="/steak">Steak</a>`),
	Good:     website(bothPages, bothLinks),
}

// What the record of a crawl says of a page.
const (
	notLinked = iota
	linked
	listedAs // nothing but that a file lists it, in a spelling of its own
)

// pageForm appends the form in which a crawl tells pages from each other: other
// than in normalForm, identifiers of sessions and the order of parameters do not
// count, and neither do parameters that only tell where a visitor came from.
func pageForm(dst, loc []byte) ([]byte, error) {
	var room [512]byte
	resolved, err := noBase.AppendResolve(room[:0], loc)
	if err != nil {
		return dst, err
	}
	return urlnorm.AppendKey(dst, resolved, crawlForm()), nil
}

var crawlForm = sync.OnceValue(func() urlnorm.KeyOptions {
	return urlnorm.KeyOptions{Strip: urlnorm.PageParameters(), SortQuery: true}
})

// listed remembers under which address a crawl knows a page that has parameters.
func (g *gatherer) listed(loc, normal []byte) {
	var err error
	if g.other, err = pageForm(g.other[:0], loc); err == nil && !bytes.Equal(g.other, normal) {
		g.add(record{key: g.set.seed.key(g.other), origin: crawledRecord | g.number, entry: g.entries, a: listedAs})
	}
}

// gatherCrawl remembers the pages of the crawl as it does those of a file, under
// the name of the first one.
func (r *run) gatherCrawl(ctx context.Context) error {
	if r.options.Crawled == nil || !r.plan.set || len(r.set.files) == 0 {
		return nil
	}
	number, file := r.set.number(r.set.files[0].location)
	g := &gatherer{set: r.set, number: number, file: file}
	defer g.done()
	for page, err := range r.options.Crawled {
		if err != nil {
			return err
		}
		if g.entries%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := g.crawled(page); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) crawled(page CrawledPage) (err error) {
	loc := []byte(page.URL)
	if g.normal, err = pageForm(g.normal[:0], loc); err != nil {
		return nil // no sitemap lists what is no address
	}
	record := record{key: g.set.seed.key(g.normal), origin: crawledRecord | g.number, entry: g.entries}
	if page.Linked {
		record.a = linked
	}
	g.add(record)
	g.entries++
	return g.file.reel.add(loc, 0, 0, 0)
}

// A meeting is a page that a crawl met, and where it is listed first: noPage where
// it is not.
type meeting struct{ page, listing record }

// judgeCrawl compares the pages of a partition that a crawl met with those that are
// listed.
func (c *comparer) judgeCrawl(i int) error {
	if c.run.options.Crawled == nil {
		return nil
	}
	met := map[pageKey]meeting{}
	for _, look := range []func(*record){
		func(r *record) {
			if r.kind() == crawledRecord && r.a != listedAs {
				met[r.key] = meeting{*r, noPage}
			}
		},
		func(r *record) {
			listed := r.kind() == pageRecord || r.kind() == crawledRecord && r.a == listedAs
			if m, known := met[r.key]; known && listed && comparePages(r.at(), m.listing.at()) < 0 {
				met[r.key] = meeting{m.page, *r}
			}
		},
	} {
		err := c.run.set.records.each(i, func(block []record) {
			for i := range block {
				look(&block[i])
			}
		})
		if err != nil {
			return err
		}
	}
	for _, m := range met {
		switch {
		case m.listing == noPage:
			c.hit(pageNotInSitemap, &m.page, &m.page)
		case m.page.a == notLinked:
			c.hit(orphanPage, &m.listing, &m.page)
		}
	}
	return nil
}
