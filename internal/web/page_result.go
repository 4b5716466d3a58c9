package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// A resultFrame is what all pages of a result show.
type resultFrame struct {
	frame
	Crawl    *service.Crawl
	State    tag
	When     time.Time
	Overview *app.Overview // nil when the crawl has no result
	Parts    []partLink

	result *app.Result
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
	v := resultFrame{frame: s.newFrame(r, "sites"), Crawl: c, When: c.Created}
	if v.Public {
		v.Menu = "result"
	}
	if !c.Ended.IsZero() {
		v.When = c.Ended
	}
	v.Title, v.State = v.texts.Text("web.result.title", c.Site), stateTag(v.texts, c.State)
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
func (s *Server) openSoon(ctx context.Context, id string) (*app.Result, func(), error) {
	type opened struct {
		result  *app.Result
		release func()
		err     error
	}
	done := make(chan opened)
	waits := make(chan struct{})
	go func() {
		result, release, err := s.options.Service.OpenResult(context.WithoutCancel(ctx), id)
		select {
		case done <- opened{result, release, err}:
		case <-waits:
			if err == nil {
				release()
			}
		}
	}()
	timer := time.NewTimer(openTime)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.result, o.release, o.err
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

// short returns a URL without the origin of the start.
func (v *resultFrame) short(address string) string {
	start, err := url.Parse(v.Overview.Start)
	if err != nil {
		return address
	}
	if rest, ok := strings.CutPrefix(address, start.Scheme+"://"+start.Host); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return address
}

type resultView struct {
	resultFrame
	Headline, Note   string
	Failure          *service.Failure
	Main             *fileLink
	Downloads        []fileLink
	Figures, Changes []figure
	Tasks            []taskView
	Broken           []brokenRow
	Depths, Statuses []bar
	Decisions        []decisionRow
}

// A fileLink leads to a file of a result. A size of 0 is unknown.
type fileLink struct {
	Href, Name, Text string
	Size             int64
}

type figure struct {
	Name  string
	Count int
	Kind  string
}

type taskView struct{ Kind, Title, Text, Code, Href string }

type brokenRow struct {
	Tags            []tag
	Href, URL, Note string
}

type decisionRow struct {
	bar
	Href, Text string
}

// pageResult shows the overview of a crawl that has ended.
func (s *Server) pageResult(w http.ResponseWriter, r *http.Request, c *service.Crawl) error {
	v := resultView{resultFrame: s.newResultFrame(r, c), Failure: c.Failure}
	release, err := s.addResult(r.Context(), &v.resultFrame, "overview")
	defer release()
	if err != nil && !(c.State == service.StateFailed && isWithoutResult(err)) {
		return err
	}
	v.addFiles()
	if err != nil {
		v.Headline = v.texts.Text("web.result.failed.title", c.Site)
		return s.render(w, http.StatusOK, "result", &v.frame, &v)
	}
	v.addOverview()
	if err := v.addBroken(r.Context()); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "result", &v.frame, &v)
}

// isWithoutResult reports whether a crawl ended before it had a result.
func isWithoutResult(err error) bool {
	return errors.Is(err, service.ErrNotFound) || app.CauseOf(err) == app.CauseNoCrawl ||
		app.CauseOf(err) == app.CauseFolderWithoutCrawl
}

func (v *resultView) addOverview() {
	o, c := v.Overview, v.texts
	v.Headline = headline(c, o)
	switch {
	case v.Crawl.State == service.StateStopped:
		v.Note = c.Text("web.result.stopped")
	case v.Crawl.Limit != "":
		v.Note = c.Text("web.result.limit")
	}
	v.Figures = []figure{
		{c.Text("web.live.pages"), o.Pages, ""}, {c.Text("web.live.listed"), o.Listed, "good"},
		{c.Text("figure.broken"), o.BrokenURLs, kindIf(o.BrokenURLs > 0, "bad")},
		{c.Text("web.live.redirects"), o.Redirects, kindIf(o.Redirects > 0, "warn")},
	}
	if n := o.Changes; n != nil {
		v.Changes = []figure{
			{c.Text("change.new"), n.New, ""}, {c.Text("change.gone"), n.Gone, ""}, {c.Text("change.changed"), n.Changed, ""},
			{c.Text("change.broken"), n.NewlyBroken, kindIf(n.NewlyBroken > 0, "bad")},
			{c.Text("change.fixed"), n.Fixed, kindIf(n.Fixed > 0, "good")}, {c.Text("change.unchanged"), n.Unchanged, ""},
		}
	}
	for i := range o.Tasks {
		v.Tasks = append(v.Tasks, v.task(&o.Tasks[i]))
	}
	v.Depths, v.Statuses = depthBars(c, o), statusBars(c, o)
	v.Decisions = v.decisions()
}

func headline(c *catalog.Catalog, o *app.Overview) string {
	pages := c.Plural("headline.pages", int64(o.Listed))
	switch {
	case o.Listed == 0:
		return c.Text("web.result.nothing")
	case o.BrokenLinks == 0 && o.AnchorLinks == 0:
		return c.Text("headline.clean", pages)
	case o.BrokenLinks == 0:
		return c.Text("headline.anchors", pages, c.Plural("headline.anchors", int64(o.AnchorLinks)))
	}
	return c.Text("headline.broken", pages, c.Plural("headline.broken", int64(o.BrokenLinks)))
}

func kindIf(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}

// task returns a suggestion in the language of the page.
func (v *resultView) task(t *app.Task) taskView {
	c, n := v.texts, int64(t.Count)
	task := taskView{Kind: t.Kind, Code: t.Code}
	switch t.ID {
	case "finish", "limits":
		task.Title, task.Text = c.Text("task.limits"), c.Plural("task.limits.text", n)
	case "upload":
		task.Title, task.Text = c.Text("task.upload", t.File), c.Plural("task.upload.text", n)
	case "broken":
		task.Title, task.Text = c.Plural("task.broken", n), c.Plural("task.broken.text", int64(t.URLs))
	case "soft-404":
		task.Title, task.Text = c.Text("task.soft-404"), c.Plural("task.soft-404.text", n)
	default:
		task.Title, task.Text = c.Plural("task."+t.ID, n), c.Text("task."+t.ID+".text")
	}
	task.Href = v.taskHref(t)
	return task
}

func (v *resultView) taskHref(t *app.Task) string {
	switch {
	case t.Section == "":
		return ""
	case t.Section == "addresses":
		return v.listHref(url.Values{"reason": {t.Choice}})
	case t.Section == "languages":
		return v.listHref(url.Values{"list": {languagesList}})
	case t.ID == "anchors":
		return v.listHref(url.Values{"list": {anchorsList}})
	}
	choice := t.Choice
	if choice == "" {
		choice = v.firstList(sectionOf(t.Section))
	}
	return v.listHref(url.Values{"list": {t.Section + "." + choice}})
}

// decisions returns the chart of decisions. URLs of other sites, which are often most of
// all, have no bar: it would make the others too short to compare.
func (v *resultView) decisions() []decisionRow {
	const other = "out-of-scope"
	bars := make([]bar, len(v.Overview.Decisions))
	for i, d := range v.Overview.Decisions {
		bars[i] = bar{Name: v.texts.Text("reason." + d.Name + ".name"), Count: d.Count, Kind: decisionKind(d.Name)}
		if d.Name == other {
			bars[i].Count = 0
		}
	}
	setShares(bars)
	rows := make([]decisionRow, len(bars))
	for i, d := range v.Overview.Decisions {
		bars[i].Count = d.Count
		href := v.listHref(url.Values{"reason": {d.Name}})
		rows[i] = decisionRow{bars[i], href, v.texts.Text("reason." + d.Name + ".plural")}
	}
	return rows
}

// decisionKind returns the tone of a decision.
func decisionKind(name string) string {
	switch name {
	case "listed", "added":
		return "good"
	case "client-error", "server-error", "unreachable", "redirect-loop", "soft-404":
		return "bad"
	case "inconclusive", "redirect", "trap", "limit", "too-large", "waiting":
		return "warn"
	}
	return ""
}

// shownBroken is the number of broken URLs on the overview.
const shownBroken = 5

func (v *resultView) addBroken(ctx context.Context) error {
	if v.Overview.LinkedBroken == 0 {
		return nil
	}
	list, err := v.result.Pages(ctx, app.PageFilter{List: "broken.broken-urls", Sort: "-linked"}, "", shownBroken)
	if err != nil {
		return err
	}
	for i := range list.Pages {
		p := &list.Pages[i]
		v.Broken = append(v.Broken, brokenRow{
			Tags: []tag{v.decisionTag(p.Decision, p.Status)}, Href: v.href(p.ID), URL: v.short(p.URL),
			Note: v.texts.Plural("web.result.linked", int64(p.Linked)),
		})
	}
	return nil
}

// decisionTag names a decision, or the status of the response where that says more.
func (v *resultFrame) decisionTag(decision string, status int) tag {
	t := tag{
		Name: v.texts.Text("reason." + decision + ".name"), Kind: decisionKind(decision),
		Text: v.texts.Text("reason." + decision + ".singular"),
	}
	if status >= http.StatusBadRequest {
		t.Name = statusName(status)
	}
	return t
}

func depthBars(c *catalog.Catalog, o *app.Overview) []bar {
	var bars []bar
	for _, d := range o.Depths {
		b := bar{Name: strconv.Itoa(d.From), Count: d.Count}
		switch {
		case d.To == 0:
			b.Name = c.Text("depth.start")
		case d.To > d.From:
			b.Name += "–" + strconv.Itoa(d.To)
		}
		bars = append(bars, b)
	}
	if o.Orphans > 0 {
		bars = append(bars, bar{Name: c.Text("depth.orphan"), Count: o.Orphans, Kind: "warn"})
	}
	setShares(bars)
	return bars
}

// statusName returns a status with its usual text.
func statusName(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

func statusBars(c *catalog.Catalog, o *app.Overview) []bar {
	var bars []bar
	for _, s := range o.Statuses {
		b := bar{Name: statusName(s.From), Count: s.Count, Kind: "bad"}
		switch {
		case s.From == 0:
			b.Name, b.Kind = c.Text("status.none"), ""
		case s.From < http.StatusMultipleChoices:
			b.Kind = "good"
		case s.From < http.StatusBadRequest:
			b.Kind = "warn"
		}
		bars = append(bars, b)
	}
	setShares(bars)
	return bars
}

// fileTexts say what a file of a result is, by its name or else its extension.
var fileTexts = map[string]string{
	"report.html": "web.file.report", "orphans.txt": "web.file.orphans", ".xml": "web.file.xml", ".gz": "web.file.gz",
	".html": "web.file.html", ".txt": "web.file.txt", ".csv": "web.file.csv", "rss.xml": "web.file.feed",
	"atom.xml": "web.file.feed", "ror.xml": "web.file.feed",
}

// hiddenFiles are only of use together with others, in the archive.
var hiddenFiles = []string{".css", ".xsl", ".jsonl"}

// maxDownloads is the number of files with a link of their own. The archive has all.
const maxDownloads = 12

// addFiles adds the downloads of a result: the sitemap first, and all in one archive.
func (v *resultView) addFiles() {
	base := "/crawls/" + v.Crawl.ID + "/"
	for _, f := range v.Crawl.Files {
		extension := path.Ext(f.Name)
		if slices.Contains(hiddenFiles, extension) {
			continue
		}
		key, known := fileTexts[f.Name]
		if !known {
			key, known = fileTexts[extension]
		}
		if !known {
			key = "web.file.other"
		}
		link := fileLink{base + "files/" + url.PathEscape(f.Name), f.Name, v.texts.Text(key), f.Size}
		switch {
		case f.Name == "sitemap.xml" || f.Name == "sitemap.xml.gz":
			v.Main = &link
		case len(v.Downloads) < maxDownloads:
			v.Downloads = append(v.Downloads, link)
		}
	}
	if v.Main != nil || len(v.Downloads) > 0 {
		v.Downloads = append(v.Downloads, fileLink{base + "files.zip", v.texts.Text("web.file.zip"), "zip", 0})
	}
}
