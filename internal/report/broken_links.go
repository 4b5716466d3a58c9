package report

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/catalog"
)

// BrokenLink is a link to a broken URL or to a missing anchor of a page.
type BrokenLink struct {
	Target crawl.ID
	URL    string // with the fragment if only the anchor is missing
	Why    string // status and its text, or the failure, in English
	Status int    // HTTP status of the target; 0 without an answer
	Anchor bool   // the page exists, the anchor does not
	From   crawl.ID
	Page   string // URL of From
	Text   string // link text
}

// BrokenLinks holds the broken URLs and missing anchors of a crawl.
type BrokenLinks struct {
	file    crawl.Reader
	table   *urlTable
	urls    map[crawl.ID]brokenURL
	missing anchorSet
	targets bitset.Set[crawl.ID] // by ID: broken URLs and pages with missing anchors
	grouped *brokenTargets       // nil until all links were read once
}

type brokenURL struct {
	why    failure
	status int
}

// failure says why a URL or an anchor is broken.
type failure struct {
	status int // HTTP status; 0 if the detail says enough
	detail crawl.Detail
}

// text returns the failure in the language of a catalog.
func (f failure) text(c *catalog.Catalog) string {
	detail := c.Detail(f.detail.Split())
	if f.status == 0 {
		return detail
	}
	return strings.TrimSpace(strconv.Itoa(f.status) + " " + detail)
}

// missingAnchor is why a link to a missing anchor is broken.
var missingAnchor = failure{detail: "missing-anchor"}

// FindBrokenLinks finds the broken URLs and missing anchors of a crawl.
func FindBrokenLinks(ctx context.Context, file crawl.Reader) (*BrokenLinks, error) {
	b, err := findBrokenURLs(ctx, file)
	if err != nil {
		return nil, err
	}
	search := b.searchAnchors(ctx)
	for link, err := range file.Edges(ctx) {
		if err == nil {
			err = search.add(&link)
		}
		if err != nil {
			return nil, err
		}
	}
	return b, b.finish(search)
}

// findBrokenURLs finds the broken URLs of a crawl.
func findBrokenURLs(ctx context.Context, file crawl.Reader) (*BrokenLinks, error) {
	b := &BrokenLinks{file: file, table: newURLTable(file), urls: map[crawl.ID]brokenURL{}}
	for record, err := range file.Pages(ctx, crawl.BrokenReasons()...) {
		if err != nil {
			return nil, err
		}
		b.urls[record.Link.ID] = brokenURL{failureOf(&record), record.Page.Status}
		b.table.add(record.Link.ID, record.Link.URL)
	}
	return b, nil
}

// searchAnchors returns the search for missing anchors, which is given to finish when it
// has all links.
func (b *BrokenLinks) searchAnchors(ctx context.Context) *anchorSearch {
	return &anchorSearch{ctx: ctx, file: b.file, table: b.table}
}

func (b *BrokenLinks) finish(search *anchorSearch) (err error) {
	if b.missing, err = search.finish(); err != nil {
		return err
	}
	for id := range b.urls {
		b.targets.Add(id)
	}
	for _, missing := range b.missing.anchors {
		b.targets.Add(missing.page)
	}
	return nil
}

// failureOf describes why a URL is broken.
func failureOf(r *crawl.Record) failure {
	switch {
	case !r.Fetched:
		return failure{detail: r.Link.Detail}
	case r.Page.Reason == crawl.ReasonUnreachable: // the response with the status was incomplete
		return failure{detail: r.Page.Detail}
	}
	return failure{r.Page.Status, r.Page.Detail}
}

// Failure says in English why a broken URL is broken.
func Failure(r *crawl.Record) string { return failureOf(r).text(english()) }

// None reports whether there are no broken links.
func (b *BrokenLinks) None() bool { return len(b.urls) == 0 && len(b.missing.anchors) == 0 }

// Links returns every broken link in the order of the pages with the links.
func (b *BrokenLinks) Links(ctx context.Context) iter.Seq2[BrokenLink, error] {
	return func(yield func(BrokenLink, error) bool) {
		if b.None() {
			return
		}
		grouped := newBrokenTargets(b)
		for r, err := range b.file.Referrers(ctx, b.targets.Has) {
			var link BrokenLink
			broken := err != nil
			if err == nil {
				link, broken, err = b.describe(&r)
			}
			if broken && err == nil {
				grouped.add(b, &crawl.PageEdge{From: r.From, Edge: r.Edge}, link.Anchor)
			}
			if broken && !yield(link, err) || err != nil {
				return
			}
		}
		grouped.finish(b)
	}
}

// isBroken reports whether a link is broken, and whether only its anchor is missing.
func (b *BrokenLinks) isBroken(e crawl.Edge) (broken, anchor bool) {
	if !b.targets.Has(e.To) {
		return false, false
	}
	if _, found := b.urls[e.To]; found {
		return true, false
	}
	missing := b.missing.has(e.To, e.Fragment)
	return missing, missing
}

// describe returns the broken link of a referrer. It reports false if the link is
// fine: a page with missing anchors has others that exist.
func (b *BrokenLinks) describe(r *crawl.Referrer) (link BrokenLink, broken bool, err error) {
	if broken, _ := b.isBroken(r.Edge); !broken {
		return link, false, nil
	}
	link = BrokenLink{Target: r.Target, From: r.From, Page: r.URL, Text: r.Edge.Text}
	link.URL, err = b.table.url(r.Target)
	if target, ok := b.urls[r.Target]; ok {
		link.Why, link.Status = target.why.text(english()), target.status
		return link, true, err
	}
	link.URL += "#" + r.Edge.Fragment
	link.Why, link.Status, link.Anchor = missingAnchor.text(english()), 200, true
	return link, true, err
}

// maxShownLinks is the number of broken links in a summary.
const maxShownLinks = 10

// BrokenSummary counts broken links.
type BrokenSummary struct {
	Links   int          // to broken URLs
	Anchors int          // to missing anchors
	First   []BrokenLink // one link to each of the first broken URLs
	URLs    int          // broken URLs that pages link to

	linked bitset.Set[crawl.ID] // by ID: these URLs
}

func (s *BrokenSummary) add(link BrokenLink) {
	if link.Anchor {
		s.Anchors++
		return
	}
	s.Links++
	if s.linked.Has(link.Target) {
		return
	}
	s.linked.Add(link.Target)
	if s.URLs++; s.URLs <= maxShownLinks {
		s.First = append(s.First, link)
	}
}

// Summary counts the broken links.
func (b *BrokenLinks) Summary(ctx context.Context) (BrokenSummary, error) {
	var s BrokenSummary
	for link, err := range b.Links(ctx) {
		if err != nil {
			return s, err
		}
		s.add(link)
	}
	return s, nil
}
