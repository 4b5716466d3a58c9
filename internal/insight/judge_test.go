package insight_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
)

// crawlSite crawls the files of a site at https://example.com, with the options that change sets.
func crawlSite(t *testing.T, files string, change ...func(*crawl.Options)) *store.File {
	t.Helper()
	site, err := testsite.Parse([]byte(files))
	if err != nil {
		t.Fatal(err)
	}
	options := &crawl.Options{
		Start: "https://example.com/", Checks: crawl.Checks{External: true},
		Access: access.Access{Transport: inProcess{site}, Rate: access.PerSecond(0)},
	}
	for _, set := range change {
		set(options)
	}
	about := crawl.Meta{Start: "https://example.com/", OnlySeeds: options.Scope.OnlySeeds}
	file, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"), about)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := crawl.Run(t.Context(), file, options); err != nil {
		t.Fatal(err)
	}
	if err := file.Conclude(options.MayList); err != nil {
		t.Fatal(err)
	}
	return file
}

// judgeSite returns the verdict of a crawl, and its findings as lines.
func judgeSite(
	t *testing.T, file *store.File, options *insight.Options, end *insight.End,
) (*insight.Verdict, []string) {
	t.Helper()
	rules, err := options.Rules()
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := insight.Write(t.Context(), file, rules, end, nil)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := insight.ReadVerdict(file)
	if err != nil || stored.Kind != verdict.Kind || stored.Cause != verdict.Cause || stored.Action != verdict.Action {
		t.Fatalf("stored: %+v, %v, want %+v", stored, err, verdict)
	}
	var lines []string
	for f, err := range insight.Read(t.Context(), file, insight.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		line := f.Severity.String() + " " + f.Rule.ID + " " + strings.TrimPrefix(f.URL, "https://example.com")
		if f.Other != 0 && f.Other != f.Page {
			line += " " + strings.TrimPrefix(f.OtherURL, "https://example.com")
		}
		lines = append(lines, line)
	}
	return verdict, lines
}

// page returns a file with a page that links to others.
func page(path, text string, links ...string) string {
	file := "-- " + path + " --\n<!doctype html><title>" + path + "</title><p>" + text
	for _, link := range links {
		file += ` <a href="` + link + `">` + link + "</a>"
	}
	return file + "\n"
}

// TestFaultsInTurn reports each fault once where those of two rules take turns.
func TestFaultsInTurn(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", "home", "mailto:ann", "javascript:open()", "http://[bad"))
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"link-invalid", "link-uncrawlable"}}, &insight.End{})
	want := []string{"warning link-invalid /", "warning link-invalid /", "warning link-uncrawlable /"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestLocalhost reports links to this machine, and as notes those of instructions.
func TestLocalhost(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", `<a href="http://localhost:1234/">Log in</a>`, "http://localhost:3000/", "/a"))
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"link-localhost"}}, &insight.End{})
	want := []string{"error link-localhost / http://localhost:1234/", "info link-localhost / http://localhost:3000/"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestJudgeLinks finds what is wrong with the links between pages, and nothing else.
func TestJudgeLinks(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", "home", "/a", "/b#lost", "/gone", "/old", "/loop", "https://other.example/dead")+
		page("/a", "a", "/", "/gone", "/gone", "/b#top")+page("/b", `<b id="here"></b>`, "/", "/dies")+
		"-- /old --\nHTTP 301\nLocation: /older\n\n\n-- /older --\nHTTP 301\nLocation: /a\n\n\n"+
		"-- /loop --\nHTTP 302\nLocation: /loop\n\n\n-- /dies --\nHTTP 302\nLocation: /gone\n\n\n")
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{
		"link-broken", "anchor-missing", "redirect-internal", "redirect-chain", "redirect-loop", "orphan", "dead-end",
	}}, &insight.End{})
	want := []string{
		"error link-broken / /gone", "error link-broken /a /gone", "error link-broken /b /dies", "error redirect-loop /loop",
		"warning anchor-missing / /b#lost", "warning link-broken / https://other.example/dead",
		"warning redirect-chain /old /a", "info redirect-internal /dies /gone", "info redirect-internal /old /a",
	}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// TestJudgeFrames takes frames as links to the pages that they show.
func TestJudgeFrames(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, "-- / --\n<frameset><frame src=/menu><frame src=/main></frameset>\n"+
		page("/menu", `menu <iframe src="https://other.example/player"></iframe>`)+page("/main", "main", "/menu"))
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"orphan", "single-inlink", "dead-end"}}, &insight.End{})
	want := []string{"info single-inlink /main /", "info dead-end /menu"}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestVagueLinks groups links by their texts, with one finding on a page.
func TestVagueLinks(t *testing.T) {
	t.Parallel()
	links := `<a href=/b>Read more</a><a href=/c>Read more</a><a href=/>here</a>`
	file := crawlSite(t, page("/", links, "/a")+page("/a", links)+page("/b", "b")+page("/c", "c"))
	verdict, _ := judgeSite(t, file, &insight.Options{Only: []string{"link-vague"}}, &insight.End{})
	var found []string
	for f, err := range insight.Group(insight.Read(t.Context(), file, insight.Filter{})) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprint(f.Arguments[0], " on ", f.Places, " pages, ", f.Count, " links"))
	}
	slices.Sort(found)
	if want := []string{"Read more on 2 pages, 4 links", "here on 1 pages, 1 links"}; !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
	if n := verdict.Rules["link-vague"]; n != 2 {
		t.Errorf("%d problems, want one a text", n)
	}
}

// TestPagination reports what rel=next names only where it fails.
func TestPagination(t *testing.T) {
	t.Parallel()
	next := func(to string) string { return `<link rel=next href="` + to + `">` }
	file := crawlSite(t, page("/", next("/a"), "/a", "/b", "/c")+page("/a", next("/only"))+page("/b", next("/moved"))+
		page("/c", next("/gone"))+page("/only", next("/lost"))+"-- /moved --\nHTTP 301\nLocation: /a\n\n\n"+
		"-- /lost --\nHTTP 302\nLocation: /gone\n\n\n")
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"pagination-broken"}}, &insight.End{})
	want := []string{"info pagination-broken /c /gone", "info pagination-broken /only /lost"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestLinkRules gives failures the level of the first entry of the policy that matches.
func TestLinkRules(t *testing.T) {
	t.Parallel()
	statuses := func(first, last int) [][2]int { return [][2]int{{first, last}} }
	rule := func(url string, statuses [][2]int, level crawl.LinkLevel) crawl.LinkRule {
		return crawl.LinkRule{URL: regexp.MustCompile(url), Statuses: statuses, Level: level}
	}
	const jobs, down = "https://jobs.example/", "https://down.example/"
	files := page("/", "home", jobs, down, "/gone", "/moved", "/failing") + "-- //jobs.example/ --\nHTTP 999\n\n\n" +
		"-- /moved --\nHTTP 301\nLocation: /gone\n\n\n-- /failing --\nHTTP 500\n\n\n"
	standard := []string{
		"error link-broken / /gone", "error link-broken / /moved", "error link-broken / /failing",
		"warning link-broken / " + down, "info link-inconclusive / " + jobs,
	}
	for name, test := range map[string]struct {
		policy  []crawl.LinkRule
		without []string // of the findings without a policy
		with    []string // in their place
		broken  int64
	}{
		"none": {nil, nil, nil, 3},
		"skip without a request": {[]crawl.LinkRule{rule("//jobs", nil, crawl.LinkSkip), rule("//down", nil, crawl.LinkSkip)},
			[]string{"warning link-broken / " + down, "info link-inconclusive / " + jobs}, nil, 2},
		"skip a failure": {[]crawl.LinkRule{
			rule(".", statuses(404, 404), crawl.LinkSkip),
			{Causes: []string{crawl.CauseDNS}, Level: crawl.LinkSkip},
		}, []string{"error link-broken / /gone", "error link-broken / /moved", "warning link-broken / " + down}, nil, 1},
		"inconclusive is broken": {[]crawl.LinkRule{rule("//jobs", nil, crawl.LinkError)},
			[]string{"info link-inconclusive / " + jobs}, []string{"error link-broken / " + jobs}, 4},
		"inconclusive is a warning": {[]crawl.LinkRule{rule("//jobs", statuses(900, 999), crawl.LinkWarning)},
			[]string{"info link-inconclusive / " + jobs}, []string{"warning link-inconclusive / " + jobs}, 3},
		"the end of a redirect": {[]crawl.LinkRule{rule("^/gone$", nil, crawl.LinkInfo)},
			[]string{"error link-broken / /gone", "error link-broken / /moved"},
			[]string{"info link-broken / /gone", "info link-broken / /moved"}, 3},
		"a page that fails": {[]crawl.LinkRule{rule("^/failing$", statuses(500, 599), crawl.LinkWarning)},
			[]string{"error link-broken / /failing"}, []string{"warning link-broken / /failing"}, 3},
		"the first entry counts": {[]crawl.LinkRule{
			rule("//down", statuses(400, 599), crawl.LinkError), rule("//down", nil, crawl.LinkInfo),
			rule(".", nil, crawl.LinkSkip),
		}, standard, []string{"info link-broken / " + down}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := crawlSite(t, files, func(o *crawl.Options) {
				o.Checks.Policy = test.policy
				o.Access.Transport = unknownHost{o.Access.Transport, "down.example"}
			})
			// The severity of a rule is over its own, and the level over that.
			_, lines := judgeSite(t, file, &insight.Options{
				Only: []string{"link-broken", "link-inconclusive", "server-error"}, Links: test.policy,
				Severity: map[string]lint.Severity{"server-error": lint.SeverityError},
			}, &insight.End{})
			want := slices.Concat(slices.DeleteFunc(slices.Clone(standard), func(line string) bool {
				return slices.Contains(test.without, line)
			}), test.with)
			slices.Sort(lines)
			slices.Sort(want)
			if !slices.Equal(lines, want) {
				t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
			}
			summary, err := file.Summary(t.Context())
			if err != nil || summary.Broken() != test.broken {
				t.Errorf("%d broken URLs, %v, want %d", summary.Broken(), err, test.broken)
			}
		})
	}
}

// unknownHost is a network where the name of one host does not exist.
type unknownHost struct {
	http.RoundTripper
	host string
}

func (u unknownHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == u.host {
		return nil, &net.DNSError{Name: u.host, IsNotFound: true}
	}
	return u.RoundTripper.RoundTrip(r)
}

// TestJudgeParts finds broken parts of pages: those of another site are warnings.
func TestJudgeParts(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", `<img src=/gone.png><script src=https://cdn.example/gone.js></script>`+
		`<img src=https://cdn.example/refused.png>`)+
		"-- //cdn.example/refused.png --\nHTTP 403\n\n\n", func(o *crawl.Options) { o.Checks.Assets = true })
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"link-broken", "link-inconclusive"}}, &insight.End{})
	want := []string{"error link-broken / /gone.png", "warning link-broken / https://cdn.example/gone.js",
		"info link-inconclusive / https://cdn.example/refused.png"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestRefusals finds links to URLs that are refused to programs, of the site itself too, once a
// URL, and no broken links.
func TestRefusals(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", "home", "/account", "/members", "https://other.example/")+
		"-- /account --\nHTTP 401\n\n\n-- /members --\nHTTP 302\nLocation: /limit\n\n\n-- /limit --\nHTTP 403\n\n\n"+
		"-- //other.example/ --\nHTTP 999\n\n\n")
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"link-broken", "link-inconclusive"}}, &insight.End{})
	want := []string{"info link-inconclusive / /account", "info link-inconclusive / /members",
		"info link-inconclusive / https://other.example/"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestServerError reports a URL for which the server fails once: as a broken link where a page links to it,
// also by a redirect.
func TestServerError(t *testing.T) {
	t.Parallel()
	const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		"<url><loc>https://example.com/fails</loc></url><url><loc>https://example.com/gone</loc></url></urlset>"
	file := crawlSite(t, page("/", "home", "/linked", "/old", "/a")+page("/a", "a", "/linked", "/")+
		"-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n-- /sitemap.xml --\n"+sitemap+
		"\n-- /fails --\nHTTP 500\n\n\n-- /linked --\nHTTP 500\n\n\n-- /end --\nHTTP 503\n\n\n"+
		"-- /old --\nHTTP 301\nLocation: /end\n\n\n")
	links := []string{"error link-broken / /linked", "error link-broken / /old", "error link-broken /a /linked"}
	for _, test := range []struct {
		disable, want []string
		errors        int
	}{
		{nil, slices.Concat(links, []string{"error link-broken /gone", "error server-error /fails"}), 4},
		{[]string{"server-error"}, slices.Concat(links, []string{"error link-broken /fails", "error link-broken /gone"}), 4},
		{[]string{"link-broken"}, []string{"error server-error /end", "error server-error /fails",
			"error server-error /linked"}, 3},
	} {
		verdict, lines := judgeSite(t, file, &insight.Options{
			Only: []string{"link-broken", "server-error"}, Disable: test.disable}, &insight.End{})
		if slices.Sort(lines); !slices.Equal(lines, test.want) || verdict.Errors != test.errors {
			t.Errorf("without %q: %d errors, %q, want %d, %q", test.disable, verdict.Errors, lines, test.errors, test.want)
		}
	}
}

// TestListsAreContent judges lists of pages by the titles in them, which differ.
func TestListsAreContent(t *testing.T) {
	t.Parallel()
	list := func(path, title string) string {
		items := strings.Repeat(`<li><a href="/">`+title+" and how it is made in a few hours</a></li>", 12)
		return "-- " + path + " --\n<!doctype html><title>" + path + "</title><a href=/a>a</a><a href=/b>b</a><main>" +
			"<p>" + strings.Repeat("of all posts ", 8) + "<ul>" + items + "</ul></main>\n"
	}
	file := crawlSite(t, list("/", "Cheese")+list("/a", "Bread")+list("/b", "Wine"))
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"thin-content", "duplicate-content"}}, &insight.End{})
	want := []string{"info thin-content /", "info thin-content /a", "info thin-content /b"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestSeries lets the pages of a series have one title, whatever element links them. Two posts with
// another one between them may not.
func TestSeries(t *testing.T) {
	t.Parallel()
	titled := func(path, title, link string) string {
		return "-- " + path + " --\n<!doctype html><title>" + title + "</title>" + link + "\n"
	}
	for name, test := range map[string]struct{ files, want string }{
		"link": {titled("/", "Blog", `<link rel=next href=/2><a href=/2>2</a>`) + titled("/2", "Blog", ""), ""},
		"a": {titled("/", "Blog", `<a rel="nofollow next" href=/2>2</a>`) + titled("/2", "Blog", `<a rel=next href=/3>3</a>`) +
			titled("/3", "Blog", ""), ""},
		"posts": {titled("/", "Notes", `<a rel=next href=/2>2</a>`) + titled("/2", "Trip", `<a rel=next href=/3>3</a>`) +
			titled("/3", "Notes", ""), "warning title-duplicate /,warning title-duplicate /3 /"},
	} {
		only := &insight.Options{Only: []string{"title-duplicate"}}
		_, lines := judgeSite(t, crawlSite(t, test.files), only, &insight.End{})
		if got := strings.Join(lines, ","); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestFragmentsOfLinkElements ignores the fragments of URLs that nobody follows.
func TestFragmentsOfLinkElements(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, "-- / --\n<link rel=canonical href=https://example.com/#a><link rel=next href=/b#c>"+
		"<link rel=alternate hreflang=en href=https://example.com/#d><a href=/b#e>b</a>\n"+page("/b", "b"))
	_, lines := judgeSite(t, file, &insight.Options{Only: []string{"anchor-missing"}}, &insight.End{})
	if want := []string{"warning anchor-missing / /b#e"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestHreflangWithoutReturn finds a version that names no versions, besides one that names others.
func TestHreflangWithoutReturn(t *testing.T) {
	t.Parallel()
	versions := func(path, others string) string {
		return "-- " + path + " --\n" + strings.ReplaceAll(others, "<", "<link rel=alternate hreflang=") +
			"<title>" + path + "</title><a href=/de>de</a><a href=/fr>fr</a><a href=/gone>gone</a>\n"
	}
	file := crawlSite(t, versions("/", "<en href=https://example.com/><de href=https://example.com/de>"+
		"<fr href=https://example.com/fr><es href=https://example.com/hidden>")+
		versions("/de", "<de href=https://example.com/de>")+page("/fr", "fr")+
		"-- /hidden --\n<meta name=robots content=noindex>\n")
	only := &insight.Options{Only: []string{"hreflang-not-reciprocal", "hreflang-target-not-listed"}}
	_, lines := judgeSite(t, file, only, &insight.End{})
	want := []string{"warning hreflang-not-reciprocal / /de", "warning hreflang-not-reciprocal / /fr",
		"warning hreflang-target-not-listed / /hidden"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestJudgePartOfSite does not count the links to pages while some wait.
func TestJudgePartOfSite(t *testing.T) {
	t.Parallel()
	rules := &insight.Options{Only: []string{"single-inlink"}}
	files := page("/", "home", "/a", "/b") + page("/a", "a", "/b") + page("/b", "b", "/")
	whole, part := crawlSite(t, files), crawlSite(t, files, func(o *crawl.Options) { o.Limits.Pages = 2 })
	if _, lines := judgeSite(t, whole, rules, &insight.End{}); !slices.Equal(lines, []string{"info single-inlink /a /"}) {
		t.Errorf("the whole site: %q", lines)
	}
	if _, lines := judgeSite(t, part, rules, &insight.End{Limit: crawl.LimitPages}); len(lines) > 0 {
		t.Errorf("a part: %q", lines)
	}
}

// TestLeftOut counts no rule as passed that a crawl says nothing about.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	files := page("/", "home", "/a", "/b") + page("/a", "a", "/b") + page("/b", "b", "/")
	links, looks := []string{"nofollow-only", "orphan", "single-inlink"}, []string{"soft-404-text"}
	browser := []string{"render-inconclusive", "rendered-differs"}
	headers := []string{"header-csp", "header-frame", "header-hsts", "header-nosniff", "tls-expiry"}
	usual := slices.Concat([]string{"http-page", "tls-expiry"}, browser) // without a certificate
	first := func(o *crawl.Options) { o.Limits.Pages = 2 }
	for name, test := range map[string]struct {
		files  string
		change func(*crawl.Options)
		end    insight.End
		want   []string
	}{
		"whole":     {files, nil, insight.End{}, usual},
		"max-pages": {files, first, insight.End{Limit: crawl.LimitPages}, slices.Concat(usual, links)},
		"max-depth": {page("/", "home", "/a") + page("/a", "a", "/b"), func(o *crawl.Options) { o.Limits.Depth = 1 },
			insight.End{Limit: crawl.LimitDepth}, slices.Concat(usual, links)},
		"max-time": {files, first, insight.End{Limit: crawl.LimitTime}, slices.Concat(usual, links, looks)},
		"cut":      {files, first, insight.End{Cut: true}, slices.Concat(usual, links, looks)},
		"folder": {files, nil, insight.End{Folder: true},
			slices.Concat(headers, browser, []string{"http-page", "slow-response"})},
		"base URL": {files, nil, insight.End{BaseURL: true}, slices.Concat(headers, browser, []string{"http-page"})},
		"one site": {page("/", "home", "https://other.example/"), nil, insight.End{},
			slices.Concat(usual, []string{"link-inconclusive"})},
		"http": {files, func(o *crawl.Options) { o.Start = "http://example.com/" }, insight.End{},
			slices.Concat(browser, []string{"header-hsts", "tls-expiry"})},
	} {
		file := crawlSite(t, test.files, func(o *crawl.Options) {
			o.Checks.External = false
			if test.change != nil {
				test.change(o)
			}
		})
		verdict, _ := judgeSite(t, file, new(insight.Options), &test.end)
		sections, err := insight.ReadSections(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, rule := range lint.PageRules() {
			if _, applied := verdict.Rules[rule.ID]; !applied && !rule.OffByDefault() {
				got = append(got, rule.ID)
			}
			if slices.Contains(test.want, rule.ID) && slices.Contains(sections.Passed, rule.ID) {
				t.Errorf("%s: %s passed", name, rule.ID)
			}
		}
		test.want = append(slices.Clone(test.want), "engine-canonical", "never-shown", "not-indexed", "shown-not-listed",
			"site-ai-robots", "site-engine-refused")
		if !test.end.Folder {
			test.want = append(slices.Clone(test.want), "site-unreached")
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q is left out, want %q", name, got, test.want)
		}
	}
}

// TestNearDuplicateWords compares pages of fifty words, and none of fewer.
func TestNearDuplicateWords(t *testing.T) {
	t.Parallel()
	for words, want := range map[int][]string{49: nil, 50: {"warning near-duplicate /a", "warning near-duplicate /b /a"}} {
		var text strings.Builder
		for i := range words - 1 {
			fmt.Fprintf(&text, "w%d ", i)
		}
		site := page("/", "home", "/a", "/b")
		for _, path := range []string{"/a", "/b"} {
			site += "-- " + path + " --\n<title>" + path + "</title><main><p>" + text.String() + path[1:] + "</main>\n"
		}
		file := crawlSite(t, site, func(o *crawl.Options) { o.Shingles = true })
		_, lines := judgeSite(t, file, &insight.Options{Only: []string{"near-duplicate"}}, &insight.End{})
		if !slices.Equal(lines, want) {
			t.Errorf("%d words: %q, want %q", words, lines, want)
		}
	}
}

// certified is a site of https whose certificate ends some days from now.
type certified struct {
	http.RoundTripper
	days int
}

func (s certified) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := s.RoundTripper.RoundTrip(request)
	if err == nil {
		end := time.Now().UTC().AddDate(0, 0, s.days)
		response.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{NotAfter: end}}}
	}
	return response, err
}

// TestCertificateEnds counts the days that a certificate has left, whatever the time of day.
func TestCertificateEnds(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{
		21: "", 20: "warning tls-expiry /", 7: "warning tls-expiry /", 6: "error tls-expiry /",
	} {
		file := crawlSite(t, page("/", "home"), func(o *crawl.Options) {
			o.Access.Transport = certified{o.Access.Transport, days}
		})
		_, lines := judgeSite(t, file, &insight.Options{Only: []string{"tls-expiry"}}, &insight.End{})
		if got := strings.Join(lines, ","); got != want {
			t.Errorf("%d days: %q, want %q", days, got, want)
		}
	}
}

// TestEmptyTitle reports an empty title before another one once.
func TestEmptyTitle(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, "-- / --\n<title></title><title>Second</title><p>x\n")
	only := &insight.Options{Only: []string{"title-missing", "title-multiple", "title-length"}}
	_, lines := judgeSite(t, file, only, &insight.End{})
	if want := []string{"warning title-missing /"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestNoIndexBlocked finds a page that robots.txt forbids and that was noindex in the crawl before.
func TestNoIndexBlocked(t *testing.T) {
	t.Parallel()
	hidden := "-- /hidden --\n<meta name=robots content=noindex><p>hidden\n"
	before := crawlSite(t, page("/", "home", "/hidden", "/other")+hidden+page("/other", "other"))
	now := crawlSite(t, "-- /robots.txt --\nUser-agent: *\nDisallow: /hidden\nDisallow: /other\n"+
		page("/", "home", "/hidden", "/other")+hidden+page("/other", "other"))
	only := &insight.Options{Only: []string{"noindex-blocked"}}
	_, lines := judgeSite(t, now, only, &insight.End{Previous: before})
	if want := []string{"warning noindex-blocked /hidden"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if _, lines := judgeSite(t, now, only, &insight.End{}); len(lines) > 0 {
		t.Errorf("without a crawl before: %q", lines)
	}
}

// TestOptions selects rules, and changes severities and limits.
func TestOptions(t *testing.T) {
	t.Parallel()
	file := crawlSite(t, page("/", "home", "/a")+page("/a", "a", "/"))
	for _, test := range []struct {
		options insight.Options
		want    string
	}{
		{insight.Options{Only: []string{"title-length"}}, "info title-length /,info title-length /a"},
		{insight.Options{Only: []string{"title-length"}, Disable: []string{"title-length"}}, ""},
		{insight.Options{Only: []string{}}, ""},
		{insight.Options{
			Only: []string{"title-length"}, Severity: map[string]lint.Severity{"title-length": lint.SeverityError},
		}, "error title-length /,error title-length /a"},
		{insight.Options{
			Only: []string{"title-length"}, Thresholds: map[string]lint.Threshold{"title-length": lint.Outside(2, 60)},
		}, "info title-length /"},
	} {
		_, lines := judgeSite(t, file, &test.options, &insight.End{})
		if got := strings.Join(lines, ","); got != test.want {
			t.Errorf("%+v: %q, want %q", test.options, got, test.want)
		}
	}
	for _, wrong := range []insight.Options{{Only: []string{"title-lenght"}}, {Disable: []string{"loc-relative"}}} {
		if _, err := wrong.Rules(); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}

// staging makes the pages of a site name the same paths of a public site as canonical.
func staging(files string) string {
	return regexp.MustCompile(`<title>([^<]*)`).ReplaceAllString(files, `<link rel=canonical href="https://public.example$1">$0`)
}

// TestVerdict tells sites that cannot be used from those that can.
func TestVerdict(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("words of a page ", 80)
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("/p%d", i))
	}
	pages := func(head string) (files string) {
		for _, path := range many {
			files += strings.Replace(page(path, long+path, "/"), "<title>", head+"<title>", 1)
		}
		return files
	}
	// Of other rules there are findings on every page.
	none := &insight.Options{Only: []string{"site-login", "site-few-listed"}}
	for _, test := range []struct {
		name, files string
		end         insight.End
		kind        insight.Kind
		cause       string
		action      insight.Action
	}{
		{"one page", page("/", long), insight.End{}, insight.Ready, "", insight.ActionUpload},
		{"published", page("/", long), insight.End{Published: true}, insight.Ready, "", insight.ActionAnnounce},
		{"log-in", "-- / --\nHTTP 302\nLocation: /login?next=/\n\n\n-- /login?next=/ --\n<title>Log in</title><form method=post>" +
			"<input name=password type=password></form>\n", insight.End{}, insight.Unusable, "site-login", insight.ActionLogIn},
		{"a form on every page",
			strings.ReplaceAll(page("/", long, many...)+pages(""), "<p>", "<form><input type=password></form><p>"),
			insight.End{}, insight.Ready, "", insight.ActionUpload},
		{"noindex", strings.Replace(page("/", long, many...), "<title>", "<meta name=robots content=noindex><title>", 1) +
			pages("<meta name=robots content=noindex>"), insight.End{}, insight.Unusable, "site-noindex", insight.ActionIndex},
		{"staging copy", staging(page("/", long, many...) + pages("")), insight.End{},
			insight.Unusable, "site-other-host", insight.ActionBaseURL},
		{"facets", page("/", long, many...) + pages("<link rel=canonical href=/>"), insight.End{},
			insight.Ready, "", insight.ActionUpload},
		{"dead canonicals", page("/", long, many...) + pages("<link rel=canonical href=/gone>"), insight.End{},
			insight.Unusable, "site-few-listed", insight.ActionFixPages},
		{"an application", "-- / --\n<title>App</title><div id=app></div><script src=/app.js></script>\n", insight.End{},
			insight.Unusable, "site-needs-javascript", insight.ActionRender},
		{"an empty page", "-- / --\n", insight.End{}, insight.Unusable, "site-start-empty", insight.ActionFixStart},
		{"a folder that is not reached", page("/", long), insight.End{Folder: true, Unreached: 2},
			insight.Problems, "site-unreached", insight.ActionListOrphans},
		{"a menu by a script", page("/", long), insight.End{Folder: true, Unreached: 2, ScriptMenu: true},
			insight.Problems, "site-unreached", insight.ActionRenderMenu},
		{"an application in a folder", "-- / --\n<title>App</title><div id=app></div><script src=/app.js></script>\n",
			insight.End{Folder: true, Unreached: 2}, insight.Unusable, "site-unreached", insight.ActionRenderMenu},
		{"a fifth that is not reached", page("/", long, many...) + pages(""), insight.End{Folder: true, Unreached: 10},
			insight.Problems, "site-unreached", insight.ActionListOrphans},
		{"few that are not reached", page("/", long, many...) + pages(""), insight.End{Folder: true, Unreached: 9},
			insight.Ready, "", insight.ActionUpload},
		{"a folder of a copy", staging(page("/", long, many...) + pages("")), insight.End{Folder: true, Unreached: 900},
			insight.Unusable, "site-other-host", insight.ActionBaseURL},
		{"refused", page("/", long), insight.End{Refused: "a loss of 60 %"},
			insight.Unusable, "publish-refused", insight.ActionPublish},
		{"a broken sitemap", page("/", long), insight.End{Sitemaps: []insight.Sitemap{
			{URL: "https://example.com/s.xml", Named: true, Why: insight.Why{Status: 404}}}},
			insight.Problems, "site-sitemap-broken", insight.ActionFixSitemap},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			verdict, _ := judgeSite(t, crawlSite(t, test.files), none, &test.end)
			if verdict.Kind != test.kind || verdict.Cause != test.cause || verdict.Action != test.action {
				t.Errorf("%+v, want %s, %q, %s", verdict, test.kind, test.cause, test.action)
			}
			if found := verdict.Rules["site-few-listed"]; found > 0 && test.cause != "site-few-listed" {
				t.Errorf("%d findings repeat the cause", found)
			}
		})
	}
}

// TestPartialWithOtherCauses calls a crawl incomplete although most of its pages need JavaScript.
func TestPartialWithOtherCauses(t *testing.T) {
	t.Parallel()
	app := "<title>App</title><div id=app></div><script src=/app.js></script>\n"
	files := page("/", "home", "/a", "/b", "/c") + "-- /a --\n" + app + page("/b", "b", "/d")
	file := crawlSite(t, files, func(o *crawl.Options) { o.Limits.Depth = 1 })
	verdict, _ := judgeSite(t, file, new(insight.Options), &insight.End{Limit: crawl.LimitDepth})
	if verdict.Kind != insight.Partial || verdict.Cause != "crawl-partial" || verdict.Action != insight.ActionRaiseLimit ||
		verdict.Rules["site-needs-javascript"] != 1 {
		t.Errorf("%+v", verdict)
	}
}

// TestOnlySeeds finds in a crawl of one page nothing that other pages would have to show.
func TestOnlySeeds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("words of a page ", 80)
	links := []string{"/a", "/b", "https://other.example/1", "https://other.example/2", "https://other.example/3"}
	home := strings.Replace(page("/", long, links...), "<title>",
		`<link rel=alternate hreflang=de href=/a><link rel=alternate hreflang=en href=/><title>`, 1)
	file := crawlSite(t, home+page("/a", "a"), func(o *crawl.Options) { o.Scope.OnlySeeds = true })
	verdict, lines := judgeSite(t, file, new(insight.Options), &insight.End{})
	if verdict.Action != insight.ActionGiven || verdict.Cause != "" {
		t.Errorf("%+v", verdict)
	}
	for _, rule := range []string{
		"orphan", "single-inlink", "nofollow-only", "deep-page", "site-unreached", "site-sitemap-unnamed",
		"site-sitemap-broken",
	} {
		if _, applied := verdict.Rules[rule]; applied {
			t.Errorf("%s was applied", rule)
		}
	}
	for _, line := range lines {
		if strings.Contains(line, "reciprocal") || strings.Contains(line, "target") || strings.Contains(line, "site-") {
			t.Error(line)
		}
	}
}
