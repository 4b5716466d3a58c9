package report

import (
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/store"
)

// TestIndexChart draws listed and indexed pages on one axis, with the days of submission among them.
func TestIndexChart(t *testing.T) {
	english := catalog.For(catalog.English)
	day := func(month time.Month, n int) time.Time { return time.Date(2026, month, n, 0, 0, 0, 0, time.UTC) }
	crawls := []store.Past{
		{Time: day(1, 1), Listed: 100}, {Time: day(1, 11), Listed: 120}, {Time: day(1, 21), Listed: 200},
	}
	about := &figures.About{
		Days: []figures.Day{
			{Scope: figures.ScopeAll, Day: "2026-01-01", Indexed: 999},
			{Scope: figures.ScopeSubmitted, Day: "2026-01-06", Indexed: 50},
			{Scope: figures.ScopeSubmitted, Day: "2026-01-11", Indexed: 150},
		},
		Submitted: []string{"2025-12-31", "2026-01-02", "2026-01-21"},
	}
	chart := IndexChart(english, about, crawls)
	var got []string
	for _, line := range chart.Lines {
		got = append(got, line.Name+" "+line.Count+" "+line.Line)
	}
	want := []string{
		"Listed by Mapa 200 8.0,90.0 320.0,73.6 632.0,8.0",
		"Indexed by Google 150 164.0,131.0 320.0,49.0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const note = "The export covers all submitted pages."
	if len(chart.Marks) != 2 || chart.Marks[0].X != "39.2" || chart.Most != "200" || chart.Notes[0] != note {
		t.Errorf("%+v", chart)
	}
	for _, without := range []*figures.About{nil, {}} {
		if IndexChart(english, without, crawls) != nil {
			t.Error("a chart without numbers of indexed pages")
		}
	}
	if chart := IndexChart(english, about, nil); len(chart.Lines) != 1 {
		t.Errorf("without crawls: %+v", chart)
	}
}
