package service

import (
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/insight"
)

// TestNeed sorts sites by what they need, and names by the value of their numbers.
func TestNeed(t *testing.T) {
	t.Parallel()
	site := func(name string, sign insight.Sign, losses int64, day int) Site {
		created := time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
		return Site{Name: name, Sign: sign, Result: &Crawl{Created: created, Counts: Counts{Losses: losses}}}
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
