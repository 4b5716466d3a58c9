package crawl

import (
	"context"
	"iter"
)

// Commit is the only way in which the state of a crawl changes: pages that are done,
// together with the URLs that were found on them. A store keeps all of it or nothing.
type Commit struct {
	Done  []Page
	Found []Link
	// Seeds have the ID of a link of Found, in this commit or an earlier one, and in SeededBy a source other than
	// links that named the URL. Those of a URL add up.
	Seeds []Link
}

// Store keeps a crawl. One goroutine at a time calls its methods. The caller that opened the
// store closes it. Package storetest tests this contract. A continued crawl repeats the requests
// that confirm doubtful answers of earlier runs if the store also has the method Pages of
// [MemoryStore].
type Store interface {
	// Replay hands back all that was committed, in commits of any size: first every
	// page done, with ID, Status, Reason, Target, MediaType, Size, Transferred, Digest
	// and Rendered set at least, then every link in the order of the IDs. Of the seed
	// marks, only SeedEarlier must be handed back, in Link.SeededBy, by a store of crawls
	// with an earlier one. Replay stops at the first error of each and returns it. The
	// commits belong to the callee.
	Replay(ctx context.Context, each func(Commit) error) error
	// Append keeps a commit: it is durable once Append returns, and nothing of it is
	// kept when Append fails. A link replaces the one with the same ID, and a page
	// replaces the one with the same ID, except for its links, anchors and shingles: these are
	// appended once, and a second time is an error.
	Append(ctx context.Context, c Commit) error
	// Finish records that nothing is left to do, so that no run continues the crawl.
	// The store can still be read. Append after Finish makes the crawl unfinished
	// again.
	Finish(ctx context.Context) error
}

// Previous is an earlier crawl, which makes requests conditional. Several goroutines
// may call it at once.
type Previous interface {
	// Lookup returns the page as it was, with IDs of that crawl, and the URL of Page.Target, or false when the crawl did
	// not fetch it, or only because an earlier one had.
	Lookup(url string) (page Page, target string, ok bool)
	// URL returns the URL with an ID of that crawl, as the site linked to it.
	URL(id ID) (string, error)
	// URLsToAsk returns the URLs that are requested at the end of this crawl if it did not
	// find them: the pages that the earlier one fetched and listed, but for those to which
	// nothing has led but a list or a log, and any others that are to be looked for. No other
	// method may be called while they are read.
	URLsToAsk(ctx context.Context) iter.Seq2[string, error]
}
