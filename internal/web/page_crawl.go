package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// crawlPage is the page of a crawl that has not ended.
type crawlPage struct {
	frame
	Crawl                        *service.Crawl
	State                        tag
	Running                      bool
	CanPause, CanResume, CanStop bool
	Active                       string // says that the reader asked for another crawl of the site; or empty
	Notice, Texts                string
	Total                        int64  // pages at the end; 0 is unknown
	Step                         string // what the crawl does now, in words
	Rate                         string
	Left                         time.Duration
	URL                          string
	Depths                       []bar
	Problems                     []problemRow
}

type problemRow struct{ Why, URL, On string }

// pageCrawl shows a crawl while it runs, and its result afterwards.
func (s *Server) pageCrawl(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Crawl(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	switch {
	case c.State.Ended():
		return s.pageResult(w, r, c)
	case callerOf(r).role == roleNone: // only the result is shared
		return &service.StateError{Operation: "read", State: c.State}
	}
	v := crawlPage{frame: s.newFrame(r, "crawl"), Crawl: c, Running: c.State == service.StateRunning}
	v.Live = true
	v.Title, v.State = v.texts.Text("web.live.title", c.Site), stateTag(v.texts, c.State)
	isOwner := v.caller.role == roleOwner
	v.CanPause = isOwner && c.State != service.StatePaused
	v.CanResume = isOwner && c.State == service.StatePaused
	v.CanStop = isOwner || v.caller.role == roleVisitor && c.Client == v.caller.client
	v.Notice = crawlNotice(v.texts, c)
	if query := r.URL.Query(); query.Get("active") == "other" {
		v.Active = v.texts.Text("web.live.active.other")
	} else if query.Has("active") {
		v.Active = v.texts.Text("web.live.active")
	}
	if err := v.addUpdate(s.lastUpdate(r.Context(), c.ID)); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "crawl", &v.frame, &v)
}

// lastUpdate returns what is known of a crawl now.
func (s *Server) lastUpdate(ctx context.Context, id string) (service.Update, error) {
	for update, err := range s.options.Service.Watch(ctx, id, 0) {
		return update, err
	}
	return service.Update{}, ctx.Err()
}

// crawlNotice says what a crawl waits for.
func crawlNotice(c *catalog.Catalog, of *service.Crawl) string {
	switch {
	case of.State == service.StatePaused:
		return c.Text("web.live.paused")
	case of.State == service.StateQueued && of.Position > 0:
		return c.Plural("web.live.queued", int64(of.Position))
	case of.State == service.StateQueued:
		return c.Text("web.live.queued.soon")
	}
	return ""
}

// shownProblems is the number of problems on the page. The script shows more.
const shownProblems = 50

// addUpdate adds what the script would show.
func (v *crawlPage) addUpdate(u service.Update, err error) error {
	if err != nil {
		return err
	}
	if u.Rate > 0 {
		v.Rate = v.texts.Text("web.live.per-second", v.texts.Decimal(u.Rate, 1))
	}
	if v.Running {
		v.Left, v.Total, v.URL = u.Left.Round(time.Second), u.Total, u.URL
		v.Step = v.step(cmp.Or(u.Step, service.StepBegin), v.texts.Count(v.Crawl.Counts.Pages+v.Crawl.Counts.Waiting))
	}
	for depth, count := range u.Depths {
		name := strconv.Itoa(depth)
		if depth == 0 {
			name = v.texts.Text("depth.start")
		}
		v.Depths = append(v.Depths, bar{Name: name, Count: int(count)})
	}
	setShares(v.Depths)
	for i := len(u.Problems) - 1; i >= max(0, len(u.Problems)-shownProblems); i-- {
		p := u.Problems[i]
		why := v.texts.Text("web.live.none")
		if p.Status > 0 {
			why = strconv.Itoa(p.Status)
		}
		v.Problems = append(v.Problems, problemRow{why, p.URL, p.On})
	}
	texts, err := json.Marshal(map[string]string{
		"state": string(v.Crawl.State), "title": v.Title + " · Mapa",
		"start": v.texts.Text("depth.start"), "none": v.texts.Text("web.live.none"),
		"said": v.texts.Text("web.live.said"), "rate": v.texts.Text("web.live.per-second"),
		"running": v.State.Name, "lost": v.texts.Text("web.live.lost.state"),
		"begin": v.step(service.StepBegin, ""), "find": v.step(service.StepFind, "%s"),
		"visit": v.step(service.StepVisit, ""), "write": v.step(service.StepWrite, ""),
	})
	v.Texts = string(texts)
	return err
}

// step says what a crawl does that found a number of addresses.
func (v *crawlPage) step(step service.Step, found string) string {
	switch step {
	case service.StepFind:
		return v.texts.Text("web.live.step.find", found)
	case service.StepVisit:
		return v.texts.Text("web.live.step.visit")
	case service.StepWrite:
		return v.texts.Text("web.live.step.write")
	}
	return v.texts.Text("web.live.step.begin")
}

// control changes the state of a crawl by an operation of the service, and shows it. A crawl that
// is in another state than the page with the button was is shown as it is.
func (s *Server) control(change func(context.Context, string) (*service.Crawl, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		_, err := change(r.Context(), r.PathValue("id"))
		return showCrawl(w, r, err)
	}
}

// pageStop ends a crawl, and shows its result.
func (s *Server) pageStop(w http.ResponseWriter, r *http.Request) error {
	_, err := s.stop(r)
	return showCrawl(w, r, err)
}

// showCrawl goes on to the page of a crawl after an operation.
func showCrawl(w http.ResponseWriter, r *http.Request, err error) error {
	if _, is := errors.AsType[*service.StateError](err); err != nil && !is {
		return err
	}
	return seeOther(w, r, "/crawls/"+r.PathValue("id"), nil)
}

// pageDelete deletes a crawl, and shows the site, or all sites after its last crawl.
func (s *Server) pageDelete(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Delete(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	next := "/sites/" + c.Site
	if _, err := s.options.Service.Site(r.Context(), c.Site); errors.Is(err, service.ErrNotFound) {
		next = "/sites"
	}
	return seeOther(w, r, next, nil)
}

// A bar is a bar of a chart.
type bar struct {
	Name  string
	Count int
	Share float64 // percent of the longest
	Kind  string
}

// setShares sets the lengths of bars. Each can be seen.
func setShares(bars []bar) {
	most := 0
	for _, b := range bars {
		most = max(most, b.Count)
	}
	for i, b := range bars {
		if b.Count > 0 {
			bars[i].Share = max(0.5, 100*float64(b.Count)/float64(most))
		}
	}
}
