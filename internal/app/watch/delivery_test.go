package watch

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/watch"
)

// roundTripper answers requests without a network.
type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func answer(status int) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("no"))}
}

var someEvents = []watch.Event{
	{ID: "1-1", Site: "example.com", Type: watch.EventNew, Loc: "https://example.com/?a=1&b=2", Sitemap: "s"},
	{ID: "1-2", Site: "example.com", Type: watch.EventGone, Loc: "https://example.com/gone", Sitemap: "s"},
}

// newTestWebhook returns a webhook that sends its requests to answer, and the name of its
// file of events that were not taken.
func newTestWebhook(t *testing.T, send roundTripper) (*webhook, string) {
	dead := filepath.Join(t.TempDir(), "dead.jsonl")
	return &webhook{
		app: &app.App{}, url: "https://hooks.example/take?token=hidden", shown: "https://hooks.example/(secret)",
		dead: dead, post: &access.WebhookClient{Secret: []byte("secret"), Client: &http.Client{Transport: send}},
	}, dead
}

func TestWebhook(t *testing.T) {
	var bodies []string
	w, dead := newTestWebhook(t, func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		mac := hmac.New(sha256.New, []byte("secret"))
		mac.Write(body)
		if got := r.Header.Get(access.SignatureHeader); got != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			t.Errorf("signature %q", got)
		}
		bodies = append(bodies, string(body))
		return answer(http.StatusNoContent), nil
	})
	if err := w.deliver(t.Context(), someEvents); err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Version int
		Events  []watch.Event
	}
	if len(bodies) != 1 {
		t.Fatalf("%d requests", len(bodies))
	}
	if err := json.Unmarshal([]byte(bodies[0]), &sent); err != nil {
		t.Fatal(err)
	}
	if sent.Version != watch.EventVersion || len(sent.Events) != 2 || sent.Events[1].ID != "1-2" {
		t.Errorf("sent %s", bodies[0])
	}
	if _, err := os.Stat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("events that were taken are kept: %v", err)
	}
}

// TestWebhookFailures repeats what may work later, and keeps what is not taken.
func TestWebhookFailures(t *testing.T) {
	for _, test := range []struct {
		name     string
		statuses []int // 0 is no answer; the last one repeats
		requests int
		kept     bool
	}{
		{"works later", []int{500, 0, 429, 200}, 4, false},
		{"never works", []int{503}, webhookTries, true},
		{"refused", []int{400}, 1, true},
		{"redirected", []int{302}, 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				w, dead := newTestWebhook(t, func(*http.Request) (*http.Response, error) {
					status := test.statuses[min(requests, len(test.statuses)-1)]
					requests++
					if status == 0 {
						return nil, errors.New("no answer")
					}
					return answer(status), nil
				})
				start := time.Now()
				if err := w.deliver(t.Context(), someEvents); err != nil {
					t.Fatal(err)
				}
				if requests != test.requests {
					t.Errorf("%d requests, want %d", requests, test.requests)
				}
				if took := time.Since(start); took > time.Minute {
					t.Errorf("it took %v", took)
				}
				kept, err := os.ReadFile(dead)
				if test.kept != (err == nil) {
					t.Errorf("kept events: %q, %v", kept, err)
				}
				if test.kept && bytes.Count(kept, []byte("\n")) != len(someEvents) {
					t.Errorf("kept %q", kept)
				}
			})
		})
	}
}

// TestWebhookEvents reports a webhook that takes nothing by its host, whatever the error of
// the request repeats.
func TestWebhookEvents(t *testing.T) {
	const hidden = "/services/T0/B0/hunter2?k=hunter2" // the path of the webhook
	for _, failure := range []error{
		errors.New(hidden), fmt.Errorf("%s: %w", hidden, io.ErrUnexpectedEOF), context.DeadlineExceeded, nil,
	} {
		synctest.Test(t, func(t *testing.T) {
			w, _ := newTestWebhook(t, func(*http.Request) (*http.Response, error) {
				if failure != nil {
					return nil, failure
				}
				return answer(http.StatusGone), nil
			})
			var problems []string
			w.app.OnEvent = func(e app.Event) {
				if p, ok := e.(app.Problem); ok {
					problems = append(problems, p.Err.Error())
				}
			}
			w.url += hidden
			w.shown = access.ShownWebhook(w.url)
			if err := w.deliver(t.Context(), someEvents); err != nil {
				t.Fatal(err)
			}
			if len(problems) != 1 || strings.Contains(problems[0], "hunter2") || strings.Contains(problems[0], "services") ||
				!strings.HasPrefix(problems[0], "https://hooks.example/(secret): the webhook did not take the events") {
				t.Errorf("%v: %q", failure, problems)
			}
		})
	}
}
