package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/view"
)

type sitePage struct {
	frame
	Name, URL, LastID string
	Sign              report.SignText
	Newest            *service.Crawl // with a result, or nil
	HasComplete       bool           // at least one crawl
	CanShare          bool
	CanCompare        bool
	Trends            []trend
	From, To          time.Time // of the trends
	Labels            string    // with commas between them
	LabelsError       string
	Treemap           *view.Treemap
	Figures           figuresView
	Rows              []siteRow
	Schedules         []scheduleRow
}

// A siteRow is a crawl in the history of a site. Those with a result can be compared; Old and
// New are the ones that people usually compare.
type siteRow struct {
	crawlLine
	Old, New bool
}

// pageSite shows the history of a site.
func (s *Server) pageSite(w http.ResponseWriter, r *http.Request) error {
	return s.showSite(w, r, http.StatusOK, sitePage{})
}

// showSite shows the history of a site, with what v has of a form that was sent.
func (s *Server) showSite(w http.ResponseWriter, r *http.Request, status int, v sitePage) error {
	name := r.PathValue("name")
	v.frame = s.newFrame(r, "sites")
	site, err := s.options.Service.Site(r.Context(), name)
	if err != nil {
		return err
	}
	schedules, err := s.options.Service.Schedules(r.Context(), name)
	if err != nil {
		return err
	}
	crawls := site.History
	slices.Reverse(crawls)
	if v.LabelsError == "" {
		v.Labels = strings.Join(site.Labels, ", ")
	}
	v.Name, v.Sign = site.Name, report.NewSignText(v.texts, site.Sign)
	v.Title = v.Sign.Name + " · " + site.Name
	if v.Schedules, err = s.scheduleRows(r.Context(), &v.frame, schedules); err != nil {
		return err
	}
	v.URL = site.Name
	if like := cmp.Or(site.Result, site.Last); like != nil {
		v.URL, v.LastID = like.URL, like.ID
	}
	v.Newest, v.CanShare = site.Result, site.Result != nil && s.canShare()
	v.addHistory(crawls)
	overview, err := s.siteOverview(r, crawls)
	if err != nil {
		return err
	}
	if overview != nil {
		v.Treemap = overview.Overview.Treemap(v.texts, overview.sectionHref)
		v.Figures.addKnown(v.texts, overview.Overview)
	}
	v.Figures.CanAdd = v.IsOwner && v.HasComplete && !s.options.Public
	return s.render(w, status, "site", &v.frame, &v)
}

// addHistory adds the crawls of the site, the newest first, and the trends of the complete ones, which
// need two.
func (v *sitePage) addHistory(crawls []service.Crawl) {
	var results, complete []service.Crawl
	for _, line := range crawlLines(crawls) {
		if line.HasResult() {
			results = append(results, line.Crawl)
		}
		if line.Complete {
			complete = append(complete, line.Crawl)
		}
		v.Rows = append(v.Rows, siteRow{crawlLine: line})
	}
	v.HasComplete, v.CanCompare = len(complete) > 0, len(results) > 1
	if v.CanCompare {
		usual := complete
		if len(usual) < 2 {
			usual = results
		}
		for i := range v.Rows {
			v.Rows[i].New, v.Rows[i].Old = v.Rows[i].ID == usual[0].ID, v.Rows[i].ID == usual[1].ID
		}
	}
	if len(complete) < 2 {
		return
	}
	slices.Reverse(complete)
	v.From, v.To = complete[0].When(), complete[len(complete)-1].When()
	for _, t := range []struct {
		key   string
		count func(*service.Counts) int64
	}{
		{"web.live.pages", func(c *service.Counts) int64 { return c.Pages }},
		{"web.live.listed", func(c *service.Counts) int64 { return c.Listed }},
		{"web.live.broken", func(c *service.Counts) int64 { return c.Broken }},
	} {
		points := make([]view.SeriesPoint, len(complete))
		for i := range complete {
			points[i] = view.SeriesPoint{Time: complete[i].When(), Count: t.count(&complete[i].Counts)}
		}
		last := points[len(points)-2:]
		v.Trends = append(v.Trends, trend{
			newTrend(v.texts, trendSize, v.texts.Text(t.key), points), newChange(v.texts, last[0].Count, last[1].Count),
		})
	}
}

// labelSite gives a site the labels of the form.
func (s *Server) labelSite(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	name, labels := r.PathValue("name"), r.PostForm.Get("labels")
	err := s.options.Service.SetLabels(r.Context(), name, splitLabels(labels))
	if errors.Is(err, service.ErrLabels) {
		failed, _ := explainInput(catalogOf(r), err)
		return s.showSite(w, r, problemOf(err).Status, sitePage{Labels: labels, LabelsError: failed})
	}
	return seeOther(w, r, "/sites/"+url.PathEscape(name), err)
}

// splitLabels returns the labels of a field, which have commas between them.
func splitLabels(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })
}

// deleteSite deletes a site with all that belongs to it.
func (s *Server) deleteSite(w http.ResponseWriter, r *http.Request) error {
	if err := s.options.Service.DeleteSite(r.Context(), r.PathValue("name")); err != nil {
		return err
	}
	query := url.Values{"deleted": {r.PathValue("name")}}
	return seeOther(w, r, "/sites?"+query.Encode(), nil)
}

// A trend is a chart of the page of a site, with the change since the crawl before.
type trend struct {
	*view.TimeChart
	Change change
}

// trendSize is that of the charts of the page of a site.
var trendSize = view.ChartSize{Width: 300, Height: 96, Margin: 8}

// newTrend returns the chart of a number over time, the oldest first. One line a chart needs no colors to tell lines
// apart, and its scale begins at 0, so that small changes look small.
func newTrend(c *catalog.Catalog, size view.ChartSize, name string, points []view.SeriesPoint) *view.TimeChart {
	chart := view.NewTimeChart(c, size, []view.Series{{Name: name, Points: points}}, nil, "")
	line := &chart.Lines[0]
	chart.Description = c.Text("web.site.trend", name, line.First, line.Count, c.Plural("web.crawls", int64(len(points))))
	return chart
}
