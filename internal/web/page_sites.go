package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/view"
)

type sitesPage struct {
	frame
	Sites   []siteLine
	Search  string
	Deleted string // the site that was just deleted, or empty
	Next    string
}

// A siteLine is a site in the list.
type siteLine struct {
	service.Site
	Sign   report.SignText
	Listed string // how many pages more or fewer are in the sitemap than before; empty if they are as many
	Broken string // the same of broken URLs
}

func (v *sitesPage) line(site *service.Site) siteLine {
	l := siteLine{Site: *site, Sign: report.NewSignText(v.texts, site.Sign)}
	if site.Before == nil || site.Result == nil || !site.Result.Complete {
		return l
	}
	change := func(before, now int64) string {
		switch {
		case now < before:
			return v.texts.Text("web.sites.fewer", v.texts.Count(before-now))
		case now > before:
			return v.texts.Text("web.sites.more", v.texts.Count(now-before))
		}
		return ""
	}
	l.Listed = change(site.Before.Listed, site.Result.Counts.Listed)
	l.Broken = change(site.Before.Broken, site.Result.Counts.Broken)
	return l
}

// pageSites lists the sites that were crawled, those first that need somebody.
func (s *Server) pageSites(w http.ResponseWriter, r *http.Request) error {
	v := sitesPage{frame: s.newFrame(r, "sites")}
	query := r.URL.Query()
	v.Title, v.Deleted, v.Search = v.texts.Text("web.sites.title"), query.Get("deleted"), query.Get("text")
	offset, _ := strconv.Atoi(query.Get("from")) // anything else is the beginning
	sites, more, err := s.options.Service.SitesByNeed(r.Context(), v.Search, offset, rowsOfPage)
	if err != nil {
		return err
	}
	for i := range sites {
		v.Sites = append(v.Sites, v.line(&sites[i]))
	}
	if more {
		next := url.Values{"from": {strconv.Itoa(max(offset, 0) + rowsOfPage)}}
		if v.Search != "" {
			next.Set("text", v.Search)
		}
		v.Next = "/sites?" + next.Encode()
	}
	return s.render(w, http.StatusOK, "sites", &v.frame, &v)
}

type sitePage struct {
	frame
	Name, URL, LastID string
	Sign              report.SignText
	HasComplete       bool // at least one crawl
	CanShare          bool
	CanCompare        bool
	Trends            []trend
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
	return s.showSite(w, r, http.StatusOK, figuresView{})
}

// showSite shows the history of a site, with the outcome of an upload of figures if there was one.
func (s *Server) showSite(w http.ResponseWriter, r *http.Request, status int, figures figuresView) error {
	name := r.PathValue("name")
	v := sitePage{frame: s.newFrame(r, "sites"), Figures: figures}
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
	v.Name, v.Sign = site.Name, report.NewSignText(v.texts, site.Sign)
	v.Title = v.Sign.Name + " · " + site.Name
	if v.Schedules, err = s.scheduleRows(r.Context(), &v.frame, schedules); err != nil {
		return err
	}
	v.URL = site.Name
	if like := cmp.Or(site.Result, site.Last); like != nil {
		v.URL, v.LastID = like.URL, like.ID
	}
	v.CanShare = site.Result != nil && s.canShare()
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
	for _, t := range []struct {
		key   string
		count func(*service.Counts) int64
	}{
		{"web.live.pages", func(c *service.Counts) int64 { return c.Pages }},
		{"web.live.listed", func(c *service.Counts) int64 { return c.Listed }},
		{"web.live.broken", func(c *service.Counts) int64 { return c.Broken }},
	} {
		v.Trends = append(v.Trends, newTrend(v.texts, v.texts.Text(t.key), complete, t.count))
	}
}

// deleteSite deletes a site with all that belongs to it.
func (s *Server) deleteSite(w http.ResponseWriter, r *http.Request) error {
	if err := s.options.Service.DeleteSite(r.Context(), r.PathValue("name")); err != nil {
		return err
	}
	query := url.Values{"deleted": {r.PathValue("name")}}
	http.Redirect(w, r, "/sites?"+query.Encode(), http.StatusSeeOther)
	return nil
}

// A trend is a chart of one number over time. One line a chart needs no colors to tell
// lines apart.
type trend struct {
	Name, Description string
	Last              int64
	Points            []point
	Line              string
	From, To          template.HTML
}

type point struct {
	X, Y  string
	Time  time.Time
	Count int64
	Last  bool
}

// The size of a chart in its own units.
const (
	trendWidth  = 300.0
	trendHeight = 96.0
	trendMargin = 8.0 // for the dots
)

// newTrend returns the chart of complete crawls, the newest first. Its scale begins at 0,
// so that small changes look small.
func newTrend(c *catalog.Catalog, name string, crawls []service.Crawl, count func(*service.Counts) int64) trend {
	oldest, newest := crawls[len(crawls)-1], crawls[0]
	t := trend{Name: name, Last: count(&newest.Counts)}
	from, to := c.Date(oldest.Created), c.Date(newest.Created)
	t.From, t.To = template.HTML(template.HTMLEscapeString(from)), template.HTML(template.HTMLEscapeString(to))
	if from == to {
		t.From, t.To = moment(c, oldest.Created), moment(c, newest.Created)
	}
	span := newest.Created.Sub(oldest.Created)
	most := int64(1)
	for i := range crawls {
		most = max(most, count(&crawls[i].Counts))
	}
	var line []string
	for i := len(crawls) - 1; i >= 0; i-- {
		crawl := &crawls[i]
		x := trendWidth / 2 // of crawls at the same time
		if span > 0 {
			x = trendMargin + (trendWidth-2*trendMargin)*float64(crawl.Created.Sub(oldest.Created))/float64(span)
		}
		n := count(&crawl.Counts)
		y := trendMargin + (trendHeight-2*trendMargin)*(1-float64(n)/float64(most))
		p := point{X: fmt.Sprintf("%.1f", x), Y: fmt.Sprintf("%.1f", y), Time: crawl.Created, Count: n, Last: i == 0}
		t.Points = append(t.Points, p)
		line = append(line, p.X+","+p.Y)
	}
	t.Line = strings.Join(line, " ")
	t.Description = c.Text("web.site.trend", name, c.Count(t.Points[0].Count), c.Count(t.Last),
		c.Plural("web.crawls", int64(len(crawls))))
	return t
}
