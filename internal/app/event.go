package app

// An Event is something that happens during a run and does not end it: a
// [config.FileRead], [crawl.Progress], [crawl.Ended], [crawl.PageFetched], [crawl.PagesFound],
// [crawl.BrokenFound], [crawl.RateChange], [Notice], [Problem],
// [crawl.StartMoved], [crawl.HTTPFallback], [crawl.SeedsIgnored], [lint.CrawlIncomplete],
// [lint.Summary], [announce.Waiting], [announce.Interrupted], [crawl.JobSubmitted], [crawl.JobProgress] or
// [crawl.WorkerReady].
//
// String says in English what happened, for a line of its own. It is empty for what is shown
// in another way.
type Event interface{ String() string }

// Notice reports something that the user should know, such as what makes a crawl long.
type Notice struct{ Text string }

// Problem reports a source, or a part of one, that could not be read and is left out.
type Problem struct{ Err error }

// String returns the text.
func (e Notice) String() string { return e.Text }

// String returns the text of the error.
func (e Problem) String() string { return e.Err.Error() }
