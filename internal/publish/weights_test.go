package publish

import (
	"regexp"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

func TestPriority(t *testing.T) {
	rules := Rules[sitemap.Priority]{
		{regexp.MustCompile(`^/blog/`), sitemap.PriorityOf(0.9)},
		{regexp.MustCompile(`^/blog/1`), sitemap.PriorityOf(0)},
		{regexp.MustCompile(`^https://example\.com/a$`), sitemap.PriorityOf(0)},
	}
	for _, test := range []struct {
		by    PriorityBy
		path  string
		depth int
		want  float64 // negative for none
	}{
		{"", "/", 0, -1},
		{PriorityNone, "/", 0, -1},
		{PriorityNone, "/blog/1", 0, 0.9},
		{PriorityNone, "/a", 0, 0},
		{PriorityNone, "/a?b", 0, -1},
		{PriorityByDepth, "/", 0, 1},
		{PriorityByDepth, "/", 1, 0.8},
		{PriorityByDepth, "/", 2, 0.64},
		{PriorityByDepth, "/", 3, 0.51},
		{PriorityByDepth, "/", 1000, 0.1},
		{PriorityByDepth, "/", -1, 0.1},
		{PriorityByDepth, "/blog/", 1, 0.9},
	} {
		p := page(test.path, "")
		p.Depth = test.depth
		w := Weights{Priority: test.by, PriorityRules: rules}
		w.apply(p)
		got, present := p.Priority.Value()
		if !present {
			got = -1
		}
		if got != test.want {
			t.Errorf("%s of %s at depth %d: %v, want %v", test.by, test.path, test.depth, got, test.want)
		}
	}
}

func TestChangeFreq(t *testing.T) {
	rules := Rules[sitemap.ChangeFreq]{{regexp.MustCompile(`^/news/`), sitemap.ChangeFreqAlways}}
	for _, test := range []struct {
		path        string
		given, want sitemap.ChangeFreq
	}{
		{"/", "", ""},
		{"/", sitemap.ChangeFreqDaily, sitemap.ChangeFreqDaily},
		{"/news/", "", sitemap.ChangeFreqAlways},
		{"/news/", sitemap.ChangeFreqDaily, sitemap.ChangeFreqAlways},
	} {
		p := page(test.path, "")
		p.ChangeFreq = test.given
		(&Weights{ChangeFreqRules: rules}).apply(p)
		if p.ChangeFreq != test.want {
			t.Errorf("%s with %q: %q, want %q", test.path, test.given, p.ChangeFreq, test.want)
		}
	}
}
