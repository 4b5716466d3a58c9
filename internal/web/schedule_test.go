package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// TestScheduleNotify stores whom a schedule notifies, of what and in which format, and says
// whether a test message arrives.
func TestScheduleNotify(t *testing.T) {
	s := newSite(t, nil)
	taken := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/taken" {
			w.WriteHeader(http.StatusGone)
			return
		}
		taken <- string(body)
	}))
	defer hook.Close()
	form := url.Values{
		"url": {"example.com"}, "every": {"24h"}, "notify": {"new"}, "webhook": {hook.URL + "/taken"},
		"webhook-format": {"slack"}, "test": {"true"},
	}
	answer, page := s.post("/schedules", form)
	if answer.StatusCode != http.StatusOK || !strings.Contains(page, "The webhook took the test message") {
		t.Fatalf("a test message: %d %s", answer.StatusCode, page)
	}
	if text := <-taken; !strings.Contains(text, `"text":"Test message: example.com`) {
		t.Errorf("the webhook got %s", text)
	}
	for _, want := range []string{
		`value="slack" selected`, `id="notify-new" name="notify" value="new" checked`, `id="notify-removed" name="notify" value="removed">`,
		"/(secret)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in %s", want, page)
		}
	}
	if strings.Contains(page, hook.URL+"/taken") {
		t.Error("the address of the webhook is shown")
	}
	form.Set("webhook", hook.URL+"/elsewhere")
	if _, page = s.post("/schedules", form); !strings.Contains(page, "did not take the test message") ||
		!strings.Contains(page, "status 410") || strings.Contains(page, "elsewhere") {
		t.Errorf("a webhook that is gone: %s", page)
	}
	form.Set("webhook-format", "fax")
	if answer, _ := s.post("/schedules", form); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("an unknown format: %d", answer.StatusCode)
	}
}

// TestScheduleLanguage keeps what was typed when the language is chosen after an error, and
// stores nothing.
func TestScheduleLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	form := url.Values{
		"url": {"example.com"}, "every": {"days"}, "at": {"half past"}, "publish-url": {"https://example.com/maps/"},
	}
	answer, page := s.post("/schedules", form)
	const button = `name="language" value="es" form="schedule" formnovalidate`
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, button) {
		t.Fatalf("a wrong time: %d %s", answer.StatusCode, page)
	}
	for _, at := range []string{"half past", "04:30"} {
		form.Set("at", at)
		form.Set("language", "es")
		answer, page = s.post("/schedules", form)
		cookies := answer.Cookies()
		if answer.StatusCode != http.StatusOK || len(cookies) != 1 || cookies[0].Value != "es" {
			t.Errorf("%s: %d, cookies %v", at, answer.StatusCode, cookies)
		}
		for _, want := range []string{
			`<html lang="es">`, `value="example.com"`, `value="https://example.com/maps/"`, `value="en" form="schedule"`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page has no %q: %s", at, want, page)
			}
		}
	}
	if schedules, err := s.service.Schedules(t.Context(), ""); err != nil || len(schedules) > 0 {
		t.Errorf("stored: %v, %v", schedules, err)
	}
}

// TestSchedulePlan says when a schedule runs as the form has it, with the zone of the server.
func TestSchedulePlan(t *testing.T) {
	english, spanish := localCatalog(catalog.English), localCatalog(catalog.Spanish)
	for _, test := range []struct {
		form             url.Values
		english, spanish string
	}{
		{url.Values{"every": {"days"}, "at": {"04:30"}}, "every day at 04:30 CET", "cada día a las 04:30 CET"},
		{url.Values{"every": {"days"}, "at": {"00:05"}, "day": {"sunday", "monday", "thursday"}},
			"Mondays, Thursdays and Sundays at 00:05 CET", "los lunes, los jueves y los domingos a las 00:05 CET"},
		{url.Values{"every": {"days"}, "at": {"00:05"}, "cron": {" 0 3 1 * * "}}, "cron 0 3 1 * * CET", "cron 0 3 1 * * CET"},
		{url.Values{"every": {"1h0m0s"}, "day": {"monday"}}, "every hour", "cada hora"},
		{url.Values{"every": {"24h"}}, "every 24 hours", "cada 24 horas"},
		{url.Values{"every": {"168h"}}, "every 7 days", "cada 7 días"},
		{url.Values{"every": {"100m"}}, "every 100 minutes", "cada 100 minutos"},
	} {
		var s service.Schedule
		if err := readPlan(&s, test.form); err != nil {
			t.Errorf("%v: %v", test.form, err)
		}
		for c, want := range map[*catalog.Catalog]string{english: test.english, spanish: test.spanish} {
			if got := planText(c, &s, "CET"); got != want {
				t.Errorf("%v: %q, want %q", test.form, got, want)
			}
		}
		var again service.Schedule // as the form shows it
		form := newPlanForm(english, &s, time.Now())
		shown := url.Values{"at": {form.At}, "cron": {form.Cron}}
		for name, choices := range map[string][]choice{"every": form.Intervals, "day": form.Days} {
			for _, c := range choices {
				if c.Checked {
					shown.Add(name, c.Value)
				}
			}
		}
		if err := readPlan(&again, shown); err != nil || again.Cron != s.Cron || again.Every != s.Every {
			t.Errorf("%v is shown as %v: %+v, %v", test.form, shown, again, err)
		}
	}
	for _, at := range []string{"", "24:00", "4.30", "soon"} {
		var s service.Schedule
		err := readPlan(&s, url.Values{"every": {"days"}, "at": {at}, "day": {"friday"}})
		if err == nil || s.Cron != "30 4 * * 5" {
			t.Errorf("at %q: %v, the form keeps %q", at, err, s.Cron)
		}
	}
}

// TestScheduleRow says what a schedule last did, does next, and for whom, and runs it now.
func TestScheduleRow(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Home</title><p>A page of its own.")
	}))
	defer target.Close()
	s := newSite(t, nil)
	folder := t.TempDir()
	answer, page := s.post("/schedules", url.Values{
		"url": {target.URL}, "every": {"days"}, "at": {"04:30"}, "webhook": {"https://hooks.example/hunter2"},
		"publish": {folder},
	})
	saved := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(saved, "/schedules?saved=") {
		t.Fatalf("%d %s", answer.StatusCode, page)
	}
	_, page = s.do("GET", saved, "")
	for _, want := range []string{
		"is saved. It runs next on <time", "every day at 04:30 " + time.Now().Format("MST"), "has not run yet",
		"publishes to " + folder, "notifies hooks.example",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in %s", want, page)
		}
	}
	id := strings.TrimPrefix(saved, "/schedules?saved=")
	answer, _ = s.post("/schedules/"+id+"/run", nil)
	crawl := answer.Header.Get("Location")
	if !strings.HasPrefix(crawl, "/crawls/") {
		t.Fatalf("run now: %d %s", answer.StatusCode, crawl)
	}
	s.wait("/api/v1" + crawl)
	_, page = s.do("GET", "/schedules", "")
	if !strings.Contains(page, `<a href="`+crawl+`">last run <time`) || !strings.Contains(page, "1 page") {
		t.Errorf("after a run: %s", page)
	}
	if answer, _ := s.post("/schedules/nothing/run", nil); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a schedule that is not there: %d", answer.StatusCode)
	}
}

// TestPublished asks nobody to upload a sitemap that a schedule published, and leads to the
// announcement.
func TestPublished(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" && r.URL.Path != "/contact" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html lang=en><title>The garden "+r.URL.Path+"</title><h1>Garden</h1><p>Words of the page "+r.URL.Path+
			` with <a href="/">a start</a> and <a href="/contact">a contact</a>.`)
	}))
	defer proxy.Close()
	s, folder := newSite(t, nil), t.TempDir()
	body, err := json.Marshal(map[string]any{
		"url": "http://www.garden.example/", "every": "24h", "publish": map[string]string{"folder": folder},
		"options": map[string]string{"proxy": proxy.URL, "rate": "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	answer, text := s.do("POST", "/api/v1/schedules", string(body))
	if answer.StatusCode != http.StatusCreated {
		t.Fatal(text)
	}
	id := strings.TrimPrefix(answer.Header.Get("Location"), "/api/v1/schedules/")
	answer, _ = s.post("/schedules/"+id+"/run", nil)
	crawl := answer.Header.Get("Location")
	s.wait("/api/v1" + crawl)
	s.waitForPublication(crawl)
	_, page := s.do("GET", crawl, "")
	for _, unwanted := range []string{"Upload", "Your sitemap is ready"} {
		if strings.Contains(page, unwanted) {
			t.Errorf("%q is on the page of a sitemap that is published", unwanted)
		}
	}
	for _, want := range []string{
		"there is nothing to upload", `href="/schedules/` + id + `#announce"`, "was published in " + folder,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in %s", want, page)
		}
	}
}

// waitForPublication waits until the result of a crawl is published.
func (s *site) waitForPublication(crawl string) {
	s.t.Helper()
	for s.t.Context().Err() == nil {
		c, err := s.service.Crawl(s.t.Context(), strings.TrimPrefix(crawl, "/crawls/"))
		if err != nil {
			s.t.Fatal(err)
		}
		if published(c) {
			return
		}
	}
}
