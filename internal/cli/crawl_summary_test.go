package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// TestOnlyStart explains a crawl of one page, unless the crawl was not to continue.
func TestOnlyStart(t *testing.T) {
	type reasons = map[crawl.Reason]int64
	for name, test := range map[string]struct {
		result app.CrawlResult
		want   string
	}{
		"no links":     {app.CrawlResult{}, "it has no links"},
		"other sites":  {app.CrawlResult{Reasons: reasons{crawl.ReasonOutOfScope: 2}}, "lead to other sites"},
		"robots.txt":   {app.CrawlResult{Reasons: reasons{crawl.ReasonOutOfScope: 2, crawl.ReasonRobots: 5}}, "blocked by robots.txt"},
		"nofollow":     {app.CrawlResult{Reasons: reasons{crawl.ReasonOutOfScope: 2, crawl.ReasonNofollow: 5}}, "are nofollow"},
		"canonical":    {app.CrawlResult{Reasons: reasons{crawl.ReasonOutOfScope: 1, crawl.ReasonCanonical: 1}}, "canonical URL"},
		"a limit":      {app.CrawlResult{Limit: crawl.LimitBytes, Reasons: reasons{crawl.ReasonOutOfScope: 2}}, ""},
		"interruption": {app.CrawlResult{Details: app.CrawlDetails{Cut: &app.CutError{}}}, ""},
	} {
		test.result.Pages = 1
		text := crawlSummary(&test.result, false)
		_, why, found := strings.Cut(text, "Only the start page was found: ")
		if found != (test.want != "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}
