package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/view"
)

// A resultFrame is what all pages of a result show.
type resultFrame struct {
	frame
	Crawl        *service.Crawl
	State        tag
	When         time.Time
	Overview     *report.Overview // nil when the crawl has no result
	RuleSections []report.Section
	Parts        []partLink
	CanShare     bool

	result  *result.Result
	offered []string // options of crawls
}

// Start returns the address at which the crawl began, or as it was asked for when it has no
// result.
func (v *resultFrame) Start() string {
	if v.Overview == nil {
		return v.Crawl.URL
	}
	return v.Overview.Start
}

// openResult opens the result of a crawl for a page. The page belongs to a part of the
// result. The caller calls release, also after an error.
func (s *Server) openResult(r *http.Request, part string) (v resultFrame, release func(), err error) {
	c, err := s.options.Service.Crawl(r.Context(), r.PathValue("id"))
	if err != nil {
		return v, func() {}, err
	}
	v = s.newResultFrame(r, c)
	release, err = s.addResult(r.Context(), &v, part)
	return v, release, err
}

func (s *Server) newResultFrame(r *http.Request, c *service.Crawl) resultFrame {
	v := resultFrame{frame: s.newFrame(r, "sites"), Crawl: c, When: c.When()}
	if v.CanCrawl && v.Public {
		v.Menu = "result"
	}
	v.CanShare = v.IsOwner && s.canShare()
	v.Title, v.State = v.texts.Text("web.result.title", c.Site), stateTag(v.texts, c.State)
	v.offered = s.options.Service.OptionNames()
	return v
}

// addResult opens the result of a crawl.
func (s *Server) addResult(ctx context.Context, v *resultFrame, part string) (release func(), err error) {
	if v.result, release, err = s.openSoon(ctx, v.Crawl.ID); err != nil {
		return func() {}, err
	}
	if v.Overview, err = v.result.Overview(ctx); err != nil {
		release()
		return func() {}, err
	}
	v.RuleSections = v.Overview.SectionTexts(v.texts, v.sectionHref)
	v.Parts = v.parts(part)
	return release, nil
}

// openTime is how long a person waits for a result that is opened for the first time.
const openTime = 5 * time.Second

var errPreparing = &statusError{
	status: http.StatusAccepted, code: "preparing", detail: "the result is being prepared", retryAfter: 3 * time.Second,
}

// openSoon opens the result of a crawl. When that takes long, as the first time for a
// large site, it goes on, and the error is errPreparing.
func (s *Server) openSoon(ctx context.Context, id string) (*result.Result, func(), error) {
	type answer struct {
		opened  *result.Result
		release func()
		err     error
	}
	done := make(chan answer)
	waits := make(chan struct{})
	go func() {
		opened, release, err := s.options.Service.OpenResult(context.WithoutCancel(ctx), id)
		select {
		case done <- answer{opened, release, err}:
		case <-waits:
			if err == nil {
				release()
			}
		}
	}()
	timer := time.NewTimer(openTime)
	defer timer.Stop()
	select {
	case a := <-done:
		return a.opened, a.release, a.err
	case <-timer.C:
	case <-ctx.Done():
	}
	close(waits)
	return nil, nil, errPreparing
}

// href returns the address of the page of a URL.
func (v *resultFrame) href(id int64) string {
	return "/crawls/" + v.Crawl.ID + "/pages/" + strconv.FormatInt(id, 10)
}

// short returns a URL for people: decoded, and without the origin of the start.
func (v *resultFrame) short(address string) string {
	start, err := url.Parse(v.Overview.Start)
	if err != nil {
		return format.ReadableURL(address)
	}
	if rest, ok := strings.CutPrefix(address, start.Scheme+"://"+start.Host); ok && strings.HasPrefix(rest, "/") {
		address = rest
	}
	return format.ReadableURL(address)
}

type resultView struct {
	resultFrame
	*report.OverviewTexts // nil when the crawl has no result
	Headline              string
	Failure               *service.Failure
	FailureAdvice         string // what to do about it
	CanResume             bool
	Upload                bool        // the sitemap is to be uploaded
	Usable                bool        // the sitemap is right, and not published yet
	Partial               bool        // the crawl ended before it visited every page
	Action                *actionView // nil without a button
	resultFiles
	Tasks       []view.Task      // the first
	Unchecked   *uncheckedView   // nil when everything was checked
	Publication *publicationView // nil when it was not published
	ScheduleID  string           // of the schedule that published it, if that is still there
}

// pageResult shows the overview of a crawl that has ended.
func (s *Server) pageResult(w http.ResponseWriter, r *http.Request, c *service.Crawl) error {
	v := resultView{resultFrame: s.newResultFrame(r, c), Failure: c.Failure}
	release, err := s.addResult(r.Context(), &v.resultFrame, "overview")
	defer release()
	if err != nil && c.State == service.StateFailed && isWithoutResult(err) {
		return s.pageFailed(w, r, v.resultFrame)
	}
	if err != nil && !isOtherVersion(err) && !(c.State == service.StateStopped && isWithoutResult(err)) {
		return err
	}
	v.resultFiles = newResultFiles(v.texts, c)
	if !v.Public { // it names a folder of the server
		v.Publication = newPublicationView(v.texts, c.Publication)
	}
	v.CanResume = v.caller.role == roleOwner && goesOn(c)
	if c.Failure != nil {
		v.FailureAdvice = service.ExplainFailure(v.texts, c.Failure.Code)
	}
	if isOtherVersion(err) {
		v.Headline, v.CanResume = v.texts.Text("web.error.version.text"), false
		return s.render(w, http.StatusConflict, "result", &v.frame, &v)
	}
	if err != nil { // it was stopped before it began
		v.Headline, v.CanResume = v.texts.Text("web.result.cancelled", c.Site), false
		v.Action = &actionView{Name: v.texts.Text("web.start.new"), Href: "/"}
		return s.render(w, http.StatusOK, "result", &v.frame, &v)
	}
	v.OverviewTexts = v.Overview.Texts(v.texts, v.sectionHref)
	v.Headline = v.OverviewTexts.Headline
	v.Title = v.Sign.Name + " · " + v.Title
	if v.Overview.Verdict != nil && isJudged(c.Failure) {
		v.Failure = nil
	}
	if published(c) {
		if _, err := s.options.Service.Schedule(r.Context(), c.Schedule); err == nil {
			v.ScheduleID = c.Schedule
		}
	}
	v.addAction()
	tasks, err := v.result.Tasks(r.Context(), report.MaxTasks)
	if err != nil {
		return err
	}
	v.Tasks = v.Overview.TaskTexts(v.texts, tasks, v.sectionHref, v.linkTo)
	v.Unchecked = v.unchecked()
	return s.render(w, http.StatusOK, "result", &v.frame, &v)
}

// isJudged reports whether the verdict says what a failure says.
func isJudged(failure *service.Failure) bool {
	return failure != nil && (failure.Code == service.FailureEmpty || failure.Code == service.FailureRefused)
}

// goesOn reports whether a crawl that has ended can go on where it was. One that was stopped
// before it began has nothing to show, and begins.
func goesOn(c *service.Crawl) bool {
	if c.State == service.StateStopped {
		return true
	}
	if c.Failure != nil && c.State == service.StateFailed {
		resumable := []string{service.FailureOutage, service.FailureDiskFull, service.FailureUnrendered}
		return slices.Contains(resumable, c.Failure.Code)
	}
	return c.Limit == crawl.LimitTime
}

// isWithoutResult reports whether a crawl ended before it had a result.
func isWithoutResult(err error) bool {
	return errors.Is(err, service.ErrNotFound) || cause.Of(err) == cause.NoCrawl ||
		cause.Of(err) == cause.FolderWithoutCrawl
}

// isOtherVersion reports whether another version of Mapa made a result. Then only its files can be shown.
func isOtherVersion(err error) bool {
	kind := cause.Of(err)
	return kind == cause.FileVersion || kind == cause.FileNewer
}

// decisionTag names a decision, or the status of the response where that says more.
func (v *resultFrame) decisionTag(decision string, status int) tag {
	return view.DecisionTag(v.texts, page.DecisionNamed(decision), status)
}
