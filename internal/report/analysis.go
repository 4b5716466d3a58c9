package report

import (
	"context"
	"iter"
	"math/bits"

	"github.com/mapatools/mapa/crawl"
)

// An Analysis is what the report says about a crawl: its numbers and its lists, for all
// URLs. It holds some numbers for each URL, and no texts.
type Analysis struct {
	file       crawl.Reader
	web        *linkGraph
	totals     totals
	broken     *brokenTargets
	groups     [len(groupLists)][][]crawl.ID
	inGroup    [len(groupLists)]bitSet
	duplicates struct{ titles, contents, descriptions, headings int } // pages in groups
	lists      listTotals
}

// Analyze reads a crawl. The analysis is complete when [Analysis.Entries] has returned
// every URL.
func Analyze(ctx context.Context, file crawl.Reader) (*Analysis, error) {
	return analyze(ctx, file, nil)
}

// analyze reads a crawl whose broken links may be known.
func analyze(ctx context.Context, file crawl.Reader, found *BrokenLinks) (*Analysis, error) {
	a := &Analysis{file: file}
	var err error
	if a.web, err = readLinkGraph(ctx, file); err != nil {
		return nil, err
	}
	if err := a.findBroken(ctx, found); err != nil {
		return nil, err
	}
	if err := a.totals.count(ctx, file, a.web); err != nil {
		return nil, err
	}
	t := &a.totals
	for i, index := range []*hashIndex{&t.contentIndex, &t.titleIndex, &t.descriptions, &t.headings} {
		pages := [...]*int{&a.duplicates.contents, &a.duplicates.titles, &a.duplicates.descriptions, &a.duplicates.headings}
		a.groups[i], *pages[i] = index.groups()
		for _, group := range a.groups[i] {
			for _, id := range group {
				a.inGroup[i].add(id)
			}
		}
	}
	return a, nil
}

// findBroken finds the broken links, unless they are known.
func (a *Analysis) findBroken(ctx context.Context, found *BrokenLinks) (err error) {
	if found == nil {
		if found, err = FindBrokenLinks(ctx, a.file); err != nil {
			return err
		}
	}
	a.broken, err = findBrokenTargets(ctx, found)
	return err
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
	Lists    ListSet
}

// Entries returns every URL in the order of the IDs, and counts the lists.
func (a *Analysis) Entries(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		a.lists, a.totals.canonicals, a.totals.conflicting = listTotals{}, 0, 0
		for r, err := range a.file.Pages(ctx) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			a.totals.addCanonical(&r)
			id := r.Link.ID
			e := Entry{
				Record: r, Decision: decisionOf(&r), OnSite: classOf(&r) != classOther,
				Depth: a.web.depth[id], Before: a.web.parent[id], Linked: a.web.linked[id], Links: a.web.links[id],
			}
			e.Lists = a.addFurther(&r, listsOf(&r, e.Linked, &a.totals))
			a.lists.add(e.Lists)
			if !yield(e, nil) {
				return
			}
		}
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
