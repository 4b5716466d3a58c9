package testsite

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

func newScriptSite(t *testing.T, o ScriptOptions) *ScriptSite {
	t.Helper()
	site, err := NewScriptSite(o)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// TestScriptSiteTruth follows the links of the API and compares its pages with the truth.
func TestScriptSiteTruth(t *testing.T) {
	for _, options := range []ScriptOptions{{Topics: 1}, {Topics: 16}, {Topics: 2, Trouble: true}} {
		site := newScriptSite(t, options)
		truth, listed := map[string]Route{}, 0
		for _, route := range site.Truth() {
			if _, twice := truth[route.Path]; twice {
				t.Errorf("%s is twice in the truth", route.Path)
			}
			truth[route.Path] = route
			if route.Reason == "" {
				listed++
			}
		}
		if want := 31*options.Topics + ScriptPages; listed != want {
			t.Errorf("%d routes are listed, want %d", listed, want)
		}
		found := []string{"/", "/about", "/help", "/start", "/welcome"} // the menu, and where it leads
		for i := 0; i < len(found); i++ {
			want, known := truth[found[i]]
			if !known {
				t.Errorf("%s is linked, but not in the truth", found[i])
			}
			page, status := getScriptPage(t, site, found[i])
			if missing := want.Reason == "soft-404" || want.Reason == "redirect"; missing != (status == http.StatusNotFound) {
				t.Errorf("%s: the API answers %d, reason %q", found[i], status, want.Reason)
			} else if missing {
				continue
			}
			got := Route{Path: found[i], Title: page.Title, Canonical: page.Canonical, LastMod: page.Modified,
				Reason: page.Robots}
			if got.Reason == "" && got.Canonical != got.Path {
				got.Reason = "canonical"
			}
			if got != want {
				t.Errorf("the API has %+v, want %+v", got, want)
			}
			for _, link := range page.Links {
				if !slices.Contains(found, link.Path) {
					found = append(found, link.Path)
				}
			}
		}
		if len(found) != len(truth) {
			t.Errorf("links lead to %d routes, the truth has %d", len(found), len(truth))
		}
	}
}

// getScriptPage requests the content of a route as the application does.
func getScriptPage(t *testing.T, site *ScriptSite, route string) (page scriptPage, status int) {
	t.Helper()
	name, query, hasQuery := strings.Cut(route, "?")
	if name == "/" {
		name = "/index"
	}
	if hasQuery {
		query = "?" + query
	}
	recorder := get(t, site, "/api/pages"+name+".json"+query)
	if err := json.Unmarshal(recorder.Body.Bytes(), &page); err != nil {
		t.Errorf("%s: %v", route, err)
	}
	return page, recorder.Code
}

func TestScriptSite(t *testing.T) {
	built := fstest.MapFS{
		"index.html":       {Data: []byte("<head></head><app-root></app-root>")},
		"assets/main-1.js": {Data: []byte("built()")},
	}
	for _, test := range []struct {
		options ScriptOptions
		target  string
		status  int
		part    string
	}{
		{ScriptOptions{}, "/", 200, `src="/eager.js"`},
		{ScriptOptions{}, "/index.html", 200, `<div id="app"></div>`},
		{ScriptOptions{}, "/anything/at/all?x=1", 200, `<html lang="en">`},
		{ScriptOptions{}, "/not-found", 200, `<div id="app"></div>`},
		{ScriptOptions{}, "/robots.txt", 200, "Disallow:\n"},
		{ScriptOptions{}, "/eager.js", 200, `from "/article.js"`},
		{ScriptOptions{}, "/api/pages/index.json", 200, "Notes about things"},
		{ScriptOptions{}, "/api/pages/nowhere.json", 404, "error"},
		{ScriptOptions{}, "/api/index.json", 404, "error"},
		{ScriptOptions{Lazy: true}, "/", 200, `src="/lazy.js"`},
		{ScriptOptions{NotFoundRoute: true}, "/about", 200, `<html lang="en" data-not-found-route>`},
		{ScriptOptions{NotFoundRoute: true}, "/not-found", 404, `<div id="app"></div>`},
		{ScriptOptions{App: built}, "/about", 200, "<app-root></app-root>"},
		{ScriptOptions{App: built}, "/assets", 200, "<app-root></app-root>"},
		{ScriptOptions{App: built}, "/assets/main-1.js", 200, "built()"},
		{ScriptOptions{App: built}, "/eager.js", 200, "<app-root></app-root>"},
		{ScriptOptions{App: built}, "/missing.js", 200, "<head></head><app-root></app-root>"},
		{ScriptOptions{}, "/api/recommendations", 404, "error"},
		{ScriptOptions{Trouble: true}, "/", 200, "<head>" + trouble + "\n<meta"},
		{ScriptOptions{Trouble: true}, "/missing.js", 404, "not found"},
		{ScriptOptions{Trouble: true}, "/api/recommendations", 500, "error"},
		{ScriptOptions{Trouble: true}, "/eager.js", 200, `from "/article.js"`},
		{ScriptOptions{Trouble: true, App: built}, "/about", 200, "<head>" + trouble + "</head><app-root></app-root>"},
		{ScriptOptions{Trouble: true, App: built}, "/missing.js", 404, "not found"},
		{ScriptOptions{Trouble: true, App: built}, "/assets/main-1.js", 200, "built()"},
	} {
		test.options.Topics = 1
		site := newScriptSite(t, test.options)
		recorder := get(t, site, test.target)
		if body := recorder.Body.String(); recorder.Code != test.status || !strings.Contains(body, test.part) {
			t.Errorf("%+v: %s: status %d, want %d with %q in %q",
				test.options, test.target, recorder.Code, test.status, test.part, body)
		}
		if site.Requests()[test.target] != 1 {
			t.Errorf("%s is not counted in %v", test.target, site.Requests())
		}
	}
	if _, err := NewScriptSite(ScriptOptions{App: fstest.MapFS{}}); err == nil {
		t.Error("an application without a shell makes a site")
	}
	headless := fstest.MapFS{"index.html": {Data: []byte("<app-root></app-root>")}}
	if _, err := NewScriptSite(ScriptOptions{Trouble: true, App: headless}); err == nil {
		t.Error("a shell without a head makes a site with trouble")
	}
}

// TestScriptSiteShortHome checks that the home page has under 20 words only with Trouble.
func TestScriptSiteShortHome(t *testing.T) {
	for _, short := range []bool{false, true} {
		site := newScriptSite(t, ScriptOptions{Topics: 2, Trouble: short})
		home, _ := getScriptPage(t, site, "/")
		text := home.Title + " " + strings.Join(home.Paragraphs, " ")
		for _, link := range home.Links {
			text += " " + link.Text
		}
		if words := len(strings.Fields(text)); short != (words < 20) {
			t.Errorf("trouble %t: the home page has %d words", short, words)
		}
		if home.Paragraphs == nil || len(home.Links) != 2 {
			t.Errorf("trouble %t: applications cannot show %+v", short, home)
		}
	}
}

func TestScriptSiteRefusesPost(t *testing.T) {
	site := newScriptSite(t, ScriptOptions{Topics: 1, Trouble: true})
	recorder := httptest.NewRecorder()
	site.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/collect", strings.NewReader("{}")))
	if recorder.Code != http.StatusMethodNotAllowed || site.Requests()["/collect"] != 1 {
		t.Errorf("status %d, requests %v", recorder.Code, site.Requests())
	}
}

func TestScriptSiteEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newScriptSite(t, ScriptOptions{Topics: 1, Trouble: true})
		const stay = 2*eventPause + eventPause/2
		client, leave := context.WithTimeout(t.Context(), stay)
		defer leave()
		start, recorder := time.Now(), httptest.NewRecorder()
		site.ServeHTTP(recorder, httptest.NewRequestWithContext(client, http.MethodGet, "/events", nil))
		if took := time.Since(start); took != stay {
			t.Errorf("the stream ends after %s, the client leaves after %s", took, stay)
		}
		const events = "data: 1\n\ndata: 2\n\ndata: 3\n\n"
		if kind := recorder.Header().Get("Content-Type"); kind != "text/event-stream" || !recorder.Flushed ||
			recorder.Body.String() != events {
			t.Errorf("%s %q, flushed %t, want %q", kind, recorder.Body, recorder.Flushed, events)
		}
	})
}

func TestScriptSiteDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newScriptSite(t, ScriptOptions{Topics: 1, Delay: time.Second})
		for target, slow := range map[string]bool{
			"/": false, "/eager.js": false, "/api/pages/index.json": true, "/api/pages/help.json": true,
		} {
			start := time.Now()
			get(t, site, target)
			if took := time.Since(start); slow != (took >= time.Second) || took > 2*time.Second {
				t.Errorf("%s takes %s", target, took)
			}
		}
	})
}
