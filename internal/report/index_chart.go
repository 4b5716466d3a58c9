package report

import (
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/internal/view"
)

// IndexChart returns the chart of the pages that Mapa listed and those that Google has in its index, or nil where no
// export says how many these are.
func IndexChart(c *catalog.Catalog, about *figures.About, crawls []store.Past) *view.TimeChart {
	if about == nil || len(about.Days) == 0 {
		return nil
	}
	scope := chartScope(about.Days)
	var indexed, listed []view.SeriesPoint
	for i := range about.Days {
		if d := &about.Days[i]; d.Scope == scope {
			indexed = append(indexed, view.SeriesPoint{Time: dayAt(d.Day), Count: d.Indexed})
		}
	}
	for _, one := range crawls {
		listed = append(listed, view.SeriesPoint{Time: one.Time, Count: int64(one.Listed)})
	}
	series := []view.Series{{Name: c.Text("figures.indexed"), Class: "indexed", Points: indexed}}
	if len(listed) > 0 {
		series = append([]view.Series{{Name: c.Text("figures.listed"), Class: "listed", Points: listed}}, series...)
	}
	var submitted []time.Time
	for _, day := range about.Submitted {
		submitted = append(submitted, dayAt(day))
	}
	chart := view.NewTimeChart(c, view.ChartOfTime, series, submitted, c.Text("figures.submitted"))
	chart.Title = c.Text("figures.title")
	chart.Notes = []string{c.Text("figures.covers", format.Plain(scopeName(c, scope)))}
	for i := range chart.Lines {
		line := &chart.Lines[i]
		first := series[i].Points[0]
		chart.Description += c.Text("figures.line", line.Name, c.Count(first.Count), c.Date(first.Time), line.Count,
			line.Day) + " "
	}
	return chart
}

// chartScope returns the scope whose numbers are drawn: submitted pages are what Mapa lists, as those of a sitemap are.
func chartScope(days []figures.Day) string {
	rank := func(scope string) int {
		switch {
		case scope == figures.ScopeSubmitted:
			return 0
		case urlnorm.IsHTTP(scope):
			return 1
		case scope == figures.ScopeAll:
			return 2
		}
		return 3
	}
	best := slices.MinFunc(days, func(a, b figures.Day) int { return rank(a.Scope) - rank(b.Scope) })
	return best.Scope
}

// dayAt returns the time of a day.
func dayAt(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day) // that package figures has written
	return t
}
