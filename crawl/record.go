package crawl

import (
	"cmp"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

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

// URL returns the entry of a listed page for the sitemap. Only the name of the publication in its
// news is missing.
func (r *Record) URL() *sitemap.URL {
	u := &sitemap.URL{Loc: r.Link.URL, LastMod: r.Page.LastMod}
	if r.Page.Extensions != nil {
		u.Extensions = *r.Page.Extensions
	}
	return u
}
