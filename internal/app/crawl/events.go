package crawl

import (
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// JobSubmitted reports that workers have a job, new or continued.
type JobSubmitted struct {
	Job   string
	Sites int
}

// JobProgress is reported about once a second while a job is followed.
type JobProgress struct {
	Job   string
	Sites int
	journal.JobStatus
}

// WorkerReady reports that a worker waits for sites.
type WorkerReady struct {
	Name, Servers string
	Sites         int // at once
}

// PageFetched reports a response for a page of the site.
type PageFetched struct {
	URL    string
	Status int
}

// BrokenFound reports a broken URL, once its result is stored.
type BrokenFound struct {
	URL    string
	Status int          // 0 without a response
	Reason crawl.Reason // one of crawl.BrokenReasons
	On     string       // the first page that links to it, or empty
}

// PagesFound reports how many pages were found so far by crawl depth. A page that more
// than one commit decides about may count twice.
type PagesFound struct{ Depths []int64 }

// StartMoved reports that the start page redirects to another host of its owner, which
// is crawled instead.
type StartMoved struct {
	From, To           string
	CredentialsDropped bool // they are not sent to the other host
}

// HTTPFallback reports that a host does not speak https, so that http is tried.
type HTTPFallback struct{ From, To string }

// SeedsIgnored reports that a resumed crawl did not read the seeds of the settings,
// because only the start of a crawl does.
type SeedsIgnored struct{}

// LossesForgotten reports that a fresh crawl does not look for pages that were missing from the sitemap.
type LossesForgotten struct{ Count int }

// In names the job and the number of its sites, in English as all that is said of jobs.
func (e JobSubmitted) In(*catalog.Catalog) string {
	return fmt.Sprintf("job %s: %s for the workers", e.Job, format.Plural(e.Sites, "site"))
}

// In counts what the workers have done.
func (e JobProgress) In(*catalog.Catalog) string {
	return fmt.Sprintf("%d of %d sites, %d pages, %d waiting, %s", e.Ended, e.Sites, e.Pages, e.Waiting,
		format.Plural(e.Workers, "worker"))
}

// In names the worker and its servers.
func (e WorkerReady) In(*catalog.Catalog) string {
	return fmt.Sprintf("worker %s is connected to %s and crawls up to %d sites at once", e.Name, e.Servers, e.Sites)
}

// In returns the status and the URL.
func (e PageFetched) In(*catalog.Catalog) string { return fmt.Sprintf("%d %s", e.Status, e.URL) }

// In returns an empty text: the summary and the reports list broken links.
func (BrokenFound) In(*catalog.Catalog) string { return "" }

// In returns an empty text: the progress counts pages.
func (PagesFound) In(*catalog.Catalog) string { return "" }

// In names both addresses.
func (e StartMoved) In(c *catalog.Catalog) string {
	if e.CredentialsDropped {
		return c.Text("notice.moved.without-login", e.From, e.To)
	}
	return c.Text("notice.moved", e.From, e.To)
}

// In names both addresses. It is empty for this machine, where nobody expects https.
func (e HTTPFallback) In(c *catalog.Catalog) string {
	if fetch.IsLoopback(urlnorm.Host(e.To)) {
		return ""
	}
	return c.Text("notice.http", e.From, e.To)
}

// In says which settings were not used.
func (SeedsIgnored) In(c *catalog.Catalog) string { return c.Text("notice.resuming") }

// In counts the pages.
func (e LossesForgotten) In(c *catalog.Catalog) string {
	return c.Plural("notice.losses-forgotten", int64(e.Count))
}
