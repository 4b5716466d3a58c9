package crawl

import "context"

// A Commit is the only change of a crawl's state: pages that are done together
// with the addresses that they led to. Either all of it is kept or nothing.
type Commit struct {
	Done  []Page
	Found []Link
	Seeds []SeedMark // of Found, now or in an earlier commit
}

// A SeedMark says who named an address apart from links. Namings of one address
// add up.
type SeedMark struct {
	ID     ID
	Source SeedSource
}

// A Store keeps a crawl. Its methods are called by one goroutine at a time. Whoever
// opened the store closes it.
type Store interface {
	// Replay hands back all that was committed, in commits of any size: first the
	// Pages done, of which only ID, Status, Reason, Target, MediaType, Size, Wire
	// and Digest need be set, then every Link in the order of the IDs. Namings need
	// not be handed back.
	Replay(ctx context.Context, each func(Commit) error) error
	// Append keeps a commit, durably once it returns. A page that was done before
	// takes the place of what it was, and so does a link that was found before
	// when it comes to be followed.
	Append(ctx context.Context, c Commit) error
	// Finish records that nothing is left to do, so that no run continues the crawl.
	// Append after Finish makes the crawl unfinished again.
	Finish(ctx context.Context) error
}

// A Previous of an earlier crawl makes requests conditional.
type Previous interface {
	// Lookup returns the page as it was, with its links, or false.
	Lookup(url string) (PreviousPage, bool)
}

// A PreviousPage is a page of an earlier crawl, with addresses in place of IDs.
type PreviousPage struct {
	Page
	TargetURL string         // the address of Page.Target
	Links     []PreviousLink // of Page.Links, in order
}

// A PreviousLink is an edge by its address, as it was asked for.
type PreviousLink struct {
	URL string
	Edge
}
