package cli

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/checks"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
)

// TestVerdictSecret names the command that continues a crawl without the password of its address.
func TestVerdictSecret(t *testing.T) {
	v := insight.Verdict{Kind: insight.Partial, Action: insight.ActionContinue}
	result := appcrawl.Result{Verdict: &v, Details: appcrawl.Details{Folder: "site"}}
	text := nextAfterCrawl(&result, "https://ana:hunter2@example.com/")
	if !strings.Contains(text, "mapa crawl https://example.com/ --user NAME:PASSWORD -o site\n") {
		t.Error(text)
	}
}

// TestNextFlags keeps the flags of a crawl in the command that comes next, without passwords.
func TestNextFlags(t *testing.T) {
	c := newCrawl(&app.App{})
	err := c.ParseFlags([]string{
		"--rate", "2", "--user-agent", "My Bot", "--exclude", "^/a", "--exclude", "^/b", "--header", "X-Key: hunter2",
		"--fail-on", "broken,anchors", "--external", "--max-pages", "9", "--fresh", "--write-baseline", "-o", "site",
	})
	if err != nil {
		t.Fatal(err)
	}
	v := insight.Verdict{Kind: insight.Partial, Action: insight.ActionRaiseLimit}
	result := appcrawl.Result{Verdict: &v, Limit: crawl.LimitPages, Details: appcrawl.Details{Folder: "site"}}
	text := nextAfterCrawl(&result, "example.com", keptFlagsOf(c.Flags())...)
	const want = "  mapa crawl example.com --max-pages 0 -o site --exclude '^/a' --exclude '^/b' --external " +
		"--fail-on broken,anchors --header 'HEADER: VALUE' --rate 2 --user-agent 'My Bot'\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\ndoes not end with\n%s", text, want)
	}
}

// TestVerdictText begins the summary with what the crawl means, and ends it with what to do.
func TestVerdictText(t *testing.T) {
	for _, test := range []struct {
		verdict  insight.Verdict
		contains []string
	}{
		{insight.Verdict{Kind: insight.Ready, Listed: 1, Action: insight.ActionUpload},
			[]string{"Good: The sitemap lists 1 page, and nothing needs to be fixed.\n"}},
		{insight.Verdict{Kind: insight.Problems, Listed: 12, Errors: 1, Warnings: 2, Action: insight.ActionNone},
			[]string{"To fix: The sitemap lists 12 pages. The site has 1 error and 2 warnings.\n",
				"  mapa report site --findings\n", "  mapa crawl localhost --base-url https://example.com/ -o example.com\n"}},
		{insight.Verdict{Kind: insight.Problems, Listed: 12, Cause: "site-other-host", Action: insight.ActionBaseURL,
			Arguments: insight.Arguments{"https://example.com/", 12, 12}},
			[]string{"To fix: The sitemap lists 12 pages, but ", "  mapa crawl localhost --base-url https://example.com/ -o example.com\n"}},
		{insight.Verdict{Kind: insight.Partial, Listed: 3, Cause: "crawl-partial", Arguments: insight.Arguments{828},
			Action: insight.ActionContinue},
			[]string{"Unknown: The sitemap is incomplete: 828 URLs were found and not requested", "Next: Continue the crawl."}},
		{insight.Verdict{Kind: insight.Unusable, Cause: "site-login", Action: insight.ActionLogIn,
			Arguments: insight.Arguments{"https://example.com/login"}},
			[]string{"Bad: The sitemap cannot be used: the pages lead to the log-in form at https://example.com/login.\n",
				"  mapa crawl localhost --cookie-file FILE -o site\n"}},
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

// TestRenderedSummary counts the pages that were rendered, and those that should have been.
func TestRenderedSummary(t *testing.T) {
	result := appcrawl.Result{
		Pages: 5, Rendered: 3, RenderSeconds: 1.5, NotRendered: 2,
		RenderReasons: map[render.Reason]int64{render.ReasonRoot: 1, render.ReasonNoText: 2},
	}
	want := "\n3 pages were rendered, 0.5 s each:\n        2 no text without JavaScript\n" +
		"        1 few words, and an element that JavaScript fills\n" +
		"\n2 pages that need JavaScript are as the site sent them: see the rule render-inconclusive in the report\n"
	if text := crawlSummary(&result, false); !strings.Contains(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestTrapsHaveTheirOwnHeading counts traps apart from the URLs that are not listed: a
// page with too many links is not one of these.
func TestTrapsHaveTheirOwnHeading(t *testing.T) {
	result := appcrawl.Result{
		Pages: 5, Reasons: map[crawl.Reason]int64{crawl.ReasonNotAPage: 3},
		Details: appcrawl.Details{Traps: map[crawl.Detail]int64{crawl.TrapLinks.Detail(): 2}},
	}
	text := crawlSummary(&result, false)
	want := "\nNot in the sitemap:\n        3 other than a page (image, feed, other file)\n" +
		"\nCrawler traps:\n        2 too many links on one page\n"
	if !strings.Contains(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestSpanishSummary writes every part of a summary in Spanish.
func TestSpanishSummary(t *testing.T) {
	d := appcrawl.Details{
		Language: catalog.Spanish, Folder: "sitio", LinkedBroken: 12, Dropped: 3, SessionLinks: 4,
		Traps:   map[crawl.Detail]int64{crawl.TrapLinks.Detail(): 2},
		Parts:   []string{"sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap-4.xml"},
		Orphans: []string{"https://example.com/sola"}, Cut: &appcrawl.CutError{Outage: true, Unanswered: 2},
		Check: checks.Result{Checks: []string{"error"}, Failing: 2, Accepted: 1, Baseline: "base.json"},
	}
	r := &appcrawl.Result{
		Pages: 12345, Seconds: 3.25, Listed: 1, Before: 1000, Broken: 13, Anchors: 1, Orphans: 2, Returning: 1,
		Limit: crawl.LimitPages, Files: []string{"sitio/sitemap.xml"}, Details: d,
		Documents: map[crawl.DocumentKind]int64{crawl.DocumentPDF: 1},
		Changes:   &compare.Counts{New: 1, Removed: 2, Changed: 3, NewlyBroken: 4, Fixed: 5, Unchanged: 6},
		Reasons:   map[crawl.Reason]int64{crawl.ReasonRobots: 3},
		Rendered:  3, RenderSeconds: 1.5, NotRendered: 2,
		RenderReasons: map[render.Reason]int64{render.ReasonRoot: 3},
		Verdict: &insight.Verdict{Kind: insight.Problems, Listed: 12, Errors: 1, Warnings: 2, Infos: 1,
			Action: insight.ActionUpload},
		BrokenLinks: []appcrawl.BrokenLink{{
			URL: "https://example.com/rota", Pages: []insight.Place{{URL: "https://example.com/"}},
			Cause: insight.Why{Detail: crawl.NewDetail(crawl.DetailRobotsHeader)},
		}},
	}
	text := crawlSummary(r, true) + nextAfterCrawl(r, "https://example.com/")
	r.Details.Late, r.Refused, r.Verdict = true, "x", nil
	r.Details.Cut = &appcrawl.CutError{}
	r.Details.Check = checks.Result{Checks: []string{"error"}, Written: true, Baseline: "base.json"}
	text += crawlSummary(r, false)
	english := catalog.For(catalog.English).WithPrefix("summary.")
	spanish := catalog.For(catalog.Spanish).WithPrefix("summary.")
	verb := regexp.MustCompile(`%s|%%`)
	missing := []string{"broken.late.one", "check.none", "check.first", "cut.refused", "cut.no-answer", "cut.unrendered",
		"findings", "not-written"}
	for key, sentence := range spanish {
		named := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
		one := strings.TrimSuffix(key, ".one")
		if other, plural := spanish[one+".other"]; plural && strings.Contains(text, longest(verb.Split(other, -1))) {
			continue
		}
		if many, plural := spanish[strings.TrimSuffix(key, ".other")+".one"]; plural &&
			strings.Contains(text, longest(verb.Split(many, -1))) {
			continue
		}
		if !strings.Contains(text, longest(verb.Split(sentence, -1))) && !slices.ContainsFunc(missing, named) {
			t.Errorf("%s is not in the summary: %s", key, sentence)
		}
		if part := longest(verb.Split(english[key], -1)); len(part) > 6 && strings.Contains(text, part) {
			t.Errorf("%s is in English: %s", key, part)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// longest returns the longest of some texts.
func longest(texts []string) string {
	return slices.MaxFunc(texts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}
