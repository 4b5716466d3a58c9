package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/watch"
)

// A newsSite is a site with a feed, its hub, and a webhook.
type newsSite struct {
	server   *httptest.Server
	mutex    sync.Mutex
	items    int
	requests int // of the feed
	callback chan string
	events   chan watch.Event
}

func newNewsSite(t *testing.T) *newsSite {
	s := &newsSite{items: 1, callback: make(chan string, 1), events: make(chan watch.Event, 10)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /feed.xml", s.feed)
	mux.HandleFunc("POST /hub", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		s.callback <- r.PostForm.Get("hub.callback")
	})
	mux.HandleFunc("POST /webhook", func(w http.ResponseWriter, r *http.Request) {
		var batch struct{ Events []watch.Event }
		if err := json.NewDecoder(r.Body).Decode(&batch); err != nil {
			t.Error(err)
		}
		for _, event := range batch.Events {
			s.events <- event
		}
	})
	s.server = httptest.NewServer(mux)
	t.Cleanup(s.server.Close)
	return s
}

func (s *newsSite) feed(w http.ResponseWriter, _ *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests++
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(w, `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>
		<link>https://news.example/</link><description>d</description>
		<atom:link rel="hub" href="%s/hub"/><atom:link rel="self" href="%[1]s/feed.xml"/>`, s.server.URL)
	for i := range s.items {
		fmt.Fprintf(w, `<item><title>i</title><link>https://news.example/%d</link></item>`, i)
	}
	io.WriteString(w, "</channel></rss>")
}

// TestWatchWebSub follows a feed: the deliveries of its hub reach the webhook long before
// the next pass would, and share a few requests.
func TestWatchWebSub(t *testing.T) {
	site := newNewsSite(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := free.Addr().String()
	free.Close()
	settings := NewSettings()
	settings.State = filepath.Join(t.TempDir(), "watch.sqlite")
	settings.Every, settings.NoInitial = time.Hour, true
	settings.Webhook = site.server.URL + "/webhook"
	settings.WebSub, settings.Listen = "http://"+listen+"/websub", listen
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		a := &app.App{OnEvent: func(e app.Event) {
			if problem, is := e.(app.Problem); is {
				t.Error(problem.Err)
			}
		}}
		_, err := Run(ctx, a, []string{site.server.URL + "/feed.xml"},
			func() (*Settings, error) { return settings, nil }, nil, io.Discard)
		ended <- err
	}()
	callback := receive(ctx, t, site.callback)
	verify := url.Values{"hub.mode": {"subscribe"}, "hub.topic": {site.server.URL + "/feed.xml"},
		"hub.challenge": {"challenge"}, "hub.lease_seconds": {"3600"}}
	response, err := http.Get(callback + "?" + verify.Encode())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != http.StatusOK || string(answer) != "challenge" {
		t.Fatalf("%d %q %v", response.StatusCode, answer, err)
	}
	site.mutex.Lock()
	site.items++
	before := site.requests
	site.mutex.Unlock()
	begun := time.Now()
	for range 400 {
		response, err := http.Post(callback, "application/rss+xml", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	site.mutex.Lock()
	requests := site.requests - before
	site.mutex.Unlock()
	if limit := 2 + int(time.Since(begun)/time.Second); requests > limit {
		t.Errorf("%d requests for 400 deliveries, want at most %d", requests, limit)
	}
	if event := receive(ctx, t, site.events); event.Type != watch.EventNew || event.Loc != "https://news.example/1" {
		t.Errorf("event %+v", event)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func receive[T any](ctx context.Context, t *testing.T, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-ctx.Done():
		t.Fatal("it did not come")
	}
	return value
}
