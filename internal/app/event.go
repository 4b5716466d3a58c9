package app

import (
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/journal"
)

// An Event is something that happens during a run and does not end it: a
// [ConfigRead], [CrawlProgress], [CrawlEnded], [PageFetched], [PagesFound],
// [BrokenFound], [RateChange], [Notice], [Problem],
// [StartMoved], [HTTPFallback], [SeedsIgnored], [CrawlIncomplete], [HostSkipped],
// [LintSummary], [AnnounceWait], [AnnounceInterrupted], [JobSubmitted], [JobProgress] or
// [WorkerReady].
type Event interface{ event() }

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

func (AnnounceWait) event()        {}
func (AnnounceInterrupted) event() {}
func (ConfigRead) event()          {}
func (CrawlProgress) event()       {}
func (CrawlEnded) event()          {}
func (PageFetched) event()         {}
func (PagesFound) event()          {}
func (BrokenFound) event()         {}
func (RateChange) event()          {}
func (Notice) event()              {}
func (Problem) event()             {}
func (StartMoved) event()          {}
func (HTTPFallback) event()        {}
func (SeedsIgnored) event()        {}
func (CrawlIncomplete) event()     {}
func (HostSkipped) event()         {}
func (LintSummary) event()         {}
func (JobSubmitted) event()        {}
func (JobProgress) event()         {}
func (WorkerReady) event()         {}
