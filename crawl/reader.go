package crawl

import (
	"cmp"
	"context"
	"iter"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// Reader reads what a [Store] holds. Its methods are called by one goroutine at a
// time, and while one of its iterators runs nothing may be appended. An iterator
// ends with its first error, which is that of ctx when ctx has ended.
type Reader interface {
	Meta() Meta
	// Finished reports whether the crawl has nothing left to do.
	Finished() bool
	// Summary counts the URLs by what was decided about them.
	Summary(ctx context.Context) (Summary, error)

	// Pages returns every URL in the order of the IDs, without links, anchors and shingles.
	// With reasons, it returns only those for which Record.Reason is one of them,
	// and none that still waits.
	Pages(ctx context.Context, reasons ...Reason) iter.Seq2[Record, error]
	// Page returns the record of a URL, or false when no URL has this ID.
	Page(id ID) (Record, bool, error)
	// PageByURL returns the record of a URL, or false when the crawl did not
	// find it.
	PageByURL(url string) (Record, bool, error)
	// Link returns a URL by its ID, without the result of its fetch. An ID that is
	// not there is an error.
	Link(id ID) (Link, error)
	// Listed returns the pages of the sitemap, sorted by URL.
	Listed(ctx context.Context) iter.Seq2[ListedPage, error]
	// Edges returns every link of every page, in the order of the pages' IDs and of
	// the links in the page.
	Edges(ctx context.Context) iter.Seq2[PageEdge, error]
	// Referrers returns every link whose target satisfies target, in the order of
	// Edges.
	Referrers(ctx context.Context, target func(ID) bool) iter.Seq2[Referrer, error]
	// Anchors returns every page that was read as HTML to its end, in the order of
	// the IDs, also those without an anchor.
	Anchors(ctx context.Context) iter.Seq2[PageAnchors, error]
	// Shingles returns every page with shingles, in the order of the IDs.
	Shingles(ctx context.Context) iter.Seq2[PageShingles, error]
	// Distances returns, by ID, how many links each URL is from the start
	// ([Unreached] when no links lead there), and the URL before it on a shortest
	// path (0 for the start and for what is unreached). Canonical links count as links,
	// redirects do not. Index 0 is unused.
	//
	// Link.Depth is the order of the crawl: URLs of a sitemap have depth 0 there,
	// even when links lead to them too.
	//
	// Distances reads every link, which takes most of its time: each, unless it is nil, is
	// called with those that Edges returns, in that order. Its error ends Distances.
	Distances(ctx context.Context, each func(*PageEdge) error) (depth []int32, previous []ID, err error)
}

// Unreached is the distance of a URL that no links lead to from the start.
const Unreached = -1

// Meta describes a crawl as a whole.
type Meta struct {
	Start   string // the URL that the crawl began with
	Options string // of the crawl, in a form of the caller's choice
	Program string // version of the program that created the store
	// Folder is the URL of the folder in which the sitemap is published, with a slash at its
	// end; empty means the root of the host of Start.
	Folder string
	// OnlySeeds says that pages other than the seeds are unknown, as with Scope.OnlySeeds.
	OnlySeeds bool
}

// FolderURL returns the URL of the folder in which the sitemap is published. Its files follow
// the slash at its end.
func (m *Meta) FolderURL() string { return cmp.Or(m.Folder, urlnorm.Origin(m.Start)+"/") }

// Record is a URL with the result of its fetch.
type Record struct {
	Link Link
	// Page is the result of the fetch. Its time is in UTC and to the millisecond,
	// Duration to the microsecond. It is zero unless Fetched.
	Page    Page
	Fetched bool // or decided without a request
}

// Reason returns why the URL is not in the sitemap: the page's reason, or the
// link's when the URL was not fetched. A URL that still waits has none.
func (r *Record) Reason() Reason {
	if r.Fetched {
		return r.Page.Reason
	}
	return r.Link.Reason
}

// detail explains Reason.
func (r *Record) detail() Detail {
	if r.Fetched {
		return r.Page.Detail
	}
	return r.Link.Detail
}

// Requested reports whether the URL was requested as a page of the site, whatever the
// server sent. A URL that only an earlier crawl names is no page of the site.
func (r *Record) Requested() bool {
	return r.Fetched && r.Link.Role == RolePage && !r.Page.skipped() && !r.Link.OnlyEarlier()
}

// Gone reports whether the URL is not counted: only an earlier crawl names it, and it does not
// answer as a page any more, or was not requested.
func (r *Record) Gone() bool { return r.Link.OnlyEarlier() && r.Reason() != ReasonUnlinked }

// ListedPage is a page of the sitemap, ready to be written except for the name of
// the publication in its news.
type ListedPage struct {
	ID    ID
	Title string
	sitemap.URL
}

// PageEdge is one link and the page that it is on.
type PageEdge struct {
	From ID
	Edge
}

// Referrer is a page that links to a target.
type Referrer struct {
	Target ID
	From   ID
	URL    string // of From
	Edge   Edge
}

// PageAnchors is a page with the hashes of what fragments can point at.
type PageAnchors struct {
	ID      ID
	URL     string
	Anchors []uint32 // sorted
}

// PageShingles is a page with hashes of every five words in a row of its main text. The part
// of them that two pages have in common says how similar the pages are.
type PageShingles struct {
	ID       ID
	URL      string
	Shingles []uint32 // sorted, each once
}
