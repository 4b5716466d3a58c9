// Package watch implements mapa watch: it follows the sitemaps of sites and delivers what
// changed. Begin with [Run].
package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	appaccess "github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/httpserver"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// Section is the section of mapa.yaml that has the settings of watch.
const Section = "watch"

// Settings say how sitemaps are followed. Get them from [NewSettings].
type Settings struct {
	State              string
	Every, MaxInterval time.Duration
	NoInitial          bool
	CrossHost          bool
	SitesFile          string
	Webhook            string
	WebhookSecretFile  string
	DeadLetter         string
	Exec               string
	Metrics            string
	WebSub, Listen     string
	Rate               access.Rate
	Request            appaccess.RequestSettings // for the sites, not for webhooks and hubs
}

// NewSettings returns the defaults.
func NewSettings() *Settings { return &Settings{State: "watch.sqlite"} }

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "state", Value: setting.String(&s.State), Risk: setting.RiskFile, Help: "keep what is known of the sites in this `FILE`"},
		{Name: "sites", Value: setting.String(&s.SitesFile), Risk: setting.RiskFile | setting.RiskSite,
			Help: "follow the sites in this `FILE` too, one a line; SIGHUP reads it again"},
		{Name: "every", Value: setting.Duration(&s.Every), Risk: setting.RiskNone,
			Help: "continue, with a pass over each site after this time, such as 10m"},
		{Name: "at-most", Value: setting.Duration(&s.MaxInterval), Risk: setting.RiskNone,
			Help: "the longest time between two passes over a site that does not change (default 6 times --every)"},
		{Name: "no-initial", Value: setting.Bool(&s.NoInitial), Risk: setting.RiskNone,
			Help: "print no event for the pages that the first pass finds"},
		{Name: "cross-host", Value: setting.Bool(&s.CrossHost), Risk: setting.RiskNone, Help: setting.CrossHostHelp},
		{Name: "webhook", Value: setting.String(&s.Webhook), Risk: setting.RiskOutside,
			Help: "POST the events to this `URL` instead of printing them"},
		{Name: "webhook-secret-file", Value: setting.String(&s.WebhookSecretFile), Risk: setting.RiskFile,
			Help: "sign webhooks with the secret in this `FILE`, by HMAC-SHA256"},
		{Name: "dead-letter", Value: setting.String(&s.DeadLetter), Risk: setting.RiskFile,
			Help: "append events that the webhook refuses to this `FILE` (default the state's name and .dead.jsonl)"},
		{Name: "exec", Value: setting.String(&s.Exec), Risk: setting.RiskOutside,
			Help: "run this shell `COMMAND` for every batch of events, with the events on its standard input"},
		{Name: "metrics", Value: setting.String(&s.Metrics), Risk: setting.RiskOutside,
			Help: "serve metrics for Prometheus at this `ADDRESS`, such as 127.0.0.1:9090"},
		{Name: "websub", Value: setting.String(&s.WebSub), Risk: setting.RiskOutside,
			Help: "subscribe to feeds at their hubs, which call back this public `URL`, such as https://example.com/websub/"},
		{Name: "listen", Value: setting.String(&s.Listen), Risk: setting.RiskOutside,
			Help: "`ADDRESS` where the calls of hubs arrive, such as 127.0.0.1:8700, behind a proxy with TLS"},
		{Name: "rate", Value: setting.Rate(&s.Rate), Risk: setting.RiskNone,
			Help: "at most `N` requests per second to a host, 0 for no limit"},
	}, s.Request.All()...)
}

// A Result is what the passes of a run came to.
type Result struct {
	Events int // delivered
	// Failed are the documents of the last pass that could not be read.
	Failed []error
}

// ErrNoState means that there is no state file.
var ErrNoState = errors.New("no such state file")

// perBatch is how many events are delivered together.
const perBatch = 500

// Run makes a pass over the sitemaps of the sites and delivers what changed: to out, a
// webhook or a command. With the every setting it continues until ctx ends, which is then
// no error, and reports documents that cannot be read as [app.Problem]. read returns the
// settings. A value from reload makes it read them again, with the files that they name,
// except where the state is and what is served. The error is [watch.ErrNoAnswer] when no
// site answered.
func Run(
	ctx context.Context, a *app.App, sites []string, read func() (*Settings, error),
	reload <-chan os.Signal, out io.Writer,
) (*Result, error) {
	w := &watchRun{app: a, sites: sites, read: read, reload: reload, out: out, wake: make(chan struct{}, 1)}
	prepared, err := w.prepare()
	if err != nil {
		return nil, err
	}
	s := prepared.settings
	if w.store, err = sqlitestore.Open(ctx, s.State); err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.use(ctx, prepared); err != nil {
		return nil, err
	}
	if s.Metrics != "" {
		stop, err := httpserver.Serve(s.Metrics, metricsHandler(w.store))
		if err != nil {
			return nil, setting.Wrap("metrics", err)
		}
		defer stop()
	}
	if s.WebSub != "" {
		stop, err := w.listen()
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	err = w.run(ctx)
	return &w.result, errors.Join(err, w.close())
}

// options validates the settings.
func (s *Settings) options(a *app.App, sites []string) (*watch.Options, error) {
	if s.Every < 0 || s.MaxInterval < 0 || s.MaxInterval > 0 && s.MaxInterval < s.Every {
		return nil, setting.Invalid("every", "%s must be 0 or more, and no longer than {at-most}")
	}
	if s.Metrics != "" && s.Every == 0 {
		return nil, setting.Invalid("metrics", "%s needs {every}")
	}
	if (s.WebSub == "") != (s.Listen == "") || s.WebSub != "" && s.Every == 0 {
		return nil, setting.Invalid("websub", "%s needs {listen} and {every}")
	}
	if s.Webhook != "" && s.Exec != "" {
		return nil, setting.Invalid("webhook", "use %s or {exec}, not both")
	}
	options := &watch.Options{
		Sites: slices.Clone(sites), Every: s.Every, MaxInterval: s.MaxInterval,
		SkipInitial: s.NoInitial, CrossHost: s.CrossHost,
		OnProblem: func(_ string, err error) { a.Emit(app.Problem{Err: err}) },
	}
	if s.SitesFile != "" {
		listed, err := addresses.ReadSites(s.SitesFile)
		if err != nil {
			return nil, setting.Wrap("sites", err)
		}
		options.Sites = append(options.Sites, listed...)
	}
	if len(options.Sites) == 0 {
		return nil, addresses.ErrNoSites
	}
	slices.Sort(options.Sites)
	options.Sites = slices.Compact(options.Sites)
	var err error
	options.Access, err = s.access(a, options.Sites)
	return options, err
}

// access returns how the sites are asked. What may be a secret goes to their origins only.
func (s *Settings) access(a *app.App, sites []string) (access.Access, error) {
	locations := make([]string, len(sites)) // never files
	for i, site := range sites {
		locations[i] = addresses.WithScheme(site)
	}
	asked, err := s.Request.Access(a.UserAgent(), locations, nil)
	asked.Rate = s.Rate
	return asked, err
}

// A watchRun is one run of [Run].
type watchRun struct {
	app     *app.App
	sites   []string
	read    func() (*Settings, error)
	reload  <-chan os.Signal
	out     io.Writer
	store   *sqlitestore.Store
	watcher *watch.Watcher
	result  Result
	watchPlan

	subscriptions *subscriptions // nil without the websub setting
	wake          chan struct{}  // a site is due earlier
}

// A watchPlan is what the settings come to.
type watchPlan struct {
	settings *Settings
	options  *watch.Options
	deliver  delivery
}

// prepare reads the settings.
func (w *watchRun) prepare() (p watchPlan, err error) {
	if p.settings, err = w.read(); err != nil {
		return p, err
	}
	if p.options, err = p.settings.options(w.app, w.sites); err != nil {
		return p, err
	}
	p.deliver, err = p.settings.delivery(w.app, w.out)
	return p, err
}

// use replaces the watcher. After an error the one before is still there.
func (w *watchRun) use(ctx context.Context, p watchPlan) error {
	known, err := w.store.Sites(ctx)
	if err != nil {
		return err
	}
	p.options.Sites = knownNames(p.options.Sites, known)
	watcher, err := watch.New(w.store, p.options)
	if err != nil {
		return err
	}
	if w.watcher != nil {
		w.watcher.Close()
	}
	w.watcher, w.watchPlan = watcher, p
	return nil
}

func (w *watchRun) close() error {
	if w.store == nil {
		return nil
	}
	if w.watcher != nil {
		w.watcher.Close()
	}
	store := w.store
	w.store = nil
	return store.Close()
}

// run makes one pass, or passes until ctx ends.
func (w *watchRun) run(ctx context.Context) error {
	for {
		err := w.pass(ctx)
		if w.settings.Every == 0 {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, watch.ErrNoAnswer) {
			return err
		}
		if w.subscriptions != nil {
			if err := w.subscriptions.update(ctx, w.watcher); err != nil {
				w.app.Emit(app.Problem{Err: err})
			}
		}
		if err := w.wait(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
	}
}

// pass makes one pass and delivers its events. Documents that could not be read are in
// the result.
func (w *watchRun) pass(ctx context.Context) error {
	learned, err := w.countLearned(ctx)
	if err != nil {
		return err
	}
	visit := w.watcher.Visit(ctx)
	if err := learned(ctx); err != nil {
		return err
	}
	w.result.Failed = nil
	for _, err := range joinedErrors(visit) {
		if _, isDocument := errors.AsType[*watch.DocumentError](err); !isDocument {
			continue
		}
		w.result.Failed = append(w.result.Failed, err)
	}
	if err := w.deliverAll(ctx); err != nil {
		return err
	}
	if errors.Is(visit, watch.ErrNoAnswer) {
		return watch.ErrNoAnswer
	}
	if visit != nil && len(w.result.Failed) == 0 {
		return visit
	}
	return nil
}

// joinedErrors returns the errors that [errors.Join] joined.
func joinedErrors(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return nil
}

// deliverAll delivers the pending events in batches. A batch counts as delivered when
// its delivery succeeds.
func (w *watchRun) deliverAll(ctx context.Context) error {
	for {
		events, err := w.store.Pending(ctx, perBatch)
		if err != nil || len(events) == 0 {
			return err
		}
		if err := w.deliver(ctx, events); err != nil {
			return err
		}
		if err := w.store.Acknowledge(ctx, events[len(events)-1].ID); err != nil {
			return err
		}
		w.result.Events += len(events)
	}
}

// wait waits until a site is due, or the sites are read again.
func (w *watchRun) wait(ctx context.Context) error {
	for ctx.Err() == nil {
		next, err := w.watcher.Next(ctx)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(next)):
			return nil
		case <-w.wake: // a site is due earlier
		case <-w.reload:
			w.readAgain(ctx)
			return nil
		}
	}
	return nil
}

// readAgain reads the settings again. After an error the run continues with those it has.
func (w *watchRun) readAgain(ctx context.Context) {
	prepared, err := w.prepare()
	if err == nil {
		err = w.use(ctx, prepared)
	}
	if err != nil {
		w.app.Emit(app.Problem{Err: err})
		return
	}
	w.app.Notify("notice.read-again", strconv.Itoa(len(w.options.Sites)))
}

// Status returns what is known of the sites in a state file, and how many events
// were not delivered yet.
func Status(ctx context.Context, a *app.App, name string) (sites []watch.Site, pending int, err error) {
	store, err := sqlitestore.OpenReader(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: %w", name, ErrNoState)
	}
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if sites, err = store.Sites(ctx); err != nil {
		return nil, 0, err
	}
	pending, err = store.PendingCount(ctx)
	return sites, pending, err
}
