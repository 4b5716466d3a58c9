package crawl

import (
	"context"
	"errors"
	"time"
)

// ErrLost means that another worker has taken the shard over. Nothing of the commit is
// kept.
var ErrLost = errors.New("another worker has taken over")

// Engine hands out the shards of crawls to one worker among several. Its methods may be
// called by several goroutines at once. Package storetest tests what is promised here.
type Engine interface {
	// Claim returns a shard that no other worker has, and waits until there is one. It
	// returns io.EOF when every shard is finished.
	Claim(ctx context.Context) (Shard, error)
}

// Shard is one site of a crawl of many: the unit of politeness and of ownership. Its
// methods are called by one goroutine at a time, except Offer.
type Shard interface {
	// Meta returns the site as the crawl names it, and the options of the crawl.
	Meta() Meta
	// Replay hands back what earlier owners appended, in order: begin before the commits
	// of each beginning, which replaces what came before it, and each for every commit. A
	// page of it needs no more than Store.Replay asks for.
	Replay(ctx context.Context, begin func(Meta) error, each func(Commit) error) error
	// Spent returns how long earlier owners have crawled the shard since it last began or
	// was finished, as far as Replay has handed back pages of theirs.
	Spent() time.Duration
	// Begin discards what was appended. Every shard begins before its first commit, and
	// again where its start turns out to be another one.
	Begin(ctx context.Context, meta Meta) error
	// Append keeps a commit as Store.Append does. It returns ErrLost when another worker
	// owns the shard now.
	Append(ctx context.Context, c Commit) error
	// Offer gives URLs to the shard of the host that they are on. Those of a host without
	// a shard are dropped. They are durable once Offer returns. It can be repeated.
	Offer(ctx context.Context, host string, urls []string) error
	// Offered returns the next URLs that other shards have offered, none at the end. A
	// later owner gets them again, unless the shard was finished in between.
	Offered(ctx context.Context) ([]string, error)
	// Held returns an error once another worker may have the shard, or the work on it has
	// been called off: no request may be sent then. It may be called at any time, by
	// several goroutines.
	Held() error
	// Report notes how far the crawl of the shard is. It may be called at any time.
	Report(p Progress)
	// Slow notes that the site is requested more slowly than the crawl asks for, 0 when it
	// is not any more. Slowed returns what this owner or the one before has noted. Both may
	// be called at any time, by several goroutines.
	Slow(perSecond float64)
	Slowed() float64
	// Postpone notes that the site asks for a pause until some time, as by Retry-After (RFC
	// 9110, section 10.2.3). The next owner gets the shard no earlier, and at most some
	// minutes later. It may be called at any time, by several goroutines.
	Postpone(until time.Time)
	// Close gives the shard back. Unless end says otherwise it is finished: it is handed
	// out again only when URLs are offered after that, and never when it failed or reached
	// a limit.
	Close(ctx context.Context, end ShardEnd) error
}

// ShardEnd says how the work on a shard ended.
type ShardEnd struct {
	Progress Progress
	// Again leaves the shard to the next Claim.
	Again bool
	// Outage leaves it to a later one, a few times, since the site does not answer.
	Outage bool
	// Failure says why the crawl could not begin or go on, in words; empty when it ended
	// well or at a limit.
	Failure string
}
