package app

import (
	"fmt"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/journal"
)

// An Event is something that happens during a run and does not end it: a
// [ConfigRead], [CrawlProgress], [CrawlEnded], [PageFetched], [PagesFound],
// [BrokenFound], [RateChange], [Notice], [Problem],
// [StartMoved], [HTTPFallback], [SeedsIgnored], [CrawlIncomplete], [HostSkipped],
// [LintSummary], [AnnounceWait], [AnnounceInterrupted], [JobSubmitted], [JobProgress] or
// [WorkerReady].
//
// String says in English what happened, for a line of its own. It is empty for what is shown
// in another way.
type Event interface{ String() string }

// CrawlProgress is reported about once a second during a crawl.
type CrawlProgress struct {
	crawl.Progress
	Total int // pages at which the crawl will end, 0 while that is unknown
	// DefaultRate is the number of requests per second that the site gets because no
	// rate is set; 0 with a rate, and where there is no limit.
	DefaultRate float64
}

// CrawlEnded reports that a crawl requests nothing more, and no more progress comes.
type CrawlEnded struct{}

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

// ConfigRead reports the configuration file that is in force.
type ConfigRead struct{ Name string }

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

// RateChange reports that a host is asked more slowly, or faster again.
type RateChange struct {
	Host      string
	PerSecond float64 // 0 means no limit
	Why       string
}

// Notice reports something that the user should know, such as what makes a crawl long.
type Notice struct{ Text string }

// Problem reports a source, or a part of one, that could not be read and is left out.
type Problem struct{ Err error }

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

// CrawlIncomplete reports that the crawl in the folder, which sitemaps are compared
// with, ended early: pages without links are not reported.
type CrawlIncomplete struct{ Folder string }

// HostSkipped reports a host that live checks leave out, because its robots.txt asks for
// a longer delay than they wait, or because it does not answer.
type HostSkipped struct {
	Host     string
	Err      error
	MaxDelay time.Duration // that they wait; 0 for a host that does not answer
}

// LintSummary is the line of totals of a report that is written to a file.
type LintSummary struct{ Text string }

// AnnounceWait reports that a provider asks to wait, and for how long.
type AnnounceWait struct {
	Wait time.Duration
	Why  *announce.Error
}

// AnnounceInterrupted reports a batch that an earlier run may have sent: it was cut off,
// or got no answer. It is sent again when its provider is announced to.
type AnnounceInterrupted struct {
	Channel, Target string
	Items           int
	Begun           time.Time
}

// String returns an empty text: the progress is drawn, not printed.
func (CrawlProgress) String() string { return "" }

// String returns an empty text: the summary says what the crawl found.
func (CrawlEnded) String() string { return "" }

// String names the job and the number of its sites.
func (e JobSubmitted) String() string {
	return fmt.Sprintf("job %s: %s for the workers", e.Job, format.Plural(e.Sites, "site"))
}

// String counts what the workers have done.
func (e JobProgress) String() string {
	return fmt.Sprintf("%d of %d sites, %d pages, %d waiting, %s", e.Ended, e.Sites, e.Pages, e.Waiting,
		format.Plural(e.Workers, "worker"))
}

// String names the worker and its servers.
func (e WorkerReady) String() string {
	return fmt.Sprintf("worker %s is connected to %s and crawls up to %d sites at once", e.Name, e.Servers, e.Sites)
}

// String names the file.
func (e ConfigRead) String() string { return "settings from " + e.Name }

// String returns the status and the URL.
func (e PageFetched) String() string { return fmt.Sprintf("%d %s", e.Status, e.URL) }

// String returns an empty text: the summary and the reports list broken links.
func (BrokenFound) String() string { return "" }

// String returns an empty text: the progress counts pages.
func (PagesFound) String() string { return "" }

// String says how fast the host is asked from now on, and why.
func (e RateChange) String() string {
	if e.PerSecond == 0 {
		return fmt.Sprintf("%s: no rate limit any more: %s", e.Host, e.Why)
	}
	return fmt.Sprintf("%s: now %.3g requests per second: %s", e.Host, e.PerSecond, e.Why)
}

// String returns the text.
func (e Notice) String() string { return e.Text }

// String returns the text of the error.
func (e Problem) String() string { return e.Err.Error() }

// String names both addresses.
func (e StartMoved) String() string {
	text := fmt.Sprintf("%s redirects to %s, which is crawled", e.From, e.To)
	if e.CredentialsDropped {
		text += "; --user, --cookie and --header are not sent there"
	}
	return text
}

// String names both addresses.
func (e HTTPFallback) String() string {
	return fmt.Sprintf("%s does not answer over https: crawling %s", e.From, e.To)
}

// String says which settings were not used.
func (SeedsIgnored) String() string {
	return "resuming the crawl: --sitemap, --list and --log are read only at its start (see --fresh)"
}

// String names the folder.
func (e CrawlIncomplete) String() string {
	return fmt.Sprintf("the crawl in %s did not finish: pages without links are not reported", e.Folder)
}

// String says why the host was left out.
func (e HostSkipped) String() string {
	if e.MaxDelay == 0 {
		return fmt.Sprintf("%s was not checked any further: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("%s was not checked: %v, and a check waits for %v at most", e.Host, e.Err, e.MaxDelay)
}

// String returns the totals.
func (e LintSummary) String() string { return e.Text }

// String says why and how long.
func (e AnnounceWait) String() string {
	return fmt.Sprintf("%v: trying again in %v", e.Why, e.Wait.Round(time.Second))
}

// String says what is sent again.
func (e AnnounceInterrupted) String() string {
	return fmt.Sprintf("an earlier run sent %s to %s at %s and was cut off, or got no answer: they are sent again",
		format.Plural(e.Items, "item"), e.Channel, e.Begun.Format(time.DateTime))
}
