package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
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
		`value="slack" selected`, `id="notify-new" name="notify" value="new" checked`, `id="notify-gone" name="notify" value="gone">`,
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
