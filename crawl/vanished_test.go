package crawl_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// hangs is the status of a changingSite that does not answer.
const hangs = -1

// changingSite is a site that changes, and counts the requests.
type changingSite struct {
	mutex    sync.Mutex
	now      http.Handler
	requests map[string]int
	failing  map[string]int // how many further requests for a path fail
	status   int            // by which they fail; 0 drops the connection, and hangs does not answer
	on       map[string]func()
}

func (s *changingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	if s.requests == nil {
		s.requests = map[string]int{}
	}
	s.requests[r.URL.Path]++
	fails, on, now, status := s.failing[r.URL.Path] > 0, s.on[r.URL.Path], s.now, s.status
	s.failing[r.URL.Path]--
	s.mutex.Unlock()
	switch {
	case on != nil:
		on()
	case fails && status == 0:
		panic(http.ErrAbortHandler)
	case fails && status == hangs:
		<-r.Context().Done()
		return
	case fails:
		w.WriteHeader(status)
		return
	}
	now.ServeHTTP(w, r)
}

// change serves another site from now on, and forgets the requests.
func (s *changingSite) change(now http.Handler) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.now, s.requests, s.failing = now, nil, map[string]int{}
}

// fail lets the next requests for a path fail.
func (s *changingSite) fail(path string, times, status int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failing, s.status = map[string]int{path: times}, status
}

// at calls a function with every request for a path; nil ends that.
func (s *changingSite) at(path string, call func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.on = map[string]func(){path: call}
}

// takeRequests returns the requests for pages since the last change.
func (s *changingSite) takeRequests() map[string]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	taken := maps.Clone(s.requests)
	maps.DeleteFunc(taken, func(path string, _ int) bool { return missingProbe.MatchString(path) })
	s.requests = nil
	return taken
}

const (
	siteBefore = `
-- / --
<title>Home</title><p>home</p> <a href="/kept">x</a> <a href="/gone">x</a> <a href="/gone-for-good">x</a> <a href="/moved">x</a>
<a href="/moved-twice">x</a> <a href="/moved-away">x</a> <a href="/hidden">x</a> <a href="/named">x</a>
<a href="/unlinked">x</a> <a href="/blocked">x</a> <a href="/private/a">x</a> <a href="/refused">x</a> <a href="/nofollow">x</a>
-- /kept --
<title>Kept</title><p>kept</p>
-- /gone --
<title>Gone</title><p>gone</p>
-- /gone-for-good --
<title>Gone for good</title><p>gone for good</p>
-- /moved --
<title>Moved</title><p>moved</p>
-- /moved-twice --
<title>Moved twice</title><p>moved twice</p>
-- /moved-away --
<title>Moved away</title><p>moved away</p>
-- /hidden --
<title>Hidden</title><p>hidden</p>
-- /named --
<title>Named</title><p>named</p>
-- /unlinked --
<title>Unlinked</title><p>unlinked</p><a href="/below">x</a>
-- /below --
<title>Below</title><p>below</p>
-- /blocked --
<title>Blocked</title><p>blocked</p>
-- /private/a --
<title>Private</title><p>private</p>
-- /refused --
<title>Refused</title><p>refused</p>
-- /nofollow --
<title>Nofollow</title><p>nofollow</p>
`
	siteAfter = `
-- / --
<title>Home</title><p>home</p> <a href="/kept">x</a> <a href="/nofollow" rel="nofollow">x</a>
-- /robots.txt --
User-agent: *
Disallow: /blocked
-- /kept --
<title>Kept</title><p>kept</p>
-- /gone-for-good --
HTTP 410
-- /moved --
HTTP 301
Location: /kept
-- /moved-twice --
HTTP 301
Location: /between
-- /between --
HTTP 301
Location: /new-place
-- /new-place --
<title>New place</title><p>new</p><a href="/never">x</a>
-- /moved-away --
HTTP 302
Location: https://elsewhere.example/
-- /hidden --
<title>Hidden</title><meta name="robots" content="noindex"><p>hidden</p>
-- /named --
<title>Named</title><link rel="canonical" href="/kept"><p>named</p>
-- /unlinked --
<title>Unlinked</title><p>unlinked</p><a href="/below">x</a> <a href="/never">x</a>
-- /below --
<title>Below</title><p>below</p>
-- /refused --
HTTP 403
`
)

// crawledBefore serves a site, and returns its first crawl.
func crawledBefore(t *testing.T) (site *changingSite, origin string, first *crawl.MemoryStore) {
	t.Helper()
	site = &changingSite{}
	site.change(parse(t, siteBefore))
	origin, first = serve(t, site), &crawl.MemoryStore{}
	if _, err := run(t, first, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	return site, origin, first
}

// TestVanished asks the pages of an earlier crawl that nothing leads to any more, each once.
func TestVanished(t *testing.T) {
	t.Parallel()
	site, origin, first := crawledBefore(t)
	before := site.takeRequests()
	unchanged := &crawl.MemoryStore{}
	if _, err := run(t, unchanged, &crawl.Options{Start: origin, Previous: first}); err != nil {
		t.Fatal(err)
	}
	if again := site.takeRequests(); !maps.Equal(again, before) {
		t.Errorf("the site has not changed, and was asked for %v after %v", again, before)
	}
	site.change(parse(t, siteAfter))
	second := &crawl.MemoryStore{}
	progress, err := run(t, second, &crawl.Options{
		Start: origin, Previous: unchanged, Scope: crawl.Scope{Exclude: patterns("^/private/")},
	})
	if err != nil || progress.Pages != 2 || progress.Broken != 0 || progress.Redirects != 0 || progress.Blocked != 0 {
		t.Errorf("%+v, %v", progress, err)
	}
	compare(t, decisions(second, origin), map[string]decision{
		"/":                          "",
		"/kept":                      "",
		"/nofollow":                  "nofollow",
		"/gone":                      "client-error: Not Found",
		"/gone-for-good":             "client-error: Gone",
		"/moved":                     "redirect: /kept",
		"/moved-twice":               "redirect: /between",
		"/between":                   "redirect: /new-place",
		"/new-place":                 "unlinked",
		"/moved-away":                "redirect: https://elsewhere.example/",
		"https://elsewhere.example/": "out-of-scope: another site",
		"/hidden":                    "noindex: meta robots",
		"/named":                     "canonical: link element",
		"/unlinked":                  "unlinked",
		"/below":                     "unlinked",
		"/blocked":                   "robots: disallowed by line 2: Disallow: /blocked",
		"/private/a":                 "excluded: ^/private/",
		"/refused":                   "inconclusive: Forbidden",
	})
	checkVanished(t, second, origin)
	for path, times := range site.takeRequests() {
		if times > 1 && path != "/" { // which has changed, and is looked at again
			t.Errorf("%s was requested %d times", path, times)
		}
	}
	if _, err := run(t, &crawl.MemoryStore{}, &crawl.Options{Start: origin, Previous: second}); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"/robots.txt": 1, "/": 1, "/kept": 1}
	if got := site.takeRequests(); !maps.Equal(got, want) {
		t.Errorf("the next crawl asked for %v", got)
	}
}

// checkVanished checks that URLs which only an earlier crawl names are not counted, have no links, and their targets.
func checkVanished(t *testing.T, store *crawl.MemoryStore, origin string) {
	t.Helper()
	summary, err := store.Summary(t.Context())
	want := map[crawl.Reason]int64{crawl.ReasonListed: 2, crawl.ReasonNofollow: 1, crawl.ReasonUnlinked: 3}
	if err != nil || !maps.Equal(summary.Reasons, want) || summary.Pages != 2 || !summary.Complete() {
		t.Errorf("%+v, %v", summary, err)
	}
	targets := map[string]string{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		path := strings.TrimPrefix(link.URL, origin)
		isKnown := slices.Contains([]string{"/", "/kept", "/nofollow"}, path)
		if link.OnlyEarlier() == isKnown {
			t.Errorf("%s is named by %d", path, link.SeededBy)
		}
		if page != nil && !isKnown && len(page.Links)+len(page.Anchors) > 0 {
			t.Errorf("%s has links", path)
		}
		if page, _, _ := store.Page(link.ID); page.Page.Target != 0 {
			target, err := store.Link(page.Page.Target)
			if err != nil {
				t.Fatal(err)
			}
			targets[path] = strings.TrimPrefix(target.URL, origin)
		}
	})
	if want := map[string]string{
		"/moved": "/kept", "/moved-twice": "/between", "/between": "/new-place", "/named": "/kept",
		"/moved-away": "https://elsewhere.example/",
	}; !maps.Equal(targets, want) {
		t.Errorf("targets are %v", targets)
	}
}

// TestVanishedLimits asks no more than the limits of the crawl allow, and nothing where a limit hides a part of the
// site. The crawl is as complete as it was.
func TestVanishedLimits(t *testing.T) {
	t.Parallel()
	site, origin, first := crawledBefore(t)
	for name, test := range map[string]struct {
		limits crawl.Limits
		site   string
		want   int // URLs that only the earlier crawl names
		limit  string
	}{
		"no limit":                  {crawl.Limits{}, siteAfter, 15, crawl.LimitNone},
		"some pages left":           {crawl.Limits{Pages: 4}, siteAfter, 2, crawl.LimitNone},
		"no page left":              {crawl.Limits{Pages: 2}, siteAfter, 0, crawl.LimitNone},
		"beyond the limit of pages": {crawl.Limits{Pages: 1}, siteAfter, 0, crawl.LimitPages},
		"beyond the depth":          {crawl.Limits{Depth: 1}, siteBefore, 0, crawl.LimitNone},
		"bytes":                     {crawl.Limits{Bytes: 1}, siteAfter, 0, crawl.LimitBytes},
	} {
		site.change(parse(t, test.site))
		second := &crawl.MemoryStore{}
		progress, err := run(t, second, &crawl.Options{Start: origin, Previous: first, Limits: test.limits})
		asked := 0
		second.Each(func(link crawl.Link, _ *crawl.Page) {
			if link.OnlyEarlier() {
				asked++
			}
		})
		if err != nil || !second.Finished() || progress.Limit != test.limit || asked != test.want {
			t.Errorf("%s: %d are asked; %+v, %v", name, asked, progress, err)
		}
	}
}

// TestVanishedTime reaches the limit of the time while an old URL does not answer: the crawl is complete.
func TestVanishedTime(t *testing.T) {
	t.Parallel()
	site := &changingSite{}
	site.change(parse(t, siteBefore))
	inBubble(t, site, func(t *testing.T, a access.Access) {
		first, second := &crawl.MemoryStore{}, &crawl.MemoryStore{}
		if _, err := run(t, first, &crawl.Options{Start: pipeOrigin, Access: a}); err != nil {
			t.Fatal(err)
		}
		site.change(parse(t, siteAfter))
		site.fail("/below", 9, hangs)
		progress, err := run(t, second, &crawl.Options{
			Start: pipeOrigin, Access: a, Previous: first, Limits: crawl.Limits{Time: 5 * time.Second},
		})
		if err != nil || progress.Limit != crawl.LimitNone || !second.Finished() {
			t.Errorf("%+v, %v", progress, err)
		}
		if got := decisions(second, pipeOrigin); got["/below"] != "waiting" || got["/unlinked"] != "unlinked" {
			t.Errorf("%q and %q", got["/below"], got["/unlinked"])
		}
	})
}

// TestFailedOnce requests a page that the earlier crawl got, and that fails now, once more when all else is done.
func TestFailedOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path   string
		status int // as in changingSite
		times  int
		want   decision
		asked  int // how often
	}{
		"passes":                    {"/unlinked", 500, 1, "", 2},
		"stays":                     {"/unlinked", 500, 9, "server-error: Internal Server Error", 2},
		"hangs":                     {"/unlinked", hangs, 1, "", 2},
		"fails already before":      {"/missing", 500, 9, "server-error: Internal Server Error", 1},
		"hangs already before":      {"/missing", hangs, 9, "unreachable: no answer in time", 1},
		"passes, of the old ones":   {"/below", 500, 1, "unlinked", 2},
		"stays, of the old ones":    {"/below", 500, 9, "server-error: Internal Server Error", 2},
		"is overloaded, of the old": {"/below", 503, 1, "unlinked", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := &changingSite{}
			site.change(parse(t, `
-- / --
<title>Home</title><p>home</p> <a href="/unlinked">x</a> <a href="/missing">x</a> <a href="/below">x</a>
-- /unlinked --
<title>Linked</title><p>linked</p> <a href="/deep">x</a>
-- /below --
<title>Below</title><p>below</p>
-- /deep --
<title>Deep</title><p>deep</p>
`))
			inBubble(t, site, func(t *testing.T, a access.Access) {
				first, second := &crawl.MemoryStore{}, &crawl.MemoryStore{}
				if _, err := run(t, first, &crawl.Options{Start: pipeOrigin, Access: a}); err != nil {
					t.Fatal(err)
				}
				site.change(parse(t, `
-- / --
<title>Home</title><p>home</p> <a href="/unlinked">x</a> <a href="/missing">x</a>
-- /unlinked --
<title>Linked</title><p>linked</p> <a href="/deep">x</a>
-- /below --
<title>Below</title><p>below</p>
-- /deep --
<title>Deep</title><p>deep</p>
`))
				site.fail(test.path, test.times, test.status)
				if _, err := run(t, second, &crawl.Options{Start: pipeOrigin, Access: a, Previous: first}); err != nil {
					t.Fatal(err)
				}
				if asked := site.takeRequests()[test.path]; asked != test.asked {
					t.Errorf("%d requests", asked)
				}
				got := decisions(second, pipeOrigin)
				if got[test.path] != test.want {
					t.Errorf("%q, want %q", got[test.path], test.want)
				}
				if want := decision(map[bool]string{true: "", false: "unlinked"}[got["/unlinked"] == ""]); got["/deep"] != want {
					t.Errorf("a page below is %q, want %q", got["/deep"], want)
				}
			})
		})
	}
}

// TestVanishedInterrupted stops a crawl while it asks for old URLs, and continues it.
func TestVanishedInterrupted(t *testing.T) {
	t.Parallel()
	site := &changingSite{}
	site.change(parse(t, siteBefore))
	origin, first, want := serve(t, site), &crawl.MemoryStore{}, &crawl.MemoryStore{}
	if _, err := run(t, first, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	site.change(parse(t, siteAfter))
	options := &crawl.Options{Start: origin, Previous: first, Concurrency: 1}
	if _, err := run(t, want, options); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/gone", "/moved-twice", "/between", "/refused"} {
		ctx, cancel := context.WithCancel(t.Context())
		site.at(path, cancel)
		second, stopped := &crawl.MemoryStore{}, *options
		stopped.Access.Rate = access.PerSecond(0)
		if _, err := crawl.Run(ctx, second, &stopped); !errors.Is(err, crawl.ErrStopped) {
			t.Fatal(err)
		}
		site.at(path, nil)
		progress, err := run(t, second, options)
		if err != nil || !second.Finished() || progress.Pages != 2 {
			t.Errorf("%+v, %v", progress, err)
		}
		compare(t, decisions(second, origin), decisions(want, origin))
		second.Each(func(link crawl.Link, _ *crawl.Page) {
			expected, _, err := want.PageByURL(link.URL)
			if err != nil || link.SeededBy != expected.Link.SeededBy {
				t.Errorf("%s is named by %d, want %d", link.URL, link.SeededBy, expected.Link.SeededBy)
			}
		})
		cancel()
	}
}
