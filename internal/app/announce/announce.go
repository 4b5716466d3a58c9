// Package announce implements mapa announce: it tells search engines, hubs and robots.txt about
// a sitemap and the pages that changed. Begin with [Run].
package announce

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/ledger"
)

// A Result is the outcome of an announcement. Its JSON is for programs.
type Result struct {
	Sitemap string       `json:"sitemap"` // public URL
	Pages   int          `json:"pages"`   // that it lists
	Changes ChangeCounts `json:"changes"` // to announce
	// Providers are those that were announced to, robots.txt aside.
	Providers []announce.Provider `json:"providers"`
	// Baseline reports that there was no earlier state, so that no URL was announced.
	Baseline bool `json:"baseline,omitempty"`
	// DryRun reports that nothing was sent.
	DryRun   bool                  `json:"dry_run,omitempty"`
	Refusals Refusals              `json:"refusals"`
	Robots   *announce.RobotsCheck `json:"robots,omitempty"`
	// Patched is what was done to the file of the robots-txt setting, or empty.
	Patched outputs.RobotsEdit `json:"robots_file,omitempty"`
	Results []ProviderResult   `json:"results,omitempty"`
	Quotas  []QuotaState       `json:"quotas,omitempty"`

	// RobotsAlone reports that nothing but robots.txt was asked for.
	RobotsAlone bool `json:"-"`
}

// A ProviderResult is the result of a provider, with its error as text.
type ProviderResult struct {
	announce.Result
	Error  string `json:"error,omitempty"`
	Advice string `json:"advice,omitempty"`
}

// A QuotaState is a quota as it stands.
type QuotaState struct {
	Provider string        `json:"provider"`
	Target   string        `json:"target"`
	Kind     announce.Kind `json:"kind"`
	Used     int           `json:"used"`
	Left     int           `json:"left"`
	Limit    int           `json:"limit,omitempty"`
	Resets   time.Time     `json:"resets"`
}

// Hooks connect an announcement with the caller that runs it.
type Hooks struct {
	// Confirm is asked before all pages are announced, unless the yes setting is given.
	Confirm func(pages int, sitemap string) (bool, error)
	// Request is called for every request of a dry run.
	Request func(announce.Provider, announce.Request) error
}

// ErrNotConfirmed says that a person declined to announce all pages.
var ErrNotConfirmed = errors.New("nothing was announced")

// An announceRun is one run of [Run].
type announceRun struct {
	app      *app.App
	settings *Settings
	hooks    Hooks
	source   *announceSource
	ledger   *ledger.Ledger
	options  *announce.Options
	chosen   []announce.Announcer
	robots   bool   // robots.txt is to be checked
	version  string // of the listing
	result   Result
}

// Run announces the sitemap in a folder, in a file or at a URL, and the pages that
// changed since its last announcement. Nothing is sent when a check refuses; that is part
// of the result. A crawl and a build call it after a successful publication.
func Run(
	ctx context.Context, a *app.App, location string, s *Settings, hooks Hooks,
) (_ *Result, err error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var sources atomicfile.FileSet
	sources.Add(location)
	if err := outputs.CheckRobotsTxt(s.RobotsFile, &sources); err != nil {
		return nil, err
	}
	c, err := credentials(a, &s.Credentials)
	if err != nil {
		return nil, err
	}
	r := &announceRun{app: a, settings: s, hooks: hooks, options: announceOptions(a, s, &c, nil)}
	r.result.Providers = []announce.Provider{}
	if _, r.robots, err = announcers(s, &c, nil); err != nil { // before anything is read
		return nil, err
	}
	if r.source, err = openAnnounceSource(ctx, a, location, s); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.source.close()) }()
	if err := r.checkSitemap(ctx); err != nil || r.result.Refusals.Count > 0 {
		return &r.result, err
	}
	if err := r.confirm(); err != nil {
		return nil, err
	}
	if err := r.checkRobots(ctx); err != nil || r.result.Unreachable() {
		return &r.result, err
	}
	if err := r.openLedger(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.ledger.Close()) }()
	r.options = announceOptions(a, s, &c, r.ledger)
	if r.chosen, _, err = announcers(s, &c, r.options); err != nil {
		return nil, err
	}
	if err := r.do(ctx); err != nil {
		return nil, err
	}
	return &r.result, nil
}

// openLedger opens the ledger, or a copy of it for a dry run.
func (r *announceRun) openLedger(ctx context.Context) (err error) {
	folder, name := r.source.ledgerName()
	if r.settings.Ledger != "" {
		folder, name = "", r.settings.Ledger
	}
	if r.settings.DryRun {
		r.ledger, err = ledger.OpenCopy(ctx, name)
		return err
	}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return &crawlfile.FolderError{Folder: folder, Setting: "ledger", Err: err}
		}
	}
	r.ledger, err = ledger.Open(ctx, name)
	return err
}

func (r *announceRun) do(ctx context.Context) (err error) {
	for _, a := range r.chosen {
		r.result.Providers = append(r.result.Providers, a.Provider())
	}
	r.result.RobotsAlone = r.robots && len(r.chosen) == 0 && len(r.settings.To) > 0
	if r.result.Baseline, err = r.countChanges(ctx); err != nil {
		return err
	}
	if r.settings.All || r.settings.Since != "" {
		r.result.Baseline = false
	}
	if err := r.reportInterrupted(ctx); err != nil {
		return err
	}
	if err := r.check(ctx); err != nil || r.result.Refusals.Count > 0 {
		return err
	}
	if r.settings.DryRun {
		return r.plan(ctx)
	}
	if r.robots && r.settings.RobotsFile != "" {
		if r.result.Patched, err = outputs.PatchRobots(r.settings.RobotsFile, r.source.sitemap); err != nil {
			return err
		}
	}
	r.announce(ctx)
	return r.readQuotas(ctx)
}

// checkRobots checks what robots.txt says of the sitemap, unless nobody asked for it.
func (r *announceRun) checkRobots(ctx context.Context) error {
	if !r.robots {
		return nil
	}
	page, err := r.source.firstPage(ctx)
	if err == nil {
		r.result.Robots, err = announce.CheckRobots(ctx, page, r.source.sitemap, r.options)
	}
	return err
}

// Unreachable reports whether neither robots.txt nor the sitemap answers. Nothing is checked,
// recorded or sent then.
func (r *Result) Unreachable() bool {
	return r.Robots != nil && r.Robots.Unanswered != "" && r.Robots.SitemapStatus == 0
}

// check does all checks that are left. It changes nothing.
func (r *announceRun) check(ctx context.Context) error {
	return r.checkPages(ctx, r.pagesFor(ctx, r.ledger.Distinct(ctx, r.source.sitemap, r.urlChannels())))
}

// confirm asks before all pages are announced.
func (r *announceRun) confirm() error {
	if !r.settings.All || r.settings.Yes || r.settings.DryRun {
		return nil
	}
	ok, err := r.hooks.Confirm(r.result.Pages, r.source.sitemap)
	if err == nil && !ok {
		err = ErrNotConfirmed
	}
	return err
}

// takesURLs reports whether a provider takes URLs of pages.
func takesURLs(p announce.Provider) bool {
	return slices.Contains([]announce.Provider{
		announce.ProviderBing, announce.ProviderIndexNow, announce.ProviderYandex, announce.ProviderBaidu,
	}, p)
}

// urlChannels returns the channels of the chosen providers that take URLs.
func (r *announceRun) urlChannels() (channels []string) {
	for _, a := range r.chosen {
		if takesURLs(a.Provider()) {
			channels = append(channels, r.channel(a))
		}
	}
	return channels
}

func (r *announceRun) channel(a announce.Announcer) string {
	return announce.Channel(a.Provider(), r.settings.Endpoint)
}

// reportInterrupted reports the batches of runs that were cut off, which the chosen
// providers get again.
func (r *announceRun) reportInterrupted(ctx context.Context) error {
	cut, err := r.ledger.Interrupted(ctx)
	for _, batch := range cut {
		if slices.ContainsFunc(r.chosen, func(a announce.Announcer) bool { return r.channel(a) == batch.Channel }) {
			r.app.Emit(Interrupted{batch.Channel, batch.Target, batch.Items, batch.Begun})
		}
	}
	return err
}

// announcementFor returns what a provider has yet to receive, and the results for what it
// has.
func (r *announceRun) announcementFor(ctx context.Context, a announce.Announcer) (
	*announce.Announcement, []announce.Result, error,
) {
	all := &announce.Announcement{}
	var known []announce.Result
	keep := func(kind announce.Kind, item announce.Item) (bool, error) {
		sent, err := r.ledger.IsSent(ctx, r.channel(a), kind, item)
		if sent {
			known = append(known, announce.Result{Provider: a.Provider(), Kind: kind, Target: item.URL, Known: 1})
		}
		return !sent, err
	}
	switch sitemap := (announce.Item{URL: r.source.sitemap, Version: r.version}); a.Provider() {
	case announce.ProviderGoogle, announce.ProviderBing, announce.ProviderYandex:
		isNew, err := keep(announce.KindSitemap, sitemap)
		if err != nil {
			return nil, nil, err
		}
		if isNew {
			all.Sitemap = sitemap
		}
	case announce.ProviderWebSub:
		for _, feed := range r.feeds() {
			item := announce.Item{URL: feed, Version: r.version}
			isNew, err := keep(announce.KindFeed, item)
			if err != nil {
				return nil, nil, err
			}
			if isNew {
				all.Feeds = append(all.Feeds, item)
			}
		}
	}
	if takesURLs(a.Provider()) {
		pages := r.pagesFor(ctx, r.ledger.Pending(ctx, r.source.sitemap, r.channel(a)))
		for range pages { // one is enough
			all.URLs = items(pages)
			break
		}
	}
	return all, known, nil
}

// feeds returns the feeds to announce by WebSub: those of the settings, or those next to the
// sitemap, or else the sitemap, which a hub takes too.
func (r *announceRun) feeds() []string {
	if len(r.settings.Feeds) > 0 {
		return r.settings.Feeds
	}
	var feeds []string
	base := r.source.sitemap[:len(r.source.sitemap)-len(lastSegment(r.source.sitemap))]
	for _, name := range []string{"atom.xml", "rss.xml"} {
		if r.source.folder != "" && crawlfile.FileIn(filepath.Dir(r.source.location), name) != "" {
			feeds = append(feeds, base+name)
		}
	}
	if len(feeds) == 0 {
		feeds = []string{r.source.sitemap}
	}
	return feeds
}

// plan shows the requests of a dry run.
func (r *announceRun) plan(ctx context.Context) error {
	for _, a := range r.chosen {
		all, known, err := r.announcementFor(ctx, a)
		if err != nil {
			return err
		}
		for _, result := range known {
			r.add(result)
		}
		if isEmpty(all) {
			continue
		}
		for request, err := range a.Plan(all) {
			var refused *announce.Error
			if errors.As(err, &refused) {
				r.app.Emit(app.Problem{Err: err})
				continue
			}
			if err == nil {
				err = r.hooks.Request(a.Provider(), request)
			}
			if err != nil {
				return err
			}
		}
	}
	return r.readQuotas(ctx)
}

func isEmpty(a *announce.Announcement) bool {
	return a.Sitemap.URL == "" && a.URLs == nil && len(a.Feeds) == 0
}

// announce announces to all providers at once. None waits for another.
func (r *announceRun) announce(ctx context.Context) {
	results := make([][]announce.Result, len(r.chosen))
	var group sync.WaitGroup
	for i, a := range r.chosen {
		group.Go(func() {
			all, known, err := r.announcementFor(ctx, a)
			results[i] = known
			switch {
			case err != nil:
				results[i] = append(known, announce.Result{Provider: a.Provider(), Err: err, Failed: 1})
			case !isEmpty(all):
				results[i] = append(known, a.Announce(ctx, all)...)
			}
		})
	}
	group.Wait()
	for _, result := range slices.Concat(results...) {
		r.add(result)
	}
}

func (r *announceRun) add(result announce.Result) {
	p := ProviderResult{Result: result}
	if result.Err != nil {
		p.Error = format.Redact(result.Err.Error())
		var failure *announce.Error
		if errors.As(result.Err, &failure) {
			p.Advice = failure.Advice()
		}
	}
	r.result.Results = append(r.result.Results, p)
}

// readQuotas adds the quotas of the chosen providers to the result.
func (r *announceRun) readQuotas(ctx context.Context) error {
	quotas, err := r.ledger.Quotas(context.WithoutCancel(ctx))
	for _, a := range r.chosen {
		for _, q := range quotas {
			if q.Channel == r.channel(a) {
				r.result.Quotas = append(r.result.Quotas, QuotaState{
					string(a.Provider()), q.Target, q.Kind, q.Used, q.Left, q.Limit, q.Resets.UTC(),
				})
			}
		}
	}
	return err
}

// An Outcome classifies the result of an announcement.
type Outcome int

// The outcomes of announcements. AnnouncedAll includes that there was nothing to
// announce, and what providers take later.
const (
	AnnouncedAll     Outcome = iota
	AnnouncedRefused         // a check refused, and nothing was sent
	AnnouncedPart            // some providers failed
	AnnouncedNone            // the site or no provider could be reached
)

// Outcome returns what the announcement amounts to. A robots.txt that does not name the
// sitemap only counts when nothing else was asked for.
func (r *Result) Outcome() Outcome {
	if r.Unreachable() {
		return AnnouncedNone
	}
	if r.Refusals.Count > 0 || r.RobotsAlone && r.robotsProblems() > 0 {
		return AnnouncedRefused
	}
	failed, reached := false, false
	for _, result := range r.Results {
		var failure *announce.Error
		isSilent := errors.As(result.Err, &failure) && failure.Reason == announce.ReasonUnreachable
		failed = failed || result.Err != nil || result.Failed > 0
		reached = reached || result.Sent > 0 || !isSilent && result.Sent+result.Pending+result.Waiting+result.Failed > 0
	}
	switch {
	case failed && !reached:
		return AnnouncedNone
	case failed:
		return AnnouncedPart
	}
	return AnnouncedAll
}

// robotsProblems counts what is wrong with robots.txt, without the missing line when the
// file that will be deployed has it.
func (r *Result) robotsProblems() int {
	if r.Robots == nil {
		return 0
	}
	if r.Patched != "" && !r.Robots.Named {
		return len(r.Robots.Problems) - 1
	}
	return len(r.Robots.Problems)
}
