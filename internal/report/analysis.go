package report

import (
	"context"
	"math/bits"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/tempfile"
)

// An Analysis is what the report says about a crawl: its numbers and its lists, for all
// URLs. It holds some numbers for each URL, and no texts.
type Analysis struct {
	file       crawl.Reader
	web        *linkGraph
	totals     totals
	broken     *brokenTargets
	groups     [len(groupLists)][][]crawl.ID
	duplicates struct{ titles, contents, descriptions, headings int } // pages in groups
	listSets   []ListSet                                              // by ID
	lists      listTotals
	pairs      tempfile.Pairs // of pages and others that they link to; empty for the HTML report
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
func Analyze(ctx context.Context, file crawl.Reader, each func(*Entry) error) (_ *Analysis, err error) {
	a := &Analysis{file: file}
	keep := func(p pagePair) error { return a.pairs.Add(int64(p.from), int64(p.to)) }
	if err := a.read(ctx, nil, keep, each); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Close removes the temporary file with the links.
func (a *Analysis) Close() { a.pairs.Close() }

// read reads a crawl whose broken links may be known. It calls pair as scanLinks does, and
// each as Analyze does.
func (a *Analysis) read(
	ctx context.Context, found *BrokenLinks, pair func(pagePair) error, each func(*Entry) error,
) error {
	if err := a.readLinks(ctx, found, pair); err != nil {
		return err
	}
	if err := a.readPages(ctx, each); err != nil {
		return err
	}
	a.findGroups()
	a.finishLists()
	return nil
}

// readLinks reads the links, and finds the broken ones unless they are known.
func (a *Analysis) readLinks(ctx context.Context, found *BrokenLinks, pair func(pagePair) error) (err error) {
	each := func(*crawl.PageEdge) error { return nil }
	var search *anchorSearch
	if found == nil {
		if found, err = findBrokenURLs(ctx, a.file); err != nil {
			return err
		}
		search = found.searchAnchors(ctx)
		each = search.add
	}
	if a.web, err = scanLinks(ctx, a.file, each, pair); err != nil {
		return err
	}
	if search != nil {
		if err := found.finish(search); err != nil {
			return err
		}
	}
	a.broken, err = findBrokenTargets(ctx, found)
	return err
}

// readPages counts every URL, and finds the lists that it is in by itself.
func (a *Analysis) readPages(ctx context.Context, each func(*Entry) error) error {
	a.totals, a.listSets = newTotals(a.web), make([]ListSet, len(a.web.depth))
	var e Entry
	for r, err := range a.file.Pages(ctx) {
		if err != nil {
			return err
		}
		a.totals.add(&r, a.web)
		id := r.Link.ID
		a.listSets[id] = a.ownLists(&r, a.web.linked[id])
		e = Entry{
			Record: r, Decision: DecisionOf(&r), OnSite: classOf(&r) != classOther,
			Depth: a.web.depth[id], Before: a.web.parent[id], Linked: a.web.linked[id], Links: a.web.links[id],
		}
		if err := each(&e); err != nil {
			return err
		}
	}
	a.totals.finish()
	return nil
}

// findGroups finds the pages that share something.
func (a *Analysis) findGroups() {
	t, d := &a.totals, &a.duplicates
	for i, index := range []*hashIndex{&t.contentIndex, &t.titleIndex, &t.descriptions, &t.headings} {
		a.groups[i], *[]*int{&d.contents, &d.titles, &d.descriptions, &d.headings}[i] = index.groups()
	}
}

// ListSet is a set of lists of URLs. Bit i is the list i of [ListNames].
type ListSet uint64

// Has reports whether the set has the list with a number.
func (s ListSet) Has(list int) bool { return s&(1<<list) != 0 }

// listTotals are the numbers of URLs of the lists, in the order of ListNames.
type listTotals [64]int

func (t *listTotals) add(s ListSet) {
	for rest := uint64(s); rest != 0; rest &= rest - 1 {
		t[bits.TrailingZeros64(rest)]++
	}
}
