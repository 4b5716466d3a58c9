package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

const readPassword = "incorrect horse battery"

// withReaders is withLogin for people who may only look, too.
func withReaders(o *Options, s *service.Options) {
	withLogin(o, s)
	o.ReadPassword = readPassword
}

// logInAs returns the headers of a browser that has logged in.
func (s *site) logInAs(password string, before ...string) []string {
	s.t.Helper()
	header := append([]string{"Content-Type", "application/x-www-form-urlencoded", "Origin", ownOrigin}, before...)
	answer, _ := s.do("POST", "/login", url.Values{"password": {password}}.Encode(), header...)
	cookies := answer.Cookies()
	if answer.StatusCode != http.StatusSeeOther || len(cookies) != 1 {
		s.t.Fatalf("log in: %d, %v", answer.StatusCode, cookies)
	}
	return []string{"Cookie", cookies[0].Name + "=" + cookies[0].Value, "Origin", ownOrigin}
}

// newSmall returns a site with a page.
func newSmall(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Home</title><p>Some words. <a href="/gone">gone</a>`))
	}))
	t.Cleanup(server.Close)
	return server
}

// TestReaders logs in to look: every change is refused with a sentence, and no page has a button
// for one.
func TestReaders(t *testing.T) {
	t.Parallel()
	s := newSite(t, withReaders)
	owner, reader := s.logInAs(password), s.logInAs(readPassword)
	target := newSmall(t)
	answer, _ := s.do("POST", "/crawls", url.Values{"url": {target.URL}}.Encode(),
		append(owner, "Content-Type", "application/x-www-form-urlencoded")...)
	crawl := answer.Header.Get("Location")
	s.do("GET", crawl+"/events", "", owner...)
	_, err := s.service.PutSchedule(t.Context(), service.Schedule{URL: target.URL, Cron: "5 4 * * *"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		crawl, crawl + "/pages", crawl + "/pages/1", crawl + "/export?list=pages&format=csv", "/sites",
		"/sites/" + strings.TrimPrefix(target.URL, "http://"), "/schedules", "/tools/why", "/api/v1/crawls",
	} {
		answer, page := s.do("GET", path, "", reader...)
		page = strings.Replace(page, `method="post" action="/language"`, "", 1)
		page = strings.Replace(page, `method="post" action="/logout"`, "", 1)
		if answer.StatusCode != http.StatusOK || strings.Contains(page, `method="post"`) ||
			strings.Contains(page, `href="/schedules/`) || strings.Contains(page, "New crawl") {
			t.Errorf("%s: %d %s", path, answer.StatusCode, page)
		}
	}
	for _, path := range []string{"/tools/lint", "/tools/robots", "/schedules/new"} { // they end in a request or a change
		if answer, page := s.do("GET", path, "", reader...); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d %s", path, answer.StatusCode, page)
		}
		if answer, _ := s.do("GET", path, "", owner...); answer.StatusCode != http.StatusOK {
			t.Errorf("%s for the owner: %d", path, answer.StatusCode)
		}
	}
	id := strings.TrimPrefix(crawl, "/crawls/")
	for _, route := range s.routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		if method == http.MethodGet || route.role == roleNone || path == "/mcp" { // for tokens only
			continue
		}
		path = strings.NewReplacer("{id}", id, "{name}", "sitemap.xml").Replace(path)
		for _, as := range [][]string{reader, append(reader, "Content-Type", "application/x-www-form-urlencoded")} {
			answer, page := s.do(method, path, "{}", append(as, "Accept-Language", "es")...)
			isAPI := strings.HasPrefix(path, "/api/")
			if answer.StatusCode != http.StatusForbidden || !isAPI && !strings.Contains(page, "no cambiar nada") ||
				isAPI && !strings.Contains(page, "#read-only") {
				t.Errorf("%s %s: %d %s", method, path, answer.StatusCode, page)
			}
		}
	}
	if answer, _ := s.do("GET", "/", "", reader...); answer.Header.Get("Location") != "/sites" {
		t.Errorf("the start page: %d", answer.StatusCode)
	}
}

// TestReadPassword keeps the sessions of both passwords apart.
func TestReadPassword(t *testing.T) {
	s := newSite(t, withReaders)
	reader := s.logInAs(readPassword)
	s.logInAs(password, reader...)
	if answer, _ := s.do("GET", "/api/v1/crawls", "", reader...); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the session before another log-in: %d", answer.StatusCode)
	}
	for _, wrong := range []string{"", "x", readPassword + " ", password + readPassword} {
		answer, _ := s.do("POST", "/login", url.Values{"password": {wrong}}.Encode(),
			"Content-Type", "application/x-www-form-urlencoded", "Origin", ownOrigin)
		if answer.StatusCode != http.StatusForbidden || len(answer.Cookies()) > 0 {
			t.Errorf("%q: %d", wrong, answer.StatusCode)
		}
	}
	only := newSite(t, func(o *Options, _ *service.Options) { o.Origin, o.ReadPassword = ownOrigin, readPassword })
	if answer, _ := only.do("GET", "/api/v1/crawls", ""); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a password of an owner: %d", answer.StatusCode)
	}
	if answer, _ := only.do("GET", "/sites", "", only.logInAs(readPassword)...); answer.StatusCode != http.StatusOK {
		t.Errorf("a reader without an owner: %d", answer.StatusCode)
	}
}
