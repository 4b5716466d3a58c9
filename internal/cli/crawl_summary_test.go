package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/insight"
)

// TestVerdictText begins the summary with what the crawl means, and ends it with what to do.
func TestVerdictText(t *testing.T) {
	for _, test := range []struct {
		verdict  insight.Verdict
		contains []string
	}{
		{insight.Verdict{Kind: insight.Ready, Listed: 1, Action: insight.ActionUpload},
			[]string{"The sitemap lists 1 page, and nothing needs to be fixed.\n"}},
		{insight.Verdict{Kind: insight.Problems, Listed: 12, Errors: 1, Warnings: 2, Action: insight.ActionNone},
			[]string{"The sitemap lists 12 pages. The site has 1 error and 2 warnings.\n",
				"  mapa report site --findings\n", "  mapa crawl localhost --base-url https://example.com/\n"}},
		{insight.Verdict{Kind: insight.Problems, Listed: 12, Cause: "site-other-host", Action: insight.ActionBaseURL,
			Arguments: insight.Arguments{"https://example.com/", 12, 12}},
			[]string{"The sitemap lists 12 pages, but ", "  mapa crawl localhost --base-url https://example.com/\n"}},
		{insight.Verdict{Kind: insight.Partial, Listed: 3, Cause: "crawl-partial", Arguments: insight.Arguments{828},
			Action: insight.ActionContinue},
			[]string{"The sitemap is incomplete: 828 URLs were still waiting", "Next: Continue the crawl."}},
		{insight.Verdict{Kind: insight.Unusable, Cause: "site-login", Action: insight.ActionLogIn,
			Arguments: insight.Arguments{"https://example.com/login"}},
			[]string{"The sitemap cannot be used: the pages lead to the log-in form at https://example.com/login.\n",
				"  mapa crawl localhost --cookie-file FILE\n"}},
	} {
		result := appcrawl.Result{Pages: 20, Verdict: &test.verdict, Files: []string{"site/sitemap.xml"},
			Details: appcrawl.Details{Folder: "site"}}
		text := crawlSummary(&result, false) + nextAfterCrawl(&result, "localhost")
		if !strings.HasPrefix(text, test.contains[0]) {
			t.Errorf("%s\ndoes not begin with %q", text, test.contains[0])
		}
		for _, part := range test.contains {
			if !strings.Contains(text, part) {
				t.Errorf("%s\nlacks %q", text, part)
			}
		}
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
