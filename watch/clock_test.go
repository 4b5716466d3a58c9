package watch_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mapatools/mapa/watch"
)

// TestClockIsAhead visits a site at once whose last pass was made with a clock that was a
// year ahead, and asks its hub again.
func TestClockIsAhead(t *testing.T) {
	asked := 0
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked++
			return
		}
		w.Header().Set("Link", "<"+site.URL+`/hub>; rel="hub"`)
	}))
	defer site.Close()
	store := &watch.MemoryStore{}
	name, feed := "http://example.com/sitemap.xml", site.URL+"/feed.xml"
	year := time.Now().Add(365 * 24 * time.Hour)
	err := store.Update(t.Context(), name, func(tx watch.Tx) error {
		return tx.SetSite(watch.Site{Name: name, LastPass: year, NextPass: year.Add(time.Hour), Interval: time.Hour})
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := watch.New(store, &watch.Options{Sites: []string{name}, Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if next, err := w.Next(t.Context()); err != nil || next.After(time.Now()) {
		t.Errorf("the next pass is at %v, error %v", next, err)
	}
	s, err := w.Subscriber(&watch.SubscriberOptions{Callback: "https://me.example/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []watch.SubscriptionState{
		watch.SubscriptionActive, watch.SubscriptionPending, watch.SubscriptionDenied,
	} {
		asked = 0
		err := store.SetSubscription(t.Context(), watch.Subscription{ID: "1", Topic: feed, Self: feed, State: state,
			Requested: year, LeaseEnd: year.Add(time.Hour), Lease: time.Hour})
		if err == nil {
			err = s.Subscribe(t.Context(), feed)
		}
		if err != nil || asked != 1 {
			t.Errorf("%s: asked %d times, error %v", state, asked, err)
		}
	}
}
