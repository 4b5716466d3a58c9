package web

import (
	"context"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/view"
)

type sitesPage struct {
	frame
	Sites         []siteLine
	Filtered      bool // by a text, a sign or a label
	Search        string
	Signs, Labels []choice
	Found         template.HTML // how many sites there are, and how many got worse
	Done          string        // what was done just before, or empty
	Exports       []fileLink
	Next          string
}

// A siteLine is a site in the list.
type siteLine struct {
	*service.Site
	Sign           report.SignText
	Chart          *view.TimeChart // of listed pages; nil before the second crawl
	Counts         *service.Counts // nil before the first complete crawl
	Listed, Broken change
	State          *tag // of the last crawl, unless it gave the counts
}

// A change is how much a number differs from that of the crawl before. It is the zero value if it does not.
type change struct{ Arrow, Text string }

func newChange(c *catalog.Catalog, before, now int64) change {
	switch {
	case now < before:
		return change{"▼" + c.Count(before-now), c.Text("web.sites.fewer", c.Count(before-now))}
	case now > before:
		return change{"▲" + c.Count(now-before), c.Text("web.sites.more", c.Count(now-before))}
	}
	return change{}
}

// sparkSize is that of the chart of a site in the list.
var sparkSize = view.ChartSize{Width: 60, Height: 16, Margin: 2}

func newSiteLine(c *catalog.Catalog, site *service.Site) siteLine {
	l := siteLine{Site: site, Sign: report.NewSignText(c, site.Sign)}
	if last := site.Last; last != nil && !last.Complete {
		state := stateTag(c, last.State)
		if last.State == service.StateDone {
			state = tag{Name: c.Text("web.sites.early"), Kind: "warn"}
		}
		l.State = &state
	}
	if site.Result == nil || !site.Result.Complete {
		return l
	}
	l.Counts = &site.Result.Counts
	if site.Before != nil {
		l.Listed = newChange(c, site.Before.Listed, l.Counts.Listed)
		l.Broken = newChange(c, site.Before.Broken, l.Counts.Broken)
	}
	if len(site.Listed) > 1 {
		points := make([]view.SeriesPoint, len(site.Listed))
		for i, p := range site.Listed {
			points[i] = view.SeriesPoint{Time: p.Time, Count: p.Listed}
		}
		l.Chart = newTrend(c, sparkSize, c.Text("web.live.listed"), points)
	}
	return l
}

// siteSigns are the signs of the filter, the worst first.
var siteSigns = []insight.Sign{insight.SignBad, insight.SignFix, insight.SignUnknown, insight.SignGood}

// siteFilter returns the filter of the address of the list of sites. An unknown sign is any.
func siteFilter(query url.Values) service.SiteFilter {
	f := service.SiteFilter{Text: query.Get("text"), Sign: insight.Sign(query.Get("sign")), Label: query.Get("label")}
	if !slices.Contains(siteSigns, f.Sign) {
		f.Sign = ""
	}
	return f
}

// pageSites lists the sites that were crawled, those first that need somebody.
func (s *Server) pageSites(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	filter := siteFilter(query)
	if query.Has("format") {
		return s.sendExport(w, r, "sites", func(out io.Writer, format string, c *catalog.Catalog) error {
			return siteRows(r.Context(), c, s.options.Service, filter).write(out, format, c)
		})
	}
	v := sitesPage{frame: s.newFrame(r, "sites"), Search: filter.Text, Filtered: filter != service.SiteFilter{}}
	v.Title, v.Done = v.texts.Text("web.sites.title"), sitesDone(v.texts, query)
	offset, _ := strconv.Atoi(query.Get("from")) // anything else is the beginning
	offset = max(offset, 0)
	list, err := s.options.Service.SitesByNeed(r.Context(), filter, offset, rowsOfPage)
	if err != nil {
		return err
	}
	for i := range list.Sites {
		v.Sites = append(v.Sites, newSiteLine(v.texts, &list.Sites[i]))
	}
	v.addFilters(filter, &list)
	selected := listAddress{"/sites", url.Values{
		"text": {filter.Text}, "sign": {string(filter.Sign)}, "label": {filter.Label},
	}}
	if next := offset + len(list.Sites); next < list.Total && len(list.Sites) > 0 {
		v.Next = selected.with("from", strconv.Itoa(next))
	}
	v.Exports = exportLinks(selected.path, selected.query)
	return s.render(w, http.StatusOK, "sites", &v.frame, &v)
}

// addFilters adds the choices of the filter, and what it found.
func (v *sitesPage) addFilters(filter service.SiteFilter, list *service.SiteList) {
	v.Signs = []choice{{Name: v.texts.Text("web.sites.any"), Checked: filter.Sign == ""}}
	for _, sign := range siteSigns {
		name := report.NewSignText(v.texts, sign).Name
		v.Signs = append(v.Signs, choice{Value: string(sign), Name: name, Checked: sign == filter.Sign})
	}
	if len(list.Labels) > 0 || filter.Label != "" {
		v.Labels = []choice{{Name: v.texts.Text("web.sites.any"), Checked: filter.Label == ""}}
	}
	for _, label := range list.Labels {
		v.Labels = append(v.Labels, choice{Value: label, Name: label, Checked: label == filter.Label})
	}
	v.Found = template.HTML(template.HTMLEscapeString(v.texts.Plural("web.sites.found", int64(list.Total))))
	if list.Worse > 0 {
		v.Found = markup(v.texts, "web.sites.worse", v.texts.Count(int64(list.Worse)), v.texts.Count(int64(list.Total)),
			list.Since)
	}
}

// sitesDone says what was done just before the list is shown: a site was deleted, or some were added.
func sitesDone(c *catalog.Catalog, query url.Values) string {
	if name := query.Get("deleted"); name != "" {
		return c.Text("web.sites.deleted", format.Printable(name))
	}
	if !query.Has("added") {
		return ""
	}
	number := func(name string) int64 {
		n, _ := strconv.ParseUint(query.Get(name), 10, 16) // 0 for anything else
		return int64(n)
	}
	text := c.Plural("web.sites.added", number("added"))
	if known := number("known"); known > 0 {
		text += " " + c.Plural("web.sites.known", known)
	}
	return text
}

// siteRows are the sites that a filter selects as an export.
func siteRows(ctx context.Context, c *catalog.Catalog, sites *service.Service, filter service.SiteFilter) *exportList {
	read := func(cursor string) ([]service.Site, string, error) {
		offset, _ := strconv.Atoi(cursor) // of this function
		list, err := sites.SitesByNeed(ctx, filter, offset, rowsOfExport)
		next := ""
		if offset += len(list.Sites); offset < list.Total && len(list.Sites) > 0 {
			next = strconv.Itoa(offset)
		}
		return list.Sites, next, err
	}
	columns := []string{
		"site", "sign", "labels", "listed", "listed_before", "broken", "broken_before", "lost", "crawled", "next",
	}
	return &exportList{"sites", columns, inParts(read, func(site *service.Site) exportRow {
		return exportRow{[][]string{siteCells(c, site)}, site}
	})}
}

func siteCells(c *catalog.Catalog, site *service.Site) []string {
	cells := []string{
		site.Name, report.NewSignText(c, site.Sign).Name, strings.Join(site.Labels, ", "), "", "", "", "", "", "",
		timeCell(site.Next),
	}
	if site.Result != nil && site.Result.Complete {
		now := &site.Result.Counts
		cells[3], cells[5], cells[7] = countCell(now.Listed), countCell(now.Broken), countCell(now.Losses)
	}
	if site.Before != nil {
		cells[4], cells[6] = countCell(site.Before.Listed), countCell(site.Before.Broken)
	}
	if site.Last != nil {
		cells[8] = timeCell(site.Last.When())
	}
	return cells
}

func countCell(n int64) string { return strconv.FormatInt(n, 10) }

// timeCell returns a time, or an empty text for the zero time.
func timeCell(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
