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
		{NoPriority, "/", 0, 9, -1},
		{NoPriority, "/blog/1", 0, 9, 0.9},
		{NoPriority, "/a", 0, 9, 0},
		{NoPriority, "/a?b", 0, 9, -1},
		{ByDepth, "/", 0, 0, 1},
		{ByDepth, "/", 1, 0, 0.8},
		{ByDepth, "/", 2, 0, 0.64},
		{ByDepth, "/", 3, 0, 0.51},
		{ByDepth, "/", 1000, 0, 0.1},
		{ByDepth, "/", -1, 0, 0.1},
		{ByDepth, "/blog/", 1, 0, 0.9},
		{ByLinks, "/", 0, 0, 0.1},
		{ByLinks, "/", 0, 1, 0.19},
		{ByLinks, "/", 0, 100, 0.7},
		{ByLinks, "/", 0, 999, 1},
		{ByLinks, "/", 0, 100_000, 1},
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
			t.Errorf("%s of %s at depth %d with %d links: %v, want %v", test.by, test.path, test.depth, test.inlinks, got, test.want)
		}
	}
}

// TestPriorityOfLonePage has no links to compare with.
func TestPriorityOfLonePage(t *testing.T) {
	p := page("/", "")
	(&Weights{Priority: ByLinks}).apply(p)
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
		{NoChangeFreq, "/", "2026-03-01", ""},
		{"", "/", "2026-03-01", ""},
		{NoChangeFreq, "/news/", "", sitemap.ChangeFreqAlways},
		{ByHistory, "/news/", "2020-01-01", sitemap.ChangeFreqAlways},
		{ByHistory, "/", "", ""},
		{ByHistory, "/", "2026", ""},
		{ByHistory, "/", "2026-01", ""},
		{ByHistory, "/", "2026-03-01T12:00:01Z", ""},
		{ByHistory, "/", "2026-03-01T11:30:00Z", sitemap.ChangeFreqHourly},
		{ByHistory, "/", "2026-03-01", sitemap.ChangeFreqDaily},
		{ByHistory, "/", "2026-02-28T12:00:00Z", sitemap.ChangeFreqDaily},
		{ByHistory, "/", "2026-02-28T11:59:59Z", sitemap.ChangeFreqWeekly},
		{ByHistory, "/", "2026-02-20", sitemap.ChangeFreqMonthly},
		{ByHistory, "/", "2025-12-24", sitemap.ChangeFreqYearly},
		{ByHistory, "/", "1999-12-24", sitemap.ChangeFreqYearly},
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
