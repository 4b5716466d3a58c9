package report

import (
	"context"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/tempfile"
)

// An Analysis is the numbers of a crawl and the links between its URLs. It holds some numbers for
// each URL, and no texts.
type Analysis struct {
	file   *store.File
	web    *linkGraph
	totals totals
	pairs  tempfile.Pairs // of pages and others that they link to; empty for the HTML report
}

// An Entry is a URL with what the report says about it.
type Entry struct {
	crawl.Record
	Decision crawl.Reason // Waiting for a URL that waits
	OnSite   bool         // it is, or could be, a page of the site
	Depth    int32        // links from the start, or crawl.Unreached
	Before   crawl.ID     // the URL before it on a shortest path from the start, or 0
	Linked   uint32       // pages that link to it
	Links    uint32       // URLs that it links to
}

// Analyze reads a crawl, and calls each with every URL in the order of the IDs, because to
// read the records takes most of the time. The next URL reuses what each is called with.
// The caller closes the analysis.
func Analyze(ctx context.Context, file *store.File, each func(*Entry) error) (_ *Analysis, err error) {
	a := &Analysis{file: file}
	keep := func(p pagePair) error { return a.pairs.Add(int64(p.from), int64(p.to)) }
	if err := a.read(ctx, keep, each); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Close removes the temporary file with the links.
func (a *Analysis) Close() { a.pairs.Close() }

// read reads a crawl. It calls pair as scanLinks does, and each as Analyze does.
func (a *Analysis) read(ctx context.Context, pair func(pagePair) error, each func(*Entry) error) (err error) {
	if a.web, err = scanLinks(ctx, a.file, pair); err != nil {
		return err
	}
	a.totals = newTotals()
	var e Entry
	for r, err := range a.file.Pages(ctx) {
		if err != nil {
			return err
		}
		a.totals.add(&r, a.web)
		id := r.Link.ID
		e = Entry{
			Record: r, Decision: DecisionOf(&r), OnSite: classOf(&r) != classOther,
			Depth: a.web.depth[id], Before: a.web.parent[id], Linked: a.web.linked[id], Links: a.web.links[id],
		}
		if err := each(&e); err != nil {
			return err
		}
	}
	return nil
}

// Summary counts the URLs by what was decided about them.
func (a *Analysis) Summary() crawl.Summary { return a.totals.summary }

// Last returns the largest ID of the crawl.
func (a *Analysis) Last() crawl.ID { return crawl.ID(len(a.web.depth) - 1) }

// InLinks calls each with every pair of a page and another that it links to, each pair
// once, in the order of from; redirects come last. Entry.Linked counts these.
func (a *Analysis) InLinks(ctx context.Context, each func(from, to crawl.ID)) error {
	err := a.pairs.Each(ctx, func(from, to int64) error {
		each(crawl.ID(from), crawl.ID(to))
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range a.web.redirects {
		each(r.from, r.to)
	}
	return nil
}

// Linked returns the number of pages that link to a URL.
func (a *Analysis) Linked(id crawl.ID) uint32 { return a.web.linked[id] }

// OnSite reports whether an outcome is that of a URL that is, or could be, a page of the
// site, and whether that is listed or broken, as the tree of folders counts.
func OnSite(o *crawl.Outcome) (onSite, listed, broken bool) {
	r := crawl.Record{Fetched: o.Fetched, Link: crawl.Link{Reason: o.Reason}, Page: crawl.Page{Reason: o.Reason}}
	return classOf(&r) != classOther, isListed(&r), o.Fetched && r.Page.Broken()
}

// RoleName returns the name of a role: page, asset or external.
func RoleName(role crawl.Role) string { return roles[role%3] }
