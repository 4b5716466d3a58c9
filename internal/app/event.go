package app

import (
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
)

// An Event is something that happens during a run and does not end it: a
// [config.FileRead], [Progress], [Ended], [crawl.PageFetched], [crawl.PagesFound],
// [crawl.BrokenFound], [RateChange], [Notice], [Problem],
// [crawl.StartMoved], [crawl.HTTPFallback], [crawl.SeedsIgnored], [crawl.LossesForgotten], [lint.CrawlIncomplete],
// [lint.Summary], [announce.Waiting], [announce.Interrupted], [crawl.JobSubmitted], [crawl.JobProgress] or
// [crawl.WorkerReady].
//
// In says what happened in the language of a catalog, for a line of its own. It is empty for what is
// shown in another way.
type Event interface {
	In(c *catalog.Catalog) string
}

// Progress is reported about once a second during a crawl.
type Progress struct {
	crawl.Progress
	Total int // pages at which the crawl will end, 0 while that is unknown
	// DefaultRate is the number of requests per second that the site gets because no
	// rate is set; 0 with a rate, and where there is no limit.
	DefaultRate float64
}

// Ended reports that a crawl requests nothing more, and no more progress comes.
type Ended struct{}

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

// In returns an empty text: the progress is drawn, not printed.
func (Progress) In(*catalog.Catalog) string { return "" }

// In returns an empty text: the summary says what the crawl found.
func (Ended) In(*catalog.Catalog) string { return "" }

// In says how fast the host is asked from now on, and why.
func (e RateChange) In(c *catalog.Catalog) string {
	if e.PerSecond == 0 {
		return c.Text("notice.rate.unlimited", e.Host, e.Why)
	}
	return c.Text("notice.rate", e.Host, fmt.Sprintf("%.3g", e.PerSecond), e.Why)
}

// In returns the text.
func (e Notice) In(*catalog.Catalog) string { return e.Text }

// In returns the text of the error, which is English.
func (e Problem) In(*catalog.Catalog) string { return e.Err.Error() }
