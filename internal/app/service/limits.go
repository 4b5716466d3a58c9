package service

import (
	"fmt"
	"time"

	"github.com/mapatools/mapa/access"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// PublicLimits are what each of the clients may use, when they are strangers. With them,
// robots.txt is always obeyed, only hosts on the public internet are requested, and only
// some options are offered. 0 means the default in parentheses.
type PublicLimits struct {
	Pages       int           // of a crawl (2,000)
	OwnedPages  int           // of a crawl whose client proved to own the site (100,000)
	Bytes       int64         // that a crawl downloads (500 MB)
	Time        time.Duration // of a crawl (1 h)
	CrawlsADay  int           // of a client (20)
	AtOnce      int           // crawls of a client that have not ended (2)
	Queue       int           // crawls that run or wait for their turn, of all clients (200)
	BytesADay   int64         // of all crawls (50 GB)
	Disk        int64         // bytes of all results (20 GB)
	Expiry      time.Duration // after which a result is deleted (7 days)
	Rate        float64       // requests per second to a host (5)
	Concurrency int           // requests at once of a crawl (4)
}

// withDefaults returns a copy with the defaults filled in.
func (l PublicLimits) withDefaults() *PublicLimits {
	setDefault(&l.Pages, 2_000)
	setDefault(&l.OwnedPages, 100_000)
	setDefault(&l.Bytes, 500<<20)
	setDefault(&l.Time, time.Hour)
	setDefault(&l.CrawlsADay, 20)
	setDefault(&l.AtOnce, 2)
	setDefault(&l.Queue, 200)
	setDefault(&l.BytesADay, 50<<30)
	setDefault(&l.Disk, 20<<30)
	setDefault(&l.Expiry, 7*24*time.Hour)
	setDefault(&l.Rate, 5)
	setDefault(&l.Concurrency, 4)
	return &l
}

// Limits returns the limits of strangers, or nil when the server does not serve them.
func (s *Service) Limits() *PublicLimits { return s.options.Public }

func setDefault[T int | int64 | float64 | time.Duration](value *T, standard T) {
	if *value == 0 {
		*value = standard
	}
}

// A LimitKind is what a client has used up. The names are stable.
type LimitKind string

// The limits.
const (
	LimitDay    LimitKind = "day"    // crawls of the client on this day
	LimitAtOnce LimitKind = "atonce" // crawls of the client that have not ended
	LimitQueue  LimitKind = "queue"  // crawls of all clients that run or wait for their turn
	LimitEgress LimitKind = "egress" // bytes of all clients on this day
	LimitDisk   LimitKind = "disk"   // bytes of all results
)

// A LimitError says that a crawl cannot be started now.
type LimitError struct {
	Kind       LimitKind
	RetryAfter time.Duration // when it may be possible
}

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit of this server is reached (%s): try again in %v", e.Kind, e.RetryAfter.Round(time.Second))
}

// maxQueued is the number of crawls that have not ended, without PublicLimits.
const maxQueued = 1000

// checkLimits refuses a crawl that a client may not start now.
func (s *Service) checkLimits(tx *jobs.Tx, client string, now time.Time) error {
	active, ofClient, err := countActive(tx, client)
	if err != nil {
		return err
	}
	l := s.options.Public
	if l == nil {
		if active >= maxQueued {
			return &LimitError{LimitQueue, time.Minute}
		}
		return nil
	}
	used, err := tx.Usage(now, client)
	if err != nil {
		return err
	}
	total, err := tx.TotalUsage(now)
	if err != nil {
		return err
	}
	size, err := tx.TotalSize()
	if err != nil {
		return err
	}
	untilTomorrow := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	switch {
	case used.Crawls >= int64(l.CrawlsADay):
		return &LimitError{LimitDay, untilTomorrow}
	case ofClient >= l.AtOnce:
		return &LimitError{LimitAtOnce, time.Minute}
	case active >= l.Queue:
		return &LimitError{LimitQueue, time.Minute}
	case total.Bytes >= l.BytesADay:
		return &LimitError{LimitEgress, untilTomorrow}
	case size >= l.Disk:
		return &LimitError{LimitDisk, time.Hour}
	}
	return nil
}

// countActive counts the crawls that run or wait for their turn, and the crawls of a client
// that have not ended.
func countActive(tx *jobs.Tx, client string) (all, ofClient int, err error) {
	for _, state := range []State{StateQueued, StateRunning, StatePaused} {
		crawls, err := tx.InState(state)
		if err != nil {
			return 0, 0, err
		}
		for _, c := range crawls {
			if state != StatePaused {
				all++
			}
			if c.Client == client {
				ofClient++
			}
		}
	}
	return all, ofClient, nil
}

// apply bounds the settings of a crawl.
func (l *PublicLimits) apply(settings *appcrawl.Settings, uncapped bool) {
	pages := l.Pages
	if uncapped {
		pages = l.OwnedPages
	}
	settings.Access.PublicOnly, settings.IgnoreRobots = true, false
	settings.Limits.Pages = smaller(settings.Limits.Pages, pages)
	settings.Limits.Bytes = smaller(settings.Limits.Bytes, l.Bytes)
	settings.Limits.Time = smaller(settings.Limits.Time, l.Time)
	settings.Access.Concurrency = min(settings.Access.Concurrency, l.Concurrency)
	if rate := settings.Access.Rate.Limit(); rate == 0 || rate > l.Rate {
		settings.Access.Rate = access.PerSecond(l.Rate)
	}
}

// smaller returns the smaller of two limits. The first may be 0, which limits nothing.
func smaller[T int | int64 | time.Duration](value, limit T) T {
	if value <= 0 {
		return limit
	}
	return min(value, limit)
}
