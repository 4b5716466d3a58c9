package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// TestOnlyStart explains a crawl of one page, unless the crawl was not to continue.
func TestOnlyStart(t *testing.T) {
	type reasons = map[crawl.Reason]int64
	const outOfScope = crawl.ReasonOutOfScope
	type result = appcrawl.Result
	for name, test := range map[string]struct {
		result appcrawl.Result
		want   string
	}{
		"no links":     {result{}, "it has no links"},
		"other sites":  {result{Reasons: reasons{outOfScope: 2}}, "lead to other sites"},
		"robots.txt":   {result{Reasons: reasons{outOfScope: 2, crawl.ReasonRobots: 5}}, "blocked by robots.txt"},
		"nofollow":     {result{Reasons: reasons{outOfScope: 2, crawl.ReasonNofollow: 5}}, "are nofollow"},
		"canonical":    {result{Reasons: reasons{outOfScope: 1, crawl.ReasonCanonical: 1}}, "canonical URL"},
		"a limit":      {result{Limit: crawl.LimitBytes, Reasons: reasons{outOfScope: 2}}, ""},
		"interruption": {result{Details: appcrawl.Details{Cut: &appcrawl.CutError{}}}, ""},
	} {
		test.result.Pages = 1
		text := crawlSummary(&test.result, false)
		_, why, found := strings.Cut(text, "Only the start page was found: ")
		if found != (test.want != "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}

// TestPartial begins the summary of an interrupted first crawl with what it is.
func TestPartial(t *testing.T) {
	result := appcrawl.Result{Pages: 3}
	if text := crawlSummary(&result, false); strings.Contains(text, "Partial") {
		t.Error(text)
	}
	result.Details.Cut = &appcrawl.CutError{}
	if text := crawlSummary(&result, false); !strings.HasPrefix(text, "Partial result: 3 pages fetched") {
		t.Error(text)
	}
}

// TestReturningCanonicals counts pages whose canonical redirects back to them.
func TestReturningCanonicals(t *testing.T) {
	for pages, want := range map[int64]string{
		0: "", 1: "\n1 page names a canonical that redirects back to it.\n",
		12: "\n12 pages name a canonical that redirects back to them.\n",
	} {
		text := crawlSummary(&appcrawl.Result{Pages: 20, Returning: pages}, false)
		if !strings.Contains(text, want) || want == "" && strings.Contains(text, "canonical") {
			t.Errorf("%s\nwant %q", text, want)
		}
	}
}

// TestTrapsHaveTheirOwnHeading counts traps apart from the URLs that are not listed: a
// page with too many links is not one of these.
func TestTrapsHaveTheirOwnHeading(t *testing.T) {
	result := appcrawl.Result{
		Pages: 5, Reasons: map[crawl.Reason]int64{crawl.ReasonNotAPage: 3},
		Traps: map[string]int64{crawl.TrapLinks.Detail().String(): 2},
	}
	text := crawlSummary(&result, false)
	want := "\nNot in the sitemap:\n        3 other than a page (image, feed, other file)\n" +
		"\nCrawler traps:\n        2 too many links on one page\n"
	if !strings.Contains(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}
