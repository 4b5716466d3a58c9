package announce_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/announcetest"
)

// announcer returns the announcer of a provider for a world.
func (w *world) announcer(t *testing.T, p announce.Provider) announce.Announcer {
	t.Helper()
	var a announce.Announcer
	var err error
	switch p {
	case announce.ProviderGoogle:
		name := filepath.Join(t.TempDir(), "account.json")
		if err := os.WriteFile(name, w.ServiceAccount(), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err = announce.NewGoogle(announce.GoogleOptions{CredentialsFile: name}, &w.options)
	case announce.ProviderBing:
		a, err = announce.NewBing(announce.BingOptions{Key: secrets[1]}, &w.options)
	case announce.ProviderIndexNow:
		a, err = announce.NewIndexNow(announce.IndexNowOptions{Key: goodKey}, &w.options)
	case announce.ProviderYandex:
		a, err = announce.NewYandex(announce.YandexOptions{Token: secrets[2]}, &w.options)
	case announce.ProviderBaidu:
		a, err = announce.NewBaidu(announce.BaiduOptions{Token: secrets[3]}, &w.options)
	case announce.ProviderWebSub:
		a, err = announce.NewWebSub(announce.WebSubOptions{}, &w.options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// checkSecrets fails when a text shows a secret, or a control character.
func checkSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%q shows the secret %s", text, secret)
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 && r != '\n' || r == '\u202e' }) {
		t.Errorf("%q has control characters", text)
	}
}

// TestScenarios checks that every documented failure has its reason and an advice, and
// that nothing shows a secret.
func TestScenarios(t *testing.T) {
	for _, scenario := range announcetest.Scenarios() {
		t.Run(scenario.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				if err := w.Play(scenario.Name, 1); err != nil {
					t.Fatal(err)
				}
				results := w.announcer(t, scenario.Provider).Announce(t.Context(), announcement("1"))
				if len(results) == 0 {
					t.Fatal("no result")
				}
				checkResult(t, &results[0], scenario.Reason)
			})
		})
	}
}

func checkResult(t *testing.T, r *announce.Result, want announce.Reason) {
	t.Helper()
	checkSecrets(t, fmt.Sprintf("%+v", r))
	var failure *announce.Error
	switch errors.As(r.Err, &failure); {
	case want == announce.ReasonOther || want == announce.ReasonQuota || want == announce.ReasonKeyPending:
		if r.Err != nil {
			t.Errorf("error %v", r.Err)
		}
		if want == announce.ReasonQuota && (r.Waiting == 0 && r.Until.IsZero()) {
			t.Errorf("nothing waits for the quota: %+v", r)
		}
		if want == announce.ReasonKeyPending && r.Pending != 2 {
			t.Errorf("%d items are pending", r.Pending)
		}
	case failure == nil:
		t.Errorf("no error in %+v", r)
	case failure.Reason != want:
		t.Errorf("%v: reason %d, want %d", failure, failure.Reason, want)
	case failure.Advice() == "":
		t.Errorf("%v: no advice", failure)
	default:
		checkSecrets(t, failure.Error())
	}
}

// TestGood sends everything to every provider, and nothing the second time.
func TestGood(t *testing.T) {
	for _, p := range announce.Providers() {
		if p == announce.ProviderRobots {
			continue
		}
		t.Run(string(p), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				a := w.announcer(t, p)
				for _, r := range a.Announce(t.Context(), announcement("1")) {
					if r.Err != nil || r.Sent == 0 || r.Failed+r.Pending+r.Waiting > 0 {
						t.Errorf("%+v", r)
					}
					checkSecrets(t, fmt.Sprintf("%+v", r))
				}
				for _, request := range w.Requests() {
					if request.Status >= 300 {
						t.Errorf("%s %s?%s: %d", request.Method, request.Path, request.Query, request.Status)
					}
				}
				for _, r := range a.Announce(t.Context(), announcement("1")) {
					if r.Err != nil || r.Sent > 0 || r.Known == 0 {
						t.Errorf("again: %+v", r)
					}
				}
			})
		})
	}
}

// TestPlan compares what Plan shows with what the server receives.
func TestPlan(t *testing.T) {
	for _, p := range announce.Providers() {
		if p == announce.ProviderRobots {
			continue
		}
		t.Run(string(p), func(t *testing.T) {
			w := newWorld(t, nil)
			a := w.announcer(t, p)
			var planned []announce.Request
			for r, err := range a.Plan(announcement("1")) {
				if err != nil {
					t.Fatal(err)
				}
				checkSecrets(t, r.URL+r.Body+strings.Join(r.Header, " "))
				planned = append(planned, r)
			}
			if sent := w.Requests(); len(sent) > 0 {
				t.Fatalf("a plan sends %+v", sent)
			}
			a.Announce(t.Context(), announcement("1"))
			for _, sent := range w.Requests() {
				if !isPlanned(planned, sent) {
					t.Errorf("%s %s?%s %s was sent, and not planned in %+v", sent.Method, sent.Path, sent.Query, sent.Body, planned)
				}
			}
		})
	}
}

// isPlanned reports whether a request is one of a plan, in which names in braces and ***
// stand for anything.
func isPlanned(planned []announce.Request, sent announcetest.Request) bool {
	for _, r := range planned {
		_, rest, _ := strings.Cut(r.URL, "://")
		path := rest[strings.IndexByte(rest+"/", '/'):]
		got := sent.Path
		if sent.Query != "" {
			got += "?" + sent.Query
		}
		if r.URL == "{hub}" {
			path = "/hub"
		}
		if r.Method == sent.Method && matches(path, got) && matches(r.Body, sent.Body) {
			return true
		}
	}
	return false
}

func matches(pattern, text string) bool {
	for _, name := range []string{"{user-id}", "{property}", "{sitemap-id}"} {
		pattern = strings.ReplaceAll(pattern, name, "***")
	}
	parts := strings.Split(pattern, "***")
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, parts[len(parts)-1]) {
		return false
	}
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// TestCanceled ends soon after its context, in the middle of a wait.
func TestCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.options.Wait = 10 * minute
		if err := w.Play("indexnow-500", 1000); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), minute)
		defer cancel()
		results := w.announcer(t, announce.ProviderIndexNow).Announce(ctx, announcement("1"))
		if ctx.Err() == nil {
			t.Error("it ended before")
		}
		var failure *announce.Error
		if !errors.As(results[0].Err, &failure) || failure.Reason != announce.ReasonCanceled {
			t.Errorf("error %v", results[0].Err)
		}
	})
}

// TestAccountError sends no URLs after a sitemap was refused because of the account.
func TestAccountError(t *testing.T) {
	for _, scenario := range []string{
		"bing-3", "bing-4", "bing-6", "yandex-401", "yandex-403-scope", "yandex-404-not-loaded",
	} {
		w := newWorld(t, nil)
		if err := w.Play(scenario, 1); err != nil {
			t.Fatal(err)
		}
		provider, _, _ := strings.Cut(scenario, "-")
		results := w.announcer(t, announce.Provider(provider)).Announce(t.Context(), announcement("1"))
		for _, r := range results {
			if r.Err == nil || r.Sent > 0 {
				t.Errorf("%s: %+v", scenario, r)
			}
		}
		requests := w.Requests()
		if last := requests[len(requests)-1]; len(results) != 2 || last.Status < 400 {
			t.Errorf("%s: %d results, and %s %s was sent", scenario, len(results), last.Method, last.Path)
		}
	}
}

// TestNotConnected knows that nothing was sent where no connection was made.
func TestNotConnected(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	w := newWorld(t, nil)
	direct := w.options
	w.options.Access.Transport, w.options.Endpoint = nil, closed.URL
	r := w.announcer(t, announce.ProviderBaidu).Announce(t.Context(), announcement("1"))[0]
	var failure *announce.Error
	if !errors.As(r.Err, &failure) || failure.Reason != announce.ReasonUnreachable || r.Failed != 2 {
		t.Fatalf("%+v", r)
	}
	batch := &announce.Batch{Channel: announce.Channel(announce.ProviderBaidu, closed.URL), Target: "example.com",
		Kind: announce.KindURLs, Items: []announce.Item{{URL: origin + "/a", Version: "1"}}}
	if c, err := direct.Ledger.Claim(t.Context(), batch); err != nil || len(c.Items) != 1 || c.Repeated != 0 {
		t.Errorf("claim %+v, error %v", c, err)
	}
}

// offline is a machine without a network.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "example.com", IsNotFound: true}}
}

// TestOffline does not wait for a network that is not there.
func TestOffline(t *testing.T) {
	w := newWorld(t, nil)
	w.options.Access.Transport, w.options.Wait = offline{}, time.Hour
	w.options.OnWait = func(announce.Provider, time.Duration, *announce.Error) {
		t.Error("waits")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := w.announcer(t, announce.ProviderBaidu).Announce(ctx, announcement("1"))[0]
	var failure *announce.Error
	if !errors.As(r.Err, &failure) || failure.Reason != announce.ReasonUnreachable {
		t.Fatalf("%+v", r)
	}
}
