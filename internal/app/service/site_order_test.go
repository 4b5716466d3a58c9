package service

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
)

// TestNeed sorts sites by what they need, and names by the value of their numbers.
func TestNeed(t *testing.T) {
	t.Parallel()
	site := func(name string, sign insight.Sign, losses int64, day int) Site {
		lost := time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
		return Site{Name: name, Sign: sign, Worse: lost, Result: &Crawl{Counts: Counts{Losses: losses}}}
	}
	sites := []Site{
		site("c10.example", insight.SignGood, 0, 9), site("c2.example", insight.SignGood, 0, 9),
		site("c02.example", insight.SignGood, 0, 9), {Name: "new.example", Sign: insight.SignUnknown},
		site("fix.example", insight.SignFix, 0, 9), site("down.example", insight.SignBad, 0, 9),
		site("old.example", insight.SignBad, 3, 1), site("lost.example", insight.SignBad, 1, 8),
	}
	slices.SortStableFunc(sites, compareNeed)
	var names []string
	for i := range sites {
		names = append(names, sites[i].Name)
	}
	want := []string{
		"lost.example", "old.example", "down.example", "fix.example", "new.example", "c2.example",
		"c02.example", "c10.example",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestSiteSign says which sites are bad, good or unknown by their crawls.
func TestSiteSign(t *testing.T) {
	t.Parallel()
	crawl := func(state State, complete bool, sign insight.Sign) *Crawl {
		return &Crawl{State: state, Complete: complete, Sign: sign}
	}
	good, stopped := crawl(StateDone, true, insight.SignGood), crawl(StateStopped, false, insight.SignUnknown)
	for _, test := range []struct {
		last, result *Crawl
		late         bool
		want         insight.Sign
	}{
		{good, good, false, insight.SignGood}, {good, good, true, insight.SignUnknown},
		{crawl(StateFailed, false, insight.SignBad), good, false, insight.SignBad},
		{crawl(StateFailed, false, ""), good, false, insight.SignGood}, // a failure of the server
		{stopped, good, false, insight.SignGood},
		{stopped, stopped, false, insight.SignUnknown},
		{crawl(StateQueued, false, ""), nil, false, insight.SignUnknown}, {nil, nil, false, insight.SignUnknown},
	} {
		if got := (&Site{Last: test.last, Result: test.result}).signed(test.late); got != test.want {
			t.Errorf("%+v, %+v: %s, want %s", test.last, test.result, got, test.want)
		}
	}
}

// BenchmarkSitesByNeed lists the first 50 of 1,000 sites with ten crawls and a schedule each.
func BenchmarkSitesByNeed(b *testing.B) {
	s := openWith(b, 1000, 10)
	for b.Loop() {
		list, err := s.SitesByNeed(b.Context(), SiteFilter{}, 0, 50)
		if err != nil || list.Total != 1000 || len(list.Sites) != 50 || len(list.Sites[0].Listed) != 10 {
			b.Fatal(list.Total, err)
		}
	}
}

// openWith opens a server with sites that have complete crawls and a schedule.
func openWith(tb testing.TB, sites, crawls int) *Service {
	tb.Helper()
	s, err := Open(tb.Context(), Options{Folder: tb.TempDir(), App: &app.App{Version: "test"}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	now := time.Now()
	err = s.store.Update(tb.Context(), func(tx *jobs.Tx) error {
		for i := range sites * crawls {
			site := fmt.Sprintf("c%d.example", i%sites)
			c := &jobs.Crawl{
				ID: newID(), Site: site, Start: site + "/", Host: site, State: StateDone, Created: now, Ended: now,
				Details: jobs.Details{
					URL: "https://" + site + "/", Sign: string(insight.SignFix), Counts: Counts{Pages: 9, Listed: 8, Broken: 1},
					Options: map[string][]string{"rate": {"5"}, "max-pages": {"1000"}, "outputs": {"xml", "html"}},
				},
			}
			if err := tx.AddCrawl(c); err != nil {
				return err
			}
			if i < sites {
				schedule := &jobs.Schedule{ID: newID(), Site: site, URL: c.URL, Cron: "30 4 * * 1", Next: now.Add(time.Hour)}
				if err := tx.SaveSchedule(schedule); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
