package web

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
)

// post sends a form as a browser does.
func (s *site) post(path string, form url.Values) (*http.Response, string) {
	s.t.Helper()
	return s.do("POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

const secretBody = `{"url":"https://www.example.com/","every":"24h","webhook":"https://hooks.example/hunter2",
	"options":{"user":"me:hunter2","cookie":"a=hunter2","header":["X-Key: hunter2"],"proxy":"http://me:hunter2@p.example:1",
	"sitemap":["https://me:hunter2@files.example/s.xml"],"rate":"5"}}`

// addSecretSchedule stores a schedule with secrets, and returns its path and what the API
// shows of it.
func addSecretSchedule(t *testing.T, s *site) (path, shown string) {
	t.Helper()
	answer, shown := s.do("POST", "/api/v1/schedules", secretBody)
	if answer.StatusCode != http.StatusCreated || strings.Contains(shown, "hunter2") ||
		strings.Count(shown, "(secret)") != 6 {
		t.Fatalf("%d %s", answer.StatusCode, shown)
	}
	return answer.Header.Get("Location"), shown
}

// TestSecretsByAPI changes a schedule as the API shows it: its secrets are asked for again
// when they would be sent elsewhere.
func TestSecretsByAPI(t *testing.T) {
	s := newSite(t, nil)
	path, shown := addSecretSchedule(t, s)
	for _, test := range []struct {
		old, new string
		status   int
	}{
		{`"every":"24h0m0s"`, `"every":"25h"`, http.StatusOK},
		{`"url":"https://www.example.com/"`, `"url":"https://www.example.com/shop"`, http.StatusOK},
		{`"url":"https://www.example.com/"`, `"url":"https://evil.example/"`, http.StatusBadRequest},
		{`"url":"https://www.example.com/"`, `"url":"http://www.example.com/"`, http.StatusBadRequest},
		{`"url":"https://www.example.com/"`, `"url":"https://www.example.com:8443/"`, http.StatusBadRequest},
		{`"rate":`, `"insecure":true,"rate":`, http.StatusBadRequest},
		{`"proxy":["(secret)"]`, `"proxy":"http://evil.example:8080"`, http.StatusBadRequest},
	} {
		answer, text := s.do("PUT", path, strings.Replace(shown, test.old, test.new, 1))
		if answer.StatusCode != test.status {
			t.Errorf("%s: %d %s", test.new, answer.StatusCode, text)
		}
		var p problem
		if test.status == http.StatusBadRequest && (json.Unmarshal([]byte(text), &p) != nil || p.Option == "" ||
			!strings.HasSuffix(p.Type, "#option") || !strings.Contains(p.Detail, "give it again")) {
			t.Errorf("%s: the problem is %s", test.new, text)
		}
	}
	webhook := strings.Replace(shown, "https://hooks.example/", "https://evil.example/", 1)
	if answer, text := s.do("PUT", path, webhook); answer.StatusCode != http.StatusBadRequest ||
		!strings.Contains(text, `"field":"webhook"`) {
		t.Errorf("another webhook: %d %s", answer.StatusCode, text)
	}
}

// TestSecretsByForm changes a schedule in the browser. The form has a field for each secret,
// where it can be given again.
func TestSecretsByForm(t *testing.T) {
	s := newSite(t, nil)
	path, _ := addSecretSchedule(t, s)
	page := strings.TrimPrefix(path, "/api/v1")
	stored := func() string {
		t.Helper()
		_, text := s.do("GET", path, "")
		return text
	}
	form := func(address string, more ...string) url.Values {
		values := url.Values{"url": {address}, "every": {"24h0m0s"}, "webhook": {"https://hooks.example/(secret)"}}
		for i := 0; i+1 < len(more); i += 2 {
			values.Set(more[i], more[i+1])
		}
		return values
	}
	kept := []string{
		"user", "(secret)", "cookie", "(secret)", "header", "(secret)", "proxy", "(secret)",
		"sitemap", "https://(secret)@files.example/s.xml",
	}
	explained := catalog.For(catalog.English).Text("web.error.secret")
	_, text := s.do("GET", page, "")
	for _, name := range []string{"user", "cookie", "header", "proxy"} {
		if !strings.Contains(text, `name="`+name+`"`) || strings.Contains(text, "hunter2") {
			t.Errorf("the form has no field for %s, or shows a secret: %s", name, text)
		}
	}
	for _, test := range []struct {
		name string
		form url.Values
	}{
		{"another address", form("https://evil.example/", kept...)},
		{"another scheme", form("http://www.example.com/", kept...)},
		{"another address, in a form without fields for secrets", form("https://evil.example/")},
		{"another proxy", form("https://www.example.com/", append(kept, "proxy", "http://evil.example:1")...)},
		{"only the password given again", form("https://evil.example/", append(kept, "user", "a:b")...)},
	} {
		before := stored()
		answer, text := s.post(page, test.form)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(html.UnescapeString(text), explained) ||
			!strings.Contains(text, `name="cookie"`) {
			t.Errorf("%s: %d %s", test.name, answer.StatusCode, text)
		}
		if after := stored(); after != before {
			t.Errorf("%s: stored %s", test.name, after)
		}
	}
	for _, test := range []struct {
		name string
		form url.Values
		want string // in what is stored
	}{
		{"nothing", form("https://www.example.com/", kept...), `"user":["(secret)"]`},
		{"nothing, in a form without fields for secrets", form("https://www.example.com/"), `"user":["(secret)"]`},
		{"all secrets given again", form("https://other.example/", "user", "a:b", "cookie", "a=b",
			"header", "A: b\r\nC: d\r\n", "proxy", "http://p.example:1", "sitemap", ""), `"url":"https://other.example/","options":{"cookie":["(secret)"]`},
		{"all secrets removed", form("https://third.example/",
			"user", "", "cookie", " ", "header", "", "proxy", "", "sitemap", ""), `"url":"https://third.example/","every"`},
	} {
		if answer, text := s.post(page, test.form); answer.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: %d %s", test.name, answer.StatusCode, text)
		}
		if after := stored(); !strings.Contains(after, test.want) {
			t.Errorf("%s: stored %s, want %s", test.name, after, test.want)
		}
	}
}

// TestSecretsOfLike repeats a crawl with secrets for another site.
func TestSecretsOfLike(t *testing.T) {
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + shop(t) + `","options":{"user":"me:hunter2","header":"X-Key: hunter2"}}`)
	other := "http://127.0.0.1:1/"
	for _, address := range []string{other, strings.Replace(crawl["url"].(string), "http:", "https:", 1)} {
		answer, _ := s.post("/crawls", url.Values{"url": {address}, "like": {crawl["id"].(string)}})
		answer, text := s.do("GET", answer.Header.Get("Location"), "")
		explained := catalog.For(catalog.English).Text("web.error.secret")
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(html.UnescapeString(text), explained) {
			t.Errorf("%s: %d %s", address, answer.StatusCode, text)
		}
	}
	answer, text := s.post("/crawls", url.Values{"url": {crawl["url"].(string)}, "like": {crawl["id"].(string)}})
	if answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the same site: %d %s", answer.StatusCode, text)
	}
	if _, text := s.do("GET", "/api/v1/crawls", ""); strings.Count(text, `"id":`) != 2 {
		t.Errorf("crawls: %s", text)
	}
}
