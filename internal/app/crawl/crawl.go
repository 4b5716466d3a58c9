// Package crawl implements mapa crawl, on this machine ([Run]) or on workers ([RunJob]), the
// workers themselves ([Work]), and mapa job.
package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

const (
	// concludeTime limits how long results are written after a crawl, which goes on when
	// the crawl itself was interrupted.
	concludeTime = time.Hour
	// reportGrace is when, after the time that the user set, reports must be written. A
	// site can make them take longer than the crawl.
	reportGrace = 3 * time.Second
)

// Run crawls the site at an address and writes the sitemap, the broken links, the
// changes and the report to its folder. It resumes a crawl that was cut off.
//
// A crawl that is cut off is in the result too, unless the folder has the sitemap of a
// finished crawl, which is kept: then the error is a [*CutError].
func Run(ctx context.Context, a *app.App, address string, s *Settings) (*Result, error) {
	switch {
	case s.Access.PublicOnly:
	case addresses.IsFolder(address):
		return crawlFolder(ctx, a, address, s)
	case sourceSetting(address) != "":
		return nil, setting.Invalid(sourceSetting(address), "%[2]s is a file: name its site, with %[1]s %[2]s for the pages in it",
			addresses.TruncatedAddress(address))
	}
	if !s.Access.PublicOnly && addresses.IsFile(address) {
		return nil, fmt.Errorf("%s %w", addresses.TruncatedAddress(address), addresses.ErrFile)
	}
	return RunSite(ctx, a, address, s)
}

// sourceSetting returns the setting for an address that is the path of a file with the name of a
// sitemap or of a list, or "".
func sourceSetting(address string) string {
	if info, err := os.Stat(address); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	switch strings.ToLower(filepath.Ext(address)) {
	case ".xml", ".gz":
		return "sitemap"
	case ".txt":
		return "list"
	}
	return ""
}

// RunSite is Crawl for an address that is never a folder, as strangers give it.
func RunSite(ctx context.Context, a *app.App, address string, s *Settings) (*Result, error) {
	start, err := addresses.ReadStart(address)
	if err != nil {
		return nil, err
	}
	return crawlFrom(ctx, a, start, nil, !strings.Contains(address, "://"), s)
}

// An Interruption is the cause (see [context.Cause]) of the end of a context that says
// what becomes of a crawl. Without one, what was found is written unless the folder has
// the result of a finished crawl.
type Interruption string

// The interruptions.
const (
	// InterruptSuspend lets the next run go on. Results that are being written are left to
	// it too.
	InterruptSuspend Interruption = "the crawl is suspended"
	// InterruptConclude writes what was found.
	InterruptConclude Interruption = "the crawl is ended"
)

// Error implements error.
func (i Interruption) Error() string { return string(i) }

// crawlFrom crawls from a start, whose scheme may be guessed. folder is nil unless a
// folder is crawled.
func crawlFrom(
	ctx context.Context, a *app.App, start addresses.StartAddress, folder *folderSite, guessed bool, s *Settings,
) (_ *Result, err error) {
	if s.Output == "" {
		if err := config.CheckHostFolder(start.Host); err != nil {
			return nil, err
		}
	}
	run, err := newRun(a, start, folder, guessed, s)
	if err != nil {
		return nil, err
	}
	if folder == nil {
		sayFolderSettings(a, s)
	}
	if folder == nil && !s.Fresh {
		if err := run.recallStart(); err != nil {
			return nil, err
		}
	}
	if err := figures.Check(ctx, s.Join); err != nil {
		return nil, err
	}
	stop, err := run.startBrowser(ctx, &s.Browser)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	run.adoptScheme()
	if a.Stdin == nil || !s.Seeds.useStdin() {
		return run.doFromAnyStart(ctx)
	}
	stdin := &rewindReader{source: a.Stdin}
	run.stdin = stdin
	result, err := run.doFromAnyStart(ctx)
	return result, errors.Join(err, stdin.close())
}

// newRun validates the settings of a crawl. folder is nil unless a folder is crawled.
func newRun(
	a *app.App, start addresses.StartAddress, folder *folderSite, guessed bool, s *Settings,
) (*crawlRun, error) {
	site, err := url.Parse(start.URL)
	if err != nil {
		return nil, err
	}
	options, err := s.Options(site)
	if err != nil {
		return nil, err
	}
	if err := s.checkStart(site); err != nil {
		return nil, err
	}
	published, err := s.Publish.Options()
	if err != nil {
		return nil, err
	}
	if s.OnlySeeds() && s.PublishFolder == "" {
		published.MaxShrink = 100 // the list decides how many pages there are
	}
	if err := outputs.CheckRobotsTxt(s.Publish.RobotsTxt, s.Seeds.files()); err != nil {
		return nil, err
	}
	rules, err := s.Rules.Rules(options.Checks.Policy)
	if err != nil {
		return nil, err
	}
	checker, err := s.Checks.Checker(s.Seeds.files())
	if err != nil {
		return nil, err
	}
	language, err := setting.LanguageOf(cmp.Or(s.Lang, string(a.Language())))
	if err != nil {
		return nil, err
	}
	published.Language = language
	options.StrictStart = true
	options.Images = options.Images || published.Apart.Images
	options.Shingles = rules.Pages.Applies("near-duplicate")
	if options.Access.UserAgent == "" {
		options.Access.UserAgent = a.UserAgent()
	}
	run := &crawlRun{
		app: a, settings: s, options: options, publish: published, rules: rules, checker: checker, language: language,
		folder: s.folderOf(start.Host), site: folder, stdin: a.Stdin, render: s.Render,
		user:   cmp.Or(s.Access.User, start.User),
		unused: scope.NewUnused(&options.Scope), // before a folder adds its own patterns
	}
	if err := run.begin(crawlStart{url: start.URL, asked: start.URL, guessed: guessed}); err != nil {
		return nil, err
	}
	run.publish.Folder = cmp.Or(s.PublishFolder, run.folder)
	if err := run.setBaseURL(s.BaseURL); err != nil {
		return nil, err
	}
	if folder != nil {
		folder.prepare(run)
	}
	return run, nil
}

// doFromAnyStart calls do, again for another start where nextStart finds one.
func (r *crawlRun) doFromAnyStart(ctx context.Context) (*Result, error) {
	for {
		result, err := r.do(ctx)
		if err == nil {
			return result, nil
		}
		if !r.nextStart(ctx, err) {
			return nil, r.withCredentials(r.withOtherAddress(ctx, err))
		}
		if stdin, ok := r.stdin.(*rewindReader); ok {
			stdin.rewind()
		}
	}
}

// A crawlRun is one run of [Run].
type crawlRun struct {
	app        *app.App
	settings   *Settings
	options    crawl.Options
	publish    publish.Options
	rules      *checks.Rules
	checker    *checks.Checker  // nil without checks
	language   catalog.Language // of the report
	user       string           // NAME:PASSWORD for the start, or empty
	folder     string           // of the crawl
	madeFolder bool             // by this run
	site       *folderSite      // nil unless a folder is crawled
	stdin      io.Reader
	render     string        // which pages are rendered, as in Settings
	unused     *scope.Unused // the patterns of the user
	start      crawlStart    // changed by begin
}

// do crawls from the start, and writes what was found.
func (r *crawlRun) do(ctx context.Context) (_ *Result, err error) {
	start, err := r.options.StartURL()
	if err != nil {
		return nil, err
	}
	if _, err := sitemap.EncodeLoc(start); err != nil { // of a redirect; the settings were checked
		detail := "no sitemap may list it: " + err.Error()
		return nil, &crawl.StartError{URL: addresses.TruncatedAddress(start), Err: err, Detail: detail}
	}
	written, err := r.openFolder()
	if err != nil {
		return nil, err
	}
	meta := r.meta()
	file, err := openCrawl(r.folder, r.about(start), written, r.settings.Fresh, r.settings.KeepFinished)
	if err != nil {
		return nil, err
	}
	if begun := file.Meta().Start; begun != start && r.options.BaseURL == "" { // another spelling
		r.moveTo(r.start, begun)
	}
	defer func() { err = errors.Join(err, file.close()) }()
	r.options.Previous = file.memory(meta)
	r.options.TempDir = r.folder
	var reading atomic.Pointer[string]
	r.observe(&reading)
	seeding, endSeeding := context.WithCancel(ctx)
	defer endSeeding()
	if r.options.Seeds, err = seeds(seeding, r.app, &r.settings.Seeds, r.stdin, &r.options, &reading); err != nil {
		return nil, errors.Join(err, file.takeBack())
	}
	if r.site != nil {
		r.options.Seeds = r.site.withPages(r.options.Seeds)
	}
	progress, err := r.crawl(ctx, file.File)
	endSeeding()
	r.app.Emit(app.Ended{})
	if file.forgotten > 0 {
		r.app.Emit(LossesForgotten{file.forgotten})
	}
	if progress.Resumed && r.options.Seeds != nil {
		r.app.Emit(SeedsIgnored{})
	}
	cut := cutBy(err, &progress)
	switch {
	case err != nil && cut == nil:
		if isNoStart(err) {
			err = errors.Join(err, r.takeBack(file))
		}
		return nil, err
	case cut != nil && isSuspended(ctx, file):
		return nil, cut
	case cut != nil && !hasPage(file.File): // it ended before it began
		return nil, errors.Join(cut, r.takeBack(file))
	case cut != nil:
		err = file.closePrevious() // a part of the site cannot be compared with it
	}
	if err := errors.Join(err, file.dropReplaced()); err != nil {
		return nil, err
	}
	concluding, cancel := untilConcluded(ctx)
	defer cancel()
	return r.conclude(concluding, file, progress, cut)
}

// takeBack removes what a run has made that did not begin.
func (r *crawlRun) takeBack(file *crawlFile) error {
	if err := file.takeBack(); err != nil || !r.madeFolder {
		return err
	}
	inside, err := os.ReadDir(r.folder)
	if err != nil || len(inside) > 0 {
		return err
	}
	return os.Remove(r.folder)
}

// hasPage reports whether a crawl has a page, or cannot be read.
func hasPage(file *store.File) bool {
	_, known, err := file.Page(1)
	return known || err != nil
}

// isNoStart reports whether a crawl could not begin, so that it has no result: its start or
// its seeds cannot be read.
func isNoStart(err error) bool {
	for _, target := range []error{crawl.ErrStart, crawl.ErrForbidden, source.ErrOpen, source.ErrNoSitemap} {
		if errors.Is(err, target) {
			return true
		}
	}
	_, moved := errors.AsType[*crawl.MovedError](err)
	return moved
}

// untilConcluded returns a context for writing results, which an interruption other than
// [InterruptSuspend] does not end: what was found is written all the same.
func untilConcluded(ctx context.Context) (context.Context, func()) {
	concluding, cancel := context.WithTimeout(context.WithoutCancel(ctx), concludeTime)
	stop := context.AfterFunc(ctx, func() {
		if context.Cause(ctx) == InterruptSuspend {
			cancel()
		}
	})
	return concluding, func() {
		stop()
		cancel()
	}
}

// openFolder makes the folder of the crawl, unless the run might replace files in it that Mapa
// did not write.
func (r *crawlRun) openFolder() (*outputs.WrittenFiles, error) {
	written, err := outputs.ReadWrittenFiles(r.folder, r.publish.Folder, r.publish.Outputs)
	if err == nil && !r.settings.Force {
		err = written.Check()
	}
	if err == nil {
		err = written.CheckSources(r.settings.Seeds.files())
	}
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(r.folder)
	r.madeFolder = r.madeFolder || errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(r.folder, 0o777); err != nil {
		return nil, &crawlfile.FolderError{Folder: r.folder, Err: err}
	}
	return written, r.checker.CheckPlace(written)
}

// observe makes the crawl report its events. reading is the sitemap that is read for seeds.
func (r *crawlRun) observe(reading *atomic.Pointer[string]) {
	r.options.OnProgress = func(p crawl.Progress) {
		if seed := reading.Load(); seed != nil {
			p.Reading = *seed
		}
		r.app.Emit(app.Progress{Progress: p, Total: r.total(&p), DefaultRate: r.defaultRate()})
	}
	if r.app.Verbose {
		r.options.OnPage = func(response crawl.Response) { r.app.Emit(PageFetched{response.URL, response.Status}) }
	}
	r.options.OnRateChange = func(host string, perSecond float64, why string) {
		r.app.Emit(app.RateChange{Host: host, PerSecond: perSecond, Why: why})
	}
	r.options.OnNotice = func(text string) { r.app.Emit(app.Notice{Text: text}) }
}

// crawl runs the crawl of a file, unless it is finished or is to be concluded as it is.
func (r *crawlRun) crawl(ctx context.Context, file *store.File) (crawl.Progress, error) {
	switch {
	case file.Finished():
		return crawl.Progress{Resumed: true}, nil
	case context.Cause(ctx) == InterruptConclude:
		return crawl.Progress{Resumed: true}, crawl.ErrStopped
	}
	end := r.settings.Access.ShareAnswers(r.app, &r.options)
	defer end()
	var agents insight.Agents
	if err := file.ReadNote(store.NoteAgents, &agents); err != nil { // of a run that this one continues
		return crawl.Progress{}, err
	}
	r.options.OnRobots = func(file *robots.File) { agents.ReadRobots(file, r.options.Start) }
	r.options.OnAgents = agents.ReadRefused
	observed := &observedStore{File: file, app: r.app}
	r.options.OnSitemap = func(found crawl.SiteSitemap) {
		observed.sitemaps = append(observed.sitemaps, insight.SitemapOf(found))
	}
	progress, err := crawl.Run(ctx, observed, &r.options)
	if failed := file.SetNote(store.NoteAgents, &agents); err == nil {
		err = failed
	}
	return progress, err
}

// isSuspended reports whether a crawl that was cut off is left as it is.
func isSuspended(ctx context.Context, file *crawlFile) bool {
	switch context.Cause(ctx) {
	case InterruptSuspend:
		return true
	case InterruptConclude:
		return false
	}
	return file.previous != nil
}

// about describes the crawl of a start.
func (r *crawlRun) about(start string) crawl.Meta {
	return crawl.Meta{
		Start: start, Program: r.app.Version, Options: r.meta().String(), Folder: r.publish.FolderURL,
		OnlySeeds: r.options.Scope.OnlySeeds,
	}
}

// meta returns the options that decide what the crawl file holds of a page.
func (r *crawlRun) meta() crawlfile.Meta {
	meta := crawlfile.Meta{
		Images: r.options.Images, Assets: r.options.Checks.Assets, Feeds: r.options.Feeds,
		Strip: r.options.StripParameters, Links: r.options.Traps.Links,
		IgnoreNoIndex: r.options.Scope.IgnoreRobotsHeader, Documents: r.options.Documents,
		Render: Rendering(r.render), Compared: r.settings.compared(r.user),
		Lang: catalog.Language(r.settings.Lang), Sitemap: r.start.sitemap,
	}
	if r.options.BaseURL != "" {
		meta.Crawled, meta.BaseURL = r.options.Start, r.options.BaseURL
	}
	if r.site != nil {
		meta.Crawled = r.site.name
	}
	if r.options.Start != r.start.asked {
		meta.RequestedStart = r.start.asked
	}
	return meta
}

// total returns the number of pages after which the crawl ends: the limit, once enough
// URLs are known.
func (r *crawlRun) total(p *crawl.Progress) int {
	if limit := r.options.Limits.Pages; limit > 0 && p.Pages+p.Waiting >= limit {
		return limit
	}
	return 0
}

// defaultRate returns the limit of requests per second that nobody has set.
func (r *crawlRun) defaultRate() float64 {
	start, err := url.Parse(r.options.Start)
	if err != nil || r.site != nil || r.options.Access.Rate != (access.Rate{}) || fetch.IsLoopback(start.Host) {
		return 0
	}
	return access.DefaultRate
}

// conclude writes everything that a crawl leaves in its folder.
func (r *crawlRun) conclude(
	ctx context.Context, file *crawlFile, progress crawl.Progress, cut *CutError,
) (*Result, error) {
	if err := file.File.Conclude(r.options.MayList); err != nil {
		return nil, err
	}
	limited, cancel := r.limitReports(ctx, file)
	defer cancel()
	// Until all is written, every output counts as written, in case this is cut off.
	if err := file.ForgetFiles(); err != nil {
		return nil, err
	}
	result := newCrawlResult(r.folder, &progress, cut)
	result.Details.Language, result.Details.OnlySeeds = r.language, r.options.Scope.OnlySeeds
	if err := result.compareWith(file); err != nil {
		return nil, err
	}
	summary, err := r.publishAndCount(ctx, limited, file, &progress, result)
	if err != nil {
		return nil, err
	}
	if cut == nil && file.Finished() {
		if err := file.addToHistory(int(summary.Listed())); err != nil {
			return nil, err
		}
	}
	about := file.Meta()
	if _, err := r.settings.Publish.SetSitemapLine(about.FolderURL(), result.Files); err != nil {
		return nil, err
	}
	if r.site != nil && !about.OnlySeeds {
		if err := r.site.findOrphans(limited, file.File, result); err != nil && !isDeadline(limited) {
			return nil, err
		}
	}
	if err := r.judge(limited, file, result); err != nil {
		return nil, err
	}
	var joinError error // which costs no report
	if result.Figures, joinError = r.joinFigures(limited, file.File); isDeadline(limited) {
		joinError = nil
	}
	defer result.closeChanges()
	if err := result.report(limited, file, r.checker); err != nil {
		return nil, err
	}
	if err := r.sayUnused(limited, file.File, &summary, result); err != nil {
		return nil, err
	}
	if err := r.sayElsewhere(limited, file.File); err != nil {
		return nil, err
	}
	if result.Details.Refused == nil {
		file.written.Complete = summary.Complete()
	}
	if err := file.written.RecordIn(file.File); err != nil {
		return nil, err
	}
	if err := r.check(limited, file.File, result); err != nil {
		return result, err
	}
	return result, errors.Join(file.SetNote(store.NoteBase, result.isBase(file.File)), joinError)
}

// joinFigures adds what search engines say about the pages. Figures of before that cannot be joined are a problem, not
// an error: the crawl does not need them.
func (r *crawlRun) joinFigures(ctx context.Context, file *store.File) (*figures.Result, error) {
	place := figures.In(r.folder)
	if r.settings.Figures != nil {
		place = *r.settings.Figures
	}
	joined, err := figures.Join(ctx, place, file, r.settings.Join)
	if err != nil && ctx.Err() == nil && len(r.settings.Join) == 0 {
		r.app.Emit(app.Problem{Err: err})
		return nil, nil
	}
	return joined, err
}

// check applies the checks that the user asked for, where there is time.
func (r *crawlRun) check(limited context.Context, file *store.File, result *Result) (err error) {
	if r.checker == nil || result.Details.Late {
		return nil
	}
	result.Details.Check, err = r.checker.Run(limited, file, result.Details.changes)
	if errors.Is(err, context.DeadlineExceeded) {
		result.Details.Late = true
		return nil
	}
	result.Failing, result.Accepted = result.Details.Check.Failing, result.Details.Check.Accepted
	return err
}

// publishAndCount writes the outputs and counts the URLs. Counting may take all the time
// that is left, so it comes second unless the crawl is finished: only then may it be
// complete.
func (r *crawlRun) publishAndCount(
	ctx, limited context.Context, file *crawlFile, progress *crawl.Progress, result *Result,
) (summary crawl.Summary, err error) {
	if result.Details.Cut.lacksBrowser() { // the pages that wait may link to any number of others
		return r.count(limited, file, progress, result)
	}
	if file.Finished() {
		if summary, err = r.count(limited, file, progress, result); err != nil {
			return summary, err
		}
	}
	r.publish.KeepLarger = file.written.Complete && (!file.Finished() || !summary.Complete())
	if err := result.publish(ctx, file.File, r.publish); err != nil || file.Finished() {
		return summary, err
	}
	return r.count(limited, file, progress, result)
}

// count counts the URLs in the crawl file. When limited reaches its deadline, the result
// has what the progress says.
func (r *crawlRun) count(
	limited context.Context, file *crawlFile, progress *crawl.Progress, result *Result,
) (crawl.Summary, error) {
	summary, err := file.Summary(limited)
	isLate := isDeadline(limited)
	if isLate {
		summary, err = summaryOf(progress), nil
	}
	result.count(&summary)
	if isLate {
		result.Broken = int64(progress.Broken)
	}
	return summary, err
}

// isDeadline reports whether a context has reached its deadline.
func isDeadline(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// summaryOf returns what the progress of a crawl says about its URLs.
func summaryOf(p *crawl.Progress) crawl.Summary {
	return crawl.Summary{Pages: int64(p.Pages), Waiting: int64(p.Waiting), Reasons: map[crawl.Reason]int64{
		crawl.ReasonListed: int64(p.Listed), crawl.ReasonRedirect: int64(p.Redirects), crawl.ReasonRobots: int64(p.Blocked),
	}}
}

// limitReports returns the context of the reports, which ends soon after the time that
// the user set.
func (r *crawlRun) limitReports(ctx context.Context, file *crawlFile) (context.Context, context.CancelFunc) {
	if r.options.Limits.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, file.opened.Add(r.options.Limits.Time+reportGrace))
}

// A CutError reports a crawl that was cut off and can be resumed: it was interrupted,
// or the site stopped answering.
type CutError struct {
	Outage     bool
	Unanswered int // URLs in a row without an answer, in an outage
	// Unrendered is why pages wait to be rendered; nil unless that ended the crawl.
	Unrendered *crawl.UnrenderedError
	err        error
}

// cutBy returns how an error cut a crawl off, or nil where it did not.
func cutBy(err error, p *crawl.Progress) *CutError {
	outage := errors.Is(err, crawl.ErrOutage)
	unrendered, _ := errors.AsType[*crawl.UnrenderedError](err)
	if !outage && unrendered == nil && !errors.Is(err, crawl.ErrStopped) {
		return nil
	}
	return &CutError{Outage: outage, Unanswered: p.Unanswered, Unrendered: unrendered, err: err}
}

// lacksBrowser reports whether the browser failed, so that any number of pages is unknown.
func (e *CutError) lacksBrowser() bool {
	return e != nil && e.Unrendered != nil && e.Unrendered.LacksBrowser()
}

// Error gives the cause.
func (e *CutError) Error() string { return e.err.Error() }

// Unwrap returns the error of the crawl.
func (e *CutError) Unwrap() error { return e.err }
