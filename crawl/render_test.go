package crawl_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
)

// shell is what a single-page application sends for every URL.
const shell = `<title>App</title><div id="root"></div><script src="/app.js"></script>`

// browser renders a page by replacing it with what /api sends for its path, and counts the pages.
type browser struct {
	mutex    sync.Mutex
	rendered []string
	change   func(path string, r *render.Result) error // after rendering; may be nil
}

func (b *browser) Render(
	ctx context.Context, page render.Page, transport render.Transport,
) (*render.Result, error) {
	u, err := url.Parse(page.URL)
	if err != nil {
		return nil, err
	}
	r := &render.Result{HTML: page.Body, URL: page.URL, Duration: 20 * time.Millisecond}
	if strings.Contains(string(page.Body), "<script") {
		data := u.Scheme + "://" + u.Host + "/api" + u.Path
		body, err := get(ctx, transport, "GET", data, false)
		r.Requests, r.Bytes = 1, int64(len(body))
		if err != nil {
			r.Failures = append(r.Failures, &render.Error{URL: data, Err: err})
		} else if body != "" {
			r.HTML = []byte(body)
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.rendered = append(b.rendered, u.Path)
	if b.change != nil {
		err = b.change(u.Path, r)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// paths returns the rendered paths, sorted, without that of the page for missing ones.
func (b *browser) paths() []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	paths := slices.DeleteFunc(slices.Clone(b.rendered), missingProbe.MatchString)
	slices.Sort(paths)
	return paths
}

// get sends a request as a browser does.
func get(
	ctx context.Context, transport render.Transport, method, address string, isFrame bool,
) (string, error) {
	if isFrame {
		ctx = render.WithFrame(ctx)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Cookie", "secret=1")
	if err := transport.Admit(request); err != nil {
		return "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		return "", &render.StatusError{Status: response.StatusCode}
	}
	return string(body), err
}

// scriptSite sends a page for each path, or a shell with status 200 for others. The pages under
// /api are what the scripts make of them.
func scriptSite(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		body, known := pages[r.URL.Path]
		switch {
		case known:
			io.WriteString(w, body)
		case r.URL.Path == "/robots.txt", r.URL.Path == "/api/broken":
			http.NotFound(w, r)
		case strings.HasPrefix(r.URL.Path, "/api/"):
			io.WriteString(w, `<title>App</title><h1>Nothing here</h1><p>`+words(30)+`</p><a href="/">home</a>`)
		default:
			io.WriteString(w, shell)
		}
	})
}

// words returns n words.
func words(n int) string { return strings.Repeat("word ", n) }

// article returns a page with a title, text of its own and links.
func article(title string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s</title><h1>%s</h1><p>%s %s</p>", title, title, title, words(30))
	for _, link := range links {
		fmt.Fprintf(&b, "<a href=%q>%s</a>", link, link)
	}
	return b.String()
}

// crawlScripts crawls a site with a browser.
func crawlScripts(
	t *testing.T, pages map[string]string, b *browser, options crawl.Options,
) (*crawl.MemoryStore, string) {
	t.Helper()
	origin := serve(t, scriptSite(pages))
	store := &crawl.MemoryStore{}
	options.Start = origin + "/"
	options.Renderer = b
	if _, err := run(t, store, &options); err != nil {
		t.Fatal(err)
	}
	return store, origin
}

// pageAt returns the page at a path.
func pageAt(t *testing.T, store *crawl.MemoryStore, address string) crawl.Page {
	t.Helper()
	page, _, found := store.Lookup(address)
	if !found {
		t.Fatalf("%s is not in the store", address)
	}
	return page
}

// TestRenderApplication crawls a single-page application: its routes are found, and the rendered
// pages decide.
func TestRenderApplication(t *testing.T) {
	t.Parallel()
	b := &browser{change: func(path string, r *render.Result) error {
		switch path {
		case "/":
			r.Routes = []string{r.URL + "routed", r.URL + "#/hash"}
		case "/old":
			r.URL = strings.Replace(r.URL, "/old", "/new", 1)
		}
		return nil
	}}
	store, origin := crawlScripts(t, map[string]string{
		"/api/": article("Home", "/a", "/b", "/gone", "/said", "/old", "/canonical", "/hidden", "#/hash",
			"/raw-noindex"),
		"/api/a":      article("A", "/b"),
		"/api/b":      article("B"),
		"/api/new":    article("New"),
		"/api/old":    article("Old"),
		"/api/routed": article("Routed"),
		"/api/said":   `<title>Page not found</title><p>` + words(25),
		"/api/canonical": `<title>C</title><link rel=canonical href="/a"><p>c ` +
			words(30),
		"/api/hidden":      `<title>H</title><meta name=robots content=noindex><p>h ` + words(30),
		"/raw-noindex":     `<meta name=robots content=noindex>` + shell,
		"/api/raw-noindex": article("Listed?"),
	}, b, crawl.Options{})
	compare(t, decisions(store, origin), map[string]decision{
		"/": "", "/a": "", "/b": "", "/new": "", "/routed": "",
		"/gone":        "soft-404: shows what the site shows for a missing page",
		"/said":        "soft-404: its scripts show “page not found”",
		"/old":         "redirect: JavaScript opens another URL",
		"/canonical":   "canonical: link element",
		"/hidden":      "noindex: meta robots",
		"/raw-noindex": "noindex: meta robots",
	})
	page := pageAt(t, store, origin+"/a")
	if page.Title != "A" || page.Digest == 0 || page.Words == 0 || page.Facts.NeedsScript {
		t.Errorf("page %+v", page)
	}
	if page.RenderReason != render.ReasonNoText || !page.Rendered.Done() || page.Rendered.Requests != 1 ||
		page.Rendered.Duration != 20*time.Millisecond {
		t.Errorf("%s, %+v", page.RenderReason, page.Rendered)
	}
	if other := pageAt(t, store, origin+"/b"); other.Body == page.Body || other.Body == 0 {
		t.Error("pages with the same shell have the same body")
	}
	if got := page.Rendered.Changes(); !slices.Equal(got, []string{"title", "h1", "links", "words"}) {
		t.Errorf("changes %q: %+v, %+v", got, page.Rendered.Before, page.Rendered.After)
	}
	raw := pageAt(t, store, origin+"/raw-noindex")
	if raw.RenderReason != render.ReasonNoIndex || raw.Rendered != nil {
		t.Errorf("noindex: %s, %+v", raw.RenderReason, raw.Rendered)
	}
	if slices.Contains(b.paths(), "/raw-noindex") {
		t.Error("a page with noindex was rendered")
	}
}

// TestRenderSignals decides by the raw page whether its scripts are run.
func TestRenderSignals(t *testing.T) {
	t.Parallel()
	const script, link = `<script src="/app.js"></script>`, `<a href="/other">other</a>`
	long := "<p>" + words(80) + "</p>"
	for name, c := range map[string]struct {
		body string
		want render.Reason
	}{
		"text":             {long + link + script, render.ReasonNoSignal},
		"no script":        {`<div id="root"></div>`, render.ReasonNoSignal},
		"empty":            {`<body>` + script, render.ReasonNoText},
		"root":             {`<div id="__next">Loading</div>` + link + script, render.ReasonRoot},
		"Angular":          {`<app-root>Loading</app-root>` + script, render.ReasonRoot},
		"filled root":      {`<div id="root">` + long + link + `</div>` + script, render.ReasonNoSignal},
		"noscript":         {`<p>Shop</p>` + link + `<noscript>Please enable JavaScript.</noscript>` + script, render.ReasonNoscript},
		"long noscript":    {long + link + `<noscript>Please enable JavaScript.</noscript>` + script, render.ReasonNoSignal},
		"hash routes":      {long + `<a href="#/a">a</a><a href="#/b">b</a>` + script, render.ReasonScriptLinks},
		"hash route alone": {long + `<a href="#/a">a</a>` + link + script, render.ReasonNoSignal},
		"script links":     {long + `<a href="javascript:a()">a</a><a href="javascript:b()">b</a>` + script, render.ReasonScriptLinks},
		"no words":         {`<nav>menu ` + link + `</nav><main></main>` + script, render.ReasonNoWords},
		"no links":         {long + script, render.ReasonNoLinks},
		"refresh":          {`<meta http-equiv=refresh content="0;url=/other">` + script, render.ReasonRedirect},
		"noindex":          {`<meta name=robots content=noindex>` + script, render.ReasonNoIndex},
	} {
		store, origin := crawlScripts(t, map[string]string{
			"/": "<title>T</title>" + c.body, "/other": long + `<a href="/">home</a>`, "/api/": article("Home", "/other"),
		}, &browser{}, crawl.Options{})
		page := pageAt(t, store, origin+"/")
		if page.RenderReason != c.want {
			t.Errorf("%s: %s, want %s", name, page.RenderReason, c.want)
		}
	}
}

// TestRenderTrials renders a few pages of a pattern whose pages may need it, and predicts the others.
func TestRenderTrials(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		made func(string) string // what the scripts make of a page
		most int                 // pages that are rendered
	}{
		"scripts add nothing": {func(raw string) string { return raw }, 3},
		"scripts add links":   {func(raw string) string { return raw + `<a href="/">home</a>` }, 40},
	} {
		pages := map[string]string{"/": "<title>Home</title>" + words(60)}
		for i := range 40 {
			path := fmt.Sprintf("/item/%d", i)
			raw := fmt.Sprintf("<title>%d</title>%s item%d <script src=/app.js></script>", i, words(60), i)
			pages["/"] += fmt.Sprintf("<a href=%q>item</a>", path)
			pages[path], pages["/api"+path] = raw, c.made(raw)
		}
		b := &browser{}
		store, origin := crawlScripts(t, pages, b, crawl.Options{Concurrency: 8})
		if got := len(b.paths()); got != c.most {
			t.Errorf("%s: %d pages were rendered, want %d", name, got, c.most)
		}
		reasons := map[render.Reason]int{}
		for i := range 40 {
			reasons[pageAt(t, store, fmt.Sprintf("%s/item/%d", origin, i)).RenderReason]++
		}
		if reasons[render.ReasonNoLinks] != c.most || reasons[render.ReasonAddsNothing] != 40-c.most {
			t.Errorf("%s: %v", name, reasons)
		}
		// Another crawl decides the same about each page, whatever page is first.
		again := &crawl.MemoryStore{}
		second := &browser{}
		options := &crawl.Options{Start: origin + "/", Previous: store, Concurrency: 3,
			Renderer: second}
		if _, err := run(t, again, options); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.paths(), second.paths()) {
			t.Errorf("%s: the second crawl rendered %q, the first %q", name, second.paths(), b.paths())
		}
		again.Each(func(link crawl.Link, page *crawl.Page) {
			before := pageAt(t, store, link.URL)
			if page.Digest != before.Digest || page.RenderReason != before.RenderReason || page.LastMod != before.LastMod {
				t.Errorf("%s: %s differs: %+v, %+v", name, link.URL, page, before)
			}
		})
	}
}

// TestRenderStatic bounds how many pages of a site with text are rendered to find out.
func TestRenderStatic(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/": "<title>Home</title>"}
	for i := range 600 {
		path := fmt.Sprintf("/f%d/page", i) // each has a pattern of its own
		pages["/"] += fmt.Sprintf("<a href=%q>page</a>", path)
		pages[path] = fmt.Sprintf("<title>%d</title>%s page%d<script src=/a.js></script>", i, words(60), i)
		pages["/api"+path] = pages[path]
	}
	b := &browser{}
	store, origin := crawlScripts(t, pages, b, crawl.Options{})
	if got := len(b.paths()); got > 27 {
		t.Errorf("%d pages were rendered", got)
	}
	limited := 0
	store.Each(func(_ crawl.Link, page *crawl.Page) {
		if page.RenderReason == render.ReasonTrialLimit {
			limited++
			if page.Reason != crawl.ReasonListed || page.Digest == 0 {
				t.Errorf("page %d: %s", page.ID, page.Reason)
			}
		}
	})
	if limited < 500 {
		t.Errorf("%d pages of %s reached the limit", limited, origin)
	}
}

// everyPage matches every page.
var everyPage = regexp.MustCompile("")

// TestRenderPattern renders all pages, those of a pattern, those that need it, or a number of them.
func TestRenderPattern(t *testing.T) {
	t.Parallel()
	own := map[string]string{
		"/": article("Home", "/a", "/b/1", "/b/2"), "/a": article("A", "/"),
		"/b/1": article("B1", "/"), "/b/2": article("B2", "/"),
	}
	for name, c := range map[string]struct {
		pattern *regexp.Regexp
		want    []string
	}{
		"auto":    {nil, nil},
		"always":  {everyPage, []string{"/", "/a", "/b/1", "/b/2"}},
		"pattern": {regexp.MustCompile("^/b/"), []string{"/b/1", "/b/2"}},
		"limit":   {everyPage, []string{"/"}},
	} {
		b, pages := &browser{}, maps.Clone(own)
		options := crawl.Options{Concurrency: 1, RenderPattern: c.pattern}
		if name == "limit" {
			options.Limits.Render = 1
		}
		if name == "limit" {
			pages["/"] += `<a href="/shell">shell</a>`
			pages["/shell"] = "<h1>Shop</h1>" + shell
		}
		store, origin := crawlScripts(t, pages, b, options)
		if got := b.paths(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if name == "limit" {
			page, shell := pageAt(t, store, origin+"/a"), pageAt(t, store, origin+"/shell")
			if page.RenderReason != render.ReasonMaxRender || page.Rendered != nil || page.Digest == 0 {
				t.Errorf("limit: %s, %+v", page.RenderReason, page.Rendered)
			}
			if shell.Rendered.Ran() || shell.Rendered.Failure != crawl.DetailMaxRender || shell.Digest != 0 {
				t.Errorf("limit: %+v", shell.Rendered)
			}
		}
	}
}

// failure returns a request that failed with a cause.
func failure(address string, err error) *render.Error {
	return &render.Error{URL: address, Err: err}
}

var (
	errNoAnswer = errors.New("no answer arrived in time")
	errRefused  = &render.Refusal{Reason: "POST is not sent"}
	err404      = &render.StatusError{Status: 404}
	err500      = &render.StatusError{Status: 500}
)

// TestRenderFailures lists what the scripts of pages show, whatever failed. What may be there the next time leaves a
// page without a digest, and what is the same in every crawl does not.
func TestRenderFailures(t *testing.T) {
	t.Parallel()
	const menu = `<title>App</title><nav><a href="/">Home</a><a href="/behind">Behind</a></nav>`
	const inconclusive, counter = crawl.ReasonInconclusive, "https://counter.test"
	for name, c := range map[string]struct {
		shows   string // by the scripts of the page
		change  func(origin string, r *render.Result)
		failure crawl.Detail // code of Rendered.Failure
		lacks   bool
		digest  bool
		reason  crawl.Reason
	}{
		"nothing failed":         {shows: article("P"), digest: true},
		"late":                   {shows: article("P"), change: partial, digest: true},
		"late, few words":        {shows: `<title>P</title><main><h1>Studio</h1></main>`, change: partial, digest: true},
		"own POST":               {shows: article("P"), change: fails("", errRefused), lacks: true, digest: true},
		"own script":             {shows: article("P"), change: fails("", err404), lacks: true, digest: true},
		"own data":               {shows: article("P"), change: fails("", err500), lacks: true},
		"own data, few words":    {shows: menu + `<main><h1>Studio</h1></main>`, change: fails("", err500), lacks: true},
		"no answer":              {shows: article("P"), change: fails("", errNoAnswer), lacks: true},
		"of another site":        {shows: article("P"), change: fails(counter, err500), lacks: true, digest: true},
		"refused of another":     {shows: article("P"), change: fails(counter, errRefused), lacks: true, digest: true},
		"only a menu":            {shows: menu, digest: false},
		"only a menu, POST":      {shows: menu, change: fails("", errRefused), lacks: true},
		"only a menu, no answer": {shows: menu, change: fails("", errNoAnswer), lacks: true, reason: inconclusive},
		"only a menu, 500":       {shows: menu, change: fails("", err500), lacks: true, reason: inconclusive},
		"says that it is missing": {
			shows: `<title>Page not found</title><p>` + words(25), change: fails("", err500), lacks: true, reason: inconclusive,
		},
		"a picture":     {shows: menu + `<main><img src=a.png></main>`, change: fails("", err500), lacks: true},
		"nothing":       {shows: shell, failure: crawl.DetailRenderEmpty},
		"nothing late":  {shows: shell, change: partial, failure: crawl.DetailRenderPartial},
		"nothing, POST": {shows: shell, change: fails("", errRefused), failure: crawl.DetailRenderFailed},
		"nothing, script": {shows: shell, change: func(_ string, r *render.Result) { r.ScriptError = "x is not defined" },
			failure: crawl.DetailRenderScript},
		"nothing, script and tracker": {
			shows: shell, failure: crawl.DetailRenderScript,
			change: func(origin string, r *render.Result) {
				fails(counter, errRefused)(origin, r)
				r.ScriptError = "x is not defined"
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var origin string
			b := &browser{change: func(path string, r *render.Result) error {
				if path == "/page" && c.change != nil {
					c.change(origin, r)
				}
				return nil
			}}
			origin = serve(t, scriptSite(map[string]string{
				"/api/": article("Home", "/page"), "/api/page": c.shows, "/api/behind": article("Behind"),
			}))
			store := &crawl.MemoryStore{}
			options := renderOptions(origin, b)
			_, err := run(t, store, &options)
			if waits := (*crawl.UnrenderedError)(nil); errors.As(err, &waits) != (c.reason != "") {
				t.Fatal(err)
			}
			if strings.Contains(c.shows, "/behind") && pageAt(t, store, origin+"/behind").Title != "Behind" {
				t.Error("the links of the page are not followed")
			}
			if c.reason != "" { // the page waits, and the next run decides
				if _, _, found := store.Lookup(origin + "/page"); found {
					t.Error("the page is recorded")
				}
				if _, err := run(t, store, &options); err != nil {
					t.Fatal(err)
				}
			}
			page := pageAt(t, store, origin+"/page")
			rendered := page.Rendered
			if rendered.Failure.Code() != c.failure || (rendered.Lacking != "") != c.lacks || page.Reason != c.reason ||
				(page.Digest != 0) != c.digest {
				t.Errorf("%s %s, %+v, digest %d", page.Reason, page.Detail, rendered, page.Digest)
			}
			if c.reason != "" && !strings.Contains(page.Detail.String(), origin+"/data") {
				t.Errorf("the reason %q does not name the request", page.Detail)
			}
		})
	}
}

// renderOptions returns the options of a crawl that requests one page after the other.
func renderOptions(origin string, b *browser) crawl.Options {
	return crawl.Options{
		Start: origin + "/", Concurrency: 1, Renderer: b,
	}
}

func partial(_ string, r *render.Result) { r.Partial = true }

// fails adds a request that failed, of the site where origin is empty.
func fails(origin string, err error) func(string, *render.Result) {
	return func(own string, r *render.Result) {
		r.Failures = append(r.Failures, failure(cmp.Or(origin, own)+"/data?visit=1", err))
	}
}

// TestRenderWaits renders a page again that lacked its content: once more in the same run, then in the next one.
func TestRenderWaits(t *testing.T) {
	t.Parallel()
	const menu = `<title>App</title><nav><a href="/">Home</a></nav>`
	pages := map[string]string{"/api/": article("Home", "/page"), "/api/page": menu}
	origin := serve(t, scriptSite(pages))
	tries := 0
	b := &browser{change: func(path string, r *render.Result) error {
		if tries++; path == "/page" {
			fails("", err500)(origin, r)
		}
		return nil
	}}
	options := renderOptions(origin, b)
	store := &crawl.MemoryStore{}
	waits := (*crawl.UnrenderedError)(nil)
	progress, err := run(t, store, &options)
	if !errors.As(err, &waits) || waits.LacksBrowser() || progress.Waiting != 1 || store.Finished() {
		t.Fatalf("%v, %+v", err, progress)
	}
	if record, _, err := store.PageByURL(origin + "/page"); err != nil || record.Fetched ||
		!strings.Contains(record.Link.Detail.String(), origin+"/data: the answer has status 500") {
		t.Errorf("%v, %+v", err, record.Link)
	}
	b.change = nil
	pages["/api/page"] = article("Page")
	if _, err := run(t, store, &options); err != nil || !store.Finished() {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/page": ""})
	if record, _, _ := store.PageByURL(origin + "/page"); record.Link.Detail != "" || record.Page.Title != "Page" {
		t.Errorf("%+v", record)
	}
}

// TestRenderTolerates lists, in the second run, pages that lack a request without which others have content.
func TestRenderTolerates(t *testing.T) {
	t.Parallel()
	const menu = `<title>App</title><nav><a href="/">Home</a></nav>`
	origin := serve(t, scriptSite(map[string]string{
		"/api/": article("Home", "/menu", "/missing"), "/api/menu": menu,
		"/api/missing": `<title>Page not found</title><p>` + words(25),
	}))
	b := &browser{change: func(_ string, r *render.Result) error {
		fails("", err500)(origin, r)
		return nil
	}}
	options := renderOptions(origin, b)
	store := &crawl.MemoryStore{}
	waits := (*crawl.UnrenderedError)(nil)
	if _, err := run(t, store, &options); !errors.As(err, &waits) {
		t.Fatal(err)
	}
	if got := decisions(store, origin); !strings.HasPrefix(string(got["/menu"]), "waiting: ") {
		t.Errorf("first %q", got)
	}
	if _, err := run(t, store, &options); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{
		"/": "", "/menu": "", "/missing": "soft-404: its scripts show “page not found”",
	})
}

// TestRenderEdits finds the edit of a page that lacks what it lacks in every crawl, and no edit in a page that lacked
// something for a while.
func TestRenderEdits(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/api/": article("Home", "/a", "/b"), "/api/a": article("A"), "/api/b": article("B")}
	origin := serve(t, scriptSite(pages))
	outage := false
	crawlAgain := func(previous crawl.Previous) *crawl.MemoryStore {
		store := &crawl.MemoryStore{}
		b := &browser{change: func(path string, r *render.Result) error {
			fails("", errRefused)(origin, r)
			fails("", err404)(origin, r)
			if path == "/b" && outage {
				fails("", err500)(origin, r)
			}
			return nil
		}}
		_, err := run(t, store, &crawl.Options{Start: origin + "/", Previous: previous, Concurrency: 1,
			Renderer: b})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	first := crawlAgain(nil)
	pages["/api/a"] = article("A") + "<p>an edit"
	outage = true
	second := crawlAgain(first)
	if page := pageAt(t, second, origin+"/a"); page.LastModSource != crawl.LastModContent || page.Digest == 0 {
		t.Errorf("edited: %+v", page)
	}
	if page := pageAt(t, second, origin+"/b"); page.Digest != 0 || !page.LastMod.IsZero() || !page.Rendered.InDoubt() {
		t.Errorf("in doubt: %+v", page)
	}
	outage = false
	third := crawlAgain(second)
	if page := pageAt(t, third, origin+"/b"); !page.LastMod.IsZero() || page.Digest == 0 {
		t.Errorf("complete again: %+v", page)
	}
	if page := pageAt(t, third, origin+"/a"); page.LastMod != pageAt(t, second, origin+"/a").LastMod {
		t.Errorf("unchanged: %+v", page)
	}
}

// TestRenderCrash records a page that the browser cannot render as it was sent.
func TestRenderCrash(t *testing.T) {
	t.Parallel()
	b := &browser{change: func(path string, _ *render.Result) error {
		if path == "/a" {
			return errors.New("the page crashed")
		}
		return nil
	}}
	store, origin := crawlScripts(t, map[string]string{"/api/": article("Home", "/a", "/b"), "/api/b": article("B")}, b,
		crawl.Options{Concurrency: 1})
	page := pageAt(t, store, origin+"/a")
	if page.Rendered.Failure != crawl.NewDetail(crawl.DetailRenderError, "the page crashed") || page.Title != "App" ||
		page.Digest != 0 || pageAt(t, store, origin+"/b").Title != "B" {
		t.Errorf("%+v", page)
	}
}

// TestRenderEnds ends the crawl when the browser fails whatever the page. The next run goes on.
func TestRenderEnds(t *testing.T) {
	t.Parallel()
	origin := serve(t, scriptSite(map[string]string{
		"/api/": article("Home", "/a", "/b", "/static"), "/api/a": article("A", "/"), "/api/b": article("B", "/"),
		"/static": article("Static", "/"),
	}))
	b := &browser{change: func(path string, _ *render.Result) error {
		if path == "/a" {
			return fmt.Errorf("it ended: %w", render.ErrNoRenderer)
		}
		return nil
	}}
	store := &crawl.MemoryStore{}
	options := renderOptions(origin, b)
	waits := (*crawl.UnrenderedError)(nil)
	_, err := run(t, store, &options)
	if !errors.As(err, &waits) || !waits.LacksBrowser() || !strings.Contains(err.Error(), "it ended") || store.Finished() {
		t.Fatal(err)
	}
	if got := b.paths(); !slices.Equal(got, []string{"/", "/a"}) {
		t.Errorf("rendered %q", got)
	}
	options.Renderer = &browser{}
	if _, err := run(t, store, &options); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/a": "", "/b": "", "/static": ""})
}

// TestRenderResume continues a crawl that was stopped while a page was rendered.
func TestRenderResume(t *testing.T) {
	t.Parallel()
	origin := serve(t, scriptSite(map[string]string{
		"/api/": article("Home", "/a", "/b"), "/api/a": article("A", "/"), "/api/b": article("B", "/"),
	}))
	ctx, cancel := context.WithCancel(t.Context())
	b := &browser{change: func(path string, _ *render.Result) error {
		if path == "/a" {
			cancel()
		}
		return ctx.Err()
	}}
	store := &crawl.MemoryStore{}
	options := crawl.Options{Start: origin + "/", Access: access.Access{Rate: access.PerSecond(0)}, Concurrency: 1,
		Renderer: b}
	if _, err := crawl.Run(ctx, store, &options); !errors.Is(err, crawl.ErrStopped) {
		t.Fatal(err)
	}
	if _, _, found := store.Lookup(origin + "/a"); found {
		t.Fatal("the page was recorded")
	}
	options.Renderer = &browser{}
	progress, err := run(t, store, &options)
	if err != nil || progress.Rendered != 3 {
		t.Fatalf("%v, %d pages were rendered", err, progress.Rendered)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/a": "", "/b": ""})
}

// TestRenderPrevious renders a page again although its shell is unchanged, and takes a content
// date only from another rendered page.
func TestRenderPrevious(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/api/": article("Home", "/a"), "/api/a": article("A", "/"), "/static": article("S", "/")}
	pages["/api/"] = article("Home", "/a", "/static")
	conditional := 0
	site := scriptSite(pages)
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api") {
			site.ServeHTTP(w, r)
			return
		}
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			conditional++
			w.WriteHeader(http.StatusNotModified)
			return
		}
		site.ServeHTTP(w, r)
	}))
	crawlAgain := func(previous crawl.Previous, browser render.Renderer) *crawl.MemoryStore {
		store := &crawl.MemoryStore{}
		_, err := run(t, store, &crawl.Options{Start: origin + "/", Previous: previous, Concurrency: 1,
			Renderer: browser})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	raw := crawlAgain(nil, nil)
	first := crawlAgain(raw, &browser{})
	if page := pageAt(t, first, origin+"/a"); !page.LastMod.IsZero() || page.Title != "A" {
		t.Errorf("rendered for the first time: %+v", page)
	}
	second := crawlAgain(first, &browser{})
	compare(t, decisions(second, origin), decisions(first, origin))
	if conditional != 1 {
		t.Errorf("%d conditional requests, want that of the page with text", conditional)
	}
	pages["/api/a"] = article("Changed", "/")
	third := crawlAgain(second, &browser{})
	if page := pageAt(t, third, origin+"/a"); page.LastModSource != crawl.LastModContent {
		t.Errorf("changed: %s by %q", page.LastMod, page.LastModSource)
	}
}

// TestRenderTransport sends what a page may request, and nothing else.
func TestRenderTransport(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	seen := map[string]http.Header{}
	other := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		seen["other"+r.URL.Path] = r.Header.Clone()
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, "User-agent: *\nDisallow: /private")
			return
		}
		io.WriteString(w, "data")
	}))
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		seen[r.URL.Path] = r.Header.Clone()
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /forbidden")
		case "/long.js":
			w.Write(make([]byte, 10<<20+1))
		default:
			io.WriteString(w, shell)
		}
	}))
	answers := map[string]string{}
	b := renderFunc(func(
		ctx context.Context, page render.Page, transport render.Transport,
	) (*render.Result, error) {
		for _, one := range []struct {
			name, method, url string
			isFrame           bool
		}{
			{"script", "GET", origin + "/app.js", false},
			{"forbidden", "GET", origin + "/forbidden.js", false},
			{"long", "GET", origin + "/long.js", false},
			{"post", "POST", origin + "/api", false},
			{"preflight", "OPTIONS", origin + "/preflight", false},
			{"forbidden preflight", "OPTIONS", origin + "/forbidden.json", false},
			{"other page", "GET", origin + "/other-page", false},
			{"other", "GET", other + "/data", false},
			{"other forbidden", "GET", other + "/private", false},
			{"other frame", "GET", other + "/frame", true},
			{"frame", "GET", origin + "/frame", true},
			{"excluded frame", "GET", origin + "/excluded/frame", true},
			{"excluded script", "GET", origin + "/excluded/a.js", false},
		} {
			answers[one.name] = "sent"
			ctx := ctx
			if one.name != "other page" {
				ctx = render.WithCredentials(ctx)
			}
			if _, err := get(ctx, transport, one.method, one.url, one.isFrame); err != nil {
				answers[one.name] = err.Error()
			}
		}
		return &render.Result{HTML: page.Body, URL: page.URL}, nil
	})
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: origin + "/", Renderer: b, RenderPattern: everyPage,
		Scope:  crawl.Scope{Exclude: patterns("^/excluded/")},
		Access: access.Access{Headers: map[string]http.Header{origin: {"Authorization": {"token"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"script": "sent", "other": "sent", "frame": "sent", "excluded script": "sent", "preflight": "sent",
		"other page": "sent", "forbidden preflight": "disallow", "forbidden": "disallow",
		"other forbidden": "disallow", "long": "longer than 10 MB", "post": "the method is POST",
		"other frame": "a frame of another site", "excluded frame": "excluded",
	} {
		if !strings.Contains(strings.ToLower(answers[name]), strings.ToLower(want)) {
			t.Errorf("%s: %q, want %q", name, answers[name], want)
		}
	}
	got := seen["/app.js"]
	if got.Get("Authorization") != "token" || got.Get("Cookie") != "" || got.Get("User-Agent") == "" {
		t.Errorf("script: %v", got)
	}
	for _, path := range []string{"/preflight", "/other-page"} {
		if got := seen[path]; got == nil || got.Get("Authorization") != "" || got.Get("User-Agent") == "" {
			t.Errorf("%s: %v", path, got)
		}
	}
	if got := seen["other/data"]; got == nil || got.Get("Authorization") != "" || got.Get("Cookie") != "" {
		t.Errorf("other site: %v", got)
	}
	for _, path := range []string{"/forbidden.js", "/excluded/frame", "other/private", "other/frame"} {
		if _, found := seen[path]; found {
			t.Errorf("%s was requested: %v", path, slices.Sorted(maps.Keys(seen)))
		}
	}
}

// renderFunc is a function that renders.
type renderFunc func(context.Context, render.Page, render.Transport) (*render.Result, error)

func (f renderFunc) Render(
	ctx context.Context, page render.Page, transport render.Transport,
) (*render.Result, error) {
	return f(ctx, page, transport)
}

// TestRenderPrivate refuses the scripts of a public site this machine and private networks.
func TestRenderPrivate(t *testing.T) {
	t.Parallel()
	reached := false
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer private.Close()
	refused := 0
	b := renderFunc(func(
		ctx context.Context, page render.Page, transport render.Transport,
	) (*render.Result, error) {
		for _, address := range []string{private.URL + "/", strings.Replace(private.URL, "127.0.0.1", "localhost", 1) + "/"} {
			if _, err := get(ctx, transport, "GET", address, false); err != nil {
				refused++
			}
		}
		return &render.Result{HTML: page.Body, URL: page.URL}, nil
	})
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: "http://site.example/", Local: crawl.Local{Transport: inProcess{scriptSite(nil)}},
		Renderer: b, RenderPattern: everyPage,
	})
	if err != nil || refused != 2 || reached {
		t.Errorf("%v, %d refused, reached: %t", err, refused, reached)
	}
}

// TestRenderBaseURL renders the copy of a site under its own address, and records public URLs.
func TestRenderBaseURL(t *testing.T) {
	t.Parallel()
	origin := serve(t, scriptSite(map[string]string{
		"/api/": article("Home", "/a", "https://www.site.example/b"), "/api/a": article("A"), "/api/b": article("B"),
	}))
	b := &browser{}
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{Start: origin + "/", BaseURL: "https://www.site.example/",
		Renderer: b})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, "https://www.site.example"), map[string]decision{"/": "", "/a": "", "/b": ""})
	if got := b.paths(); !slices.Equal(got, []string{"/", "/a", "/b"}) {
		t.Errorf("rendered %q", got)
	}
}
