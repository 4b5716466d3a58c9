package watch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// Options configure a [Watcher].
type Options struct {
	// Sites are what to follow: a site such as example.com or https://example.com, or
	// the URL of a robots.txt, an index, a sitemap or a feed.
	Sites []string
	// Every is the shortest time between two passes over a site. A site that does not
	// change is visited less often, up to [Options.MaxInterval]. 0 means that every pass
	// visits every site.
	Every time.Duration
	// MaxInterval is the longest time between two passes over a site; 0 means 6 times Every.
	MaxInterval time.Duration
	// SkipInitial makes no events of the pages that the first pass over a site finds.
	SkipInitial bool
	// CrossHost follows sitemaps that an index lists on other hosts.
	CrossHost bool
	// Access says how the sites are requested.
	Access access.Access
	// OnProblem, when set, is called for the first documents of a site that could not be
	// read, in every pass, and once for the number of the others.
	OnProblem func(site string, err error)
}

// defaultTimeout is that of [access.Access].
const defaultTimeout = 2 * time.Minute

// A DocumentError reports a document that could not be read in a pass. What it listed
// before stays as it is.
type DocumentError struct {
	URL string
	Err error
}

// Error returns the URL and the reason.
func (e *DocumentError) Error() string { return e.URL + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *DocumentError) Unwrap() error { return e.Err }

// ErrNoAnswer means that no site of a pass answered.
var ErrNoAnswer = errors.New("no site answered")

// A Watcher follows the sitemaps of sites. One goroutine uses it at a time.
type Watcher struct {
	store   Store
	options Options
	client  *fetch.Client
	reader  documentReader
	body    []byte // memory for the next body
}

// New returns a watcher that keeps its state in store, which the caller closes. It fails
// when an option is invalid.
func New(store Store, options *Options) (*Watcher, error) {
	w := &Watcher{store: store}
	if options != nil {
		w.options = *options
	}
	if w.options.MaxInterval == 0 {
		w.options.MaxInterval = 6 * w.options.Every
	}
	for _, site := range w.options.Sites {
		if _, err := parseSite(site); err != nil {
			return nil, err
		}
	}
	if w.options.Access.Timeout == 0 {
		w.options.Access.Timeout = defaultTimeout
	}
	var err error
	w.client, err = fetch.New(&fetch.Options{Access: w.options.Access})
	return w, err
}

// Pass visits the sites that are due and yields every event that was not delivered yet,
// the oldest first. An event counts as delivered when the loop asks for the next one, so
// an event that the loop was left at comes again in the next pass, with the same ID.
//
// The error, which comes last, is that of [Watcher.Visit] or of the store.
func (w *Watcher) Pass(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		visit := w.Visit(ctx)
		if !w.deliver(ctx, yield) {
			return
		}
		if visit != nil {
			yield(Event{}, visit)
		}
	}
}

// perDelivery is how many events are read from the store at once.
const perDelivery = 500

// deliver yields the pending events and acknowledges them. It reports whether the loop
// goes on.
func (w *Watcher) deliver(ctx context.Context, yield func(Event, error) bool) bool {
	for {
		events, err := w.store.Pending(ctx, perDelivery)
		if err != nil {
			yield(Event{}, err)
			return false
		}
		if len(events) == 0 {
			return true
		}
		for i, event := range events {
			if yield(event, nil) {
				continue
			}
			if i > 0 {
				// The loop has ended and cannot take an error: these events come again.
				_ = w.store.Acknowledge(ctx, events[i-1].ID)
			}
			return false
		}
		if err := w.store.Acknowledge(ctx, events[len(events)-1].ID); err != nil {
			yield(Event{}, err)
			return false
		}
	}
}

// Visit makes one pass over the sites that are due and adds what it finds to the events
// of the store, where [Store.Pending] returns them. Its error joins a [*DocumentError]
// for the first documents that could not be read, is [ErrNoAnswer] when no site answered,
// and otherwise is that of the store or of ctx. When ctx ends, what was read so far is
// kept, and the next pass continues.
func (w *Watcher) Visit(ctx context.Context) error {
	secret, err := w.store.Key(ctx)
	if err != nil {
		return err
	}
	w.reader.hasher.secret = secret
	sites, err := w.due(ctx, time.Now())
	if err != nil {
		return err
	}
	var problems []error
	answered := 0
	for i := range sites {
		result, err := w.visit(ctx, &sites[i])
		if err != nil {
			return err
		}
		if result.answered {
			answered++
		}
		if len(problems) < maxProblems {
			problems = append(problems, result.problems...)
		}
	}
	if answered == 0 && len(sites) > 0 {
		problems = append([]error{ErrNoAnswer}, problems...)
	}
	return errors.Join(problems...)
}

// maxProblems is how many documents that could not be read are reported, of a site and of
// a pass.
const maxProblems = 20

// due returns the sites whose next pass is not later than now.
func (w *Watcher) due(ctx context.Context, now time.Time) ([]Site, error) {
	known, err := w.known(ctx)
	if err != nil {
		return nil, err
	}
	var due []Site
	for _, name := range w.options.Sites {
		site, found := known[name]
		if !found {
			site.Name = name
		}
		if w.options.Every == 0 || !site.next(now).After(now) {
			due = append(due, site)
		}
	}
	return due, nil
}

func (w *Watcher) known(ctx context.Context) (map[string]Site, error) {
	sites, err := w.store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string]Site, len(sites))
	for _, site := range sites {
		known[site.Name] = site
	}
	return known, nil
}

// Next returns when the first site is due.
func (w *Watcher) Next(ctx context.Context) (time.Time, error) {
	known, err := w.known(ctx)
	if err != nil {
		return time.Time{}, err
	}
	var next time.Time
	for i, name := range w.options.Sites {
		site := known[name]
		at := site.next(time.Now())
		if i == 0 || at.Before(next) {
			next = at
		}
	}
	return next, nil
}

// collectFor is the shortest time between two passes over a site that [Watcher.MakeDue] asks for. A hub
// that delivers without end does not make the watcher request its feed without end.
const collectFor = 2 * time.Second

// next returns when a site is due. It is at once when its last pass is in the future: the
// clock was set back since.
func (s *Site) next(now time.Time) time.Time {
	collected := s.LastPass.Add(collectFor)
	switch {
	case isAhead(s.LastPass, now):
		return time.Time{}
	case s.Due && collected.Before(s.NextPass):
		return collected
	}
	return s.NextPass
}

// isAhead reports whether a recorded time is in the future.
func isAhead(at, now time.Time) bool { return at.After(now.Add(time.Minute)) }

// MakeDue makes a site due now, for example because a hub delivered one of its feeds, or two
// seconds after the begin of its last pass if that is later. Calls until then ask for one pass
// together. Another goroutine may call it during a pass, and asks for one after it.
func (w *Watcher) MakeDue(ctx context.Context, site string) error {
	return w.store.Update(ctx, site, func(tx Tx) error {
		now, err := tx.Site()
		if err != nil {
			return err
		}
		now.Due = true
		return tx.SetSite(now)
	})
}

// Feeds returns the site of every feed that is followed, by the URL of the feed. A hub can
// be asked to report their changes, see [Subscriber].
func (w *Watcher) Feeds(ctx context.Context) (map[string]string, error) {
	feeds := map[string]string{}
	for _, site := range w.options.Sites {
		err := w.store.Update(ctx, site, func(tx Tx) error {
			documents, err := tx.Documents()
			for i := range documents {
				if documents[i].Kind == kindFeed {
					feeds[documents[i].URL] = site
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return feeds, nil
}

// schedule sets when a site is visited next: sooner after a change, later without one,
// and never at the same moment as everybody else.
func (w *Watcher) schedule(site *Site, changed bool) {
	every := w.options.Every
	if every == 0 {
		return
	}
	if changed || site.Interval == 0 {
		site.Interval = max(every, site.Interval/2)
	} else {
		site.Interval = min(site.Interval*3/2, max(every, w.options.MaxInterval))
	}
	jitter := time.Duration(rand.Int64N(int64(site.Interval)/10 + 1))
	site.NextPass = site.LastPass.Add(site.Interval + jitter)
}

// Close closes idle connections.
func (w *Watcher) Close() { w.client.Close() }

func (w *Watcher) problem(site string, err error) {
	if w.options.OnProblem != nil {
		w.options.OnProblem(site, err)
	}
}

// A SiteError reports a site of [Options] that is neither a site nor the URL of a document.
type SiteError struct {
	Site string // without user information
	Why  string
}

// Error returns the site and the reason.
func (e *SiteError) Error() string { return fmt.Sprintf("cannot follow %q: %s", e.Site, e.Why) }
