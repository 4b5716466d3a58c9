package publish

import (
	"regexp"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

func TestPriority(t *testing.T) {
	rules := Rules[sitemap.Priority]{
		{regexp.MustCompile(`^/blog/`), sitemap.PriorityOf(0.9)},
		{regexp.MustCompile(`^/blog/1`), sitemap.PriorityOf(0)},
		{regexp.MustCompile(`^https://example\.com/a$`), sitemap.PriorityOf(0)},
	}
	for _, test := range []struct {
		by             PriorityBy
		path           string
		depth, inlinks int
		want           float64 // negative for none
	}{
		{"", "/", 0, 9, -1},
		{PriorityNone, "/", 0, 9, -1},
		{PriorityNone, "/blog/1", 0, 9, 0.9},
		{PriorityNone, "/a", 0, 9, 0},
		{PriorityNone, "/a?b", 0, 9, -1},
		{PriorityByDepth, "/", 0, 0, 1},
		{PriorityByDepth, "/", 1, 0, 0.8},
		{PriorityByDepth, "/", 2, 0, 0.64},
		{PriorityByDepth, "/", 3, 0, 0.51},
		{PriorityByDepth, "/", 1000, 0, 0.1},
		{PriorityByDepth, "/", -1, 0, 0.1},
		{PriorityByDepth, "/blog/", 1, 0, 0.9},
		{PriorityByLinks, "/", 0, 0, 0.1},
		{PriorityByLinks, "/", 0, 1, 0.19},
		{PriorityByLinks, "/", 0, 100, 0.7},
		{PriorityByLinks, "/", 0, 999, 1},
		{PriorityByLinks, "/", 0, 100_000, 1},
	} {
		p := page(test.path, "")
		p.Depth, p.Inlinks = test.depth, test.inlinks
		w := Weights{Priority: test.by, PriorityRules: rules, MostInlinks: 999}
		w.apply(p)
		got, present := p.Priority.Value()
		if !present {
			got = -1
		}
		if got != test.want {
			t.Errorf("%s of %s at depth %d with %d links: %v, want %v", test.by, test.path, test.depth, test.inlinks, got,
				test.want)
		}
	}
}

// TestPriorityOfLonePage has no links to compare with.
func TestPriorityOfLonePage(t *testing.T) {
	p := page("/", "")
	(&Weights{Priority: PriorityByLinks}).apply(p)
	if got, _ := p.Priority.Value(); got != 0.1 {
		t.Errorf("priority %v", got)
	}
}

func TestChangeFreq(t *testing.T) {
	seen := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	rules := Rules[sitemap.ChangeFreq]{{regexp.MustCompile(`^/news/`), sitemap.ChangeFreqAlways}}
	for _, test := range []struct {
		by            ChangeFreqBy
		path, lastMod string
		want          sitemap.ChangeFreq
	}{
		{ChangeFreqNone, "/", "2026-03-01", ""},
		{"", "/", "2026-03-01", ""},
		{ChangeFreqNone, "/news/", "", sitemap.ChangeFreqAlways},
		{ChangeFreqByHistory, "/news/", "2020-01-01", sitemap.ChangeFreqAlways},
		{ChangeFreqByHistory, "/", "", ""},
		{ChangeFreqByHistory, "/", "2026", ""},
		{ChangeFreqByHistory, "/", "2026-01", ""},
		{ChangeFreqByHistory, "/", "2026-03-01T12:00:01Z", ""},
		{ChangeFreqByHistory, "/", "2026-03-01T11:30:00Z", sitemap.ChangeFreqHourly},
		{ChangeFreqByHistory, "/", "2026-03-01", sitemap.ChangeFreqDaily},
		{ChangeFreqByHistory, "/", "2026-02-28T12:00:00Z", sitemap.ChangeFreqDaily},
		{ChangeFreqByHistory, "/", "2026-02-28T11:59:59Z", sitemap.ChangeFreqWeekly},
		{ChangeFreqByHistory, "/", "2026-02-20", sitemap.ChangeFreqMonthly},
		{ChangeFreqByHistory, "/", "2025-12-24", sitemap.ChangeFreqYearly},
		{ChangeFreqByHistory, "/", "1999-12-24", sitemap.ChangeFreqYearly},
	} {
		p := page(test.path, "")
		p.LastMod = sitemap.Date{}
		if test.lastMod != "" {
			var err error
			if p.LastMod, err = sitemap.ParseDate(test.lastMod); err != nil {
				t.Fatal(err)
			}
		}
		w := Weights{ChangeFreq: test.by, ChangeFreqRules: rules, Time: seen}
		w.apply(p)
		if p.ChangeFreq != test.want {
			t.Errorf("%s of %s changed %q: %q, want %q", test.by, test.path, test.lastMod, p.ChangeFreq, test.want)
		}
	}
}
