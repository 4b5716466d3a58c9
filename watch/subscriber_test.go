package watch_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/watch"
)

// A testHub is a publisher and a hub that records the requests of subscribers.
type testHub struct {
	server *httptest.Server
	topic  func(w http.ResponseWriter, r *http.Request) // answers for /topic
	status int                                          // of the answer to a subscription
	mutex  sync.Mutex
	asked  []url.Values
}

func newTestHub(t *testing.T) *testHub {
	h := &testHub{status: http.StatusAccepted}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hub", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
			http.Error(w, "no form", http.StatusBadRequest)
			return
		}
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.asked = append(h.asked, r.PostForm)
		if h.status >= 400 {
			http.Error(w, "no \x1b[31m for "+r.PostForm.Get("hub.callback")+r.PostForm.Get("hub.secret"), h.status)
			return
		}
		w.WriteHeader(h.status)
	})
	for _, code := range []int{301, 302, 303, 307, 308} {
		mux.Handle(fmt.Sprintf("/moved-hub/%d", code), http.RedirectHandler("/hub", code))
		mux.Handle(fmt.Sprintf("/moved/%d", code), http.RedirectHandler("/topic", code))
	}
	mux.HandleFunc("GET /topic", func(w http.ResponseWriter, r *http.Request) { h.topic(w, r) })
	h.server = httptest.NewServer(mux)
	t.Cleanup(h.server.Close)
	return h
}

// says makes the topic answer with a header and a body, in which HUB and TOPIC are
// replaced.
func (h *testHub) says(contentType, link, body string) {
	fill := strings.NewReplacer("HUB", h.server.URL+"/hub", "TOPIC", h.server.URL+"/topic", "HOST", h.server.URL)
	h.topic = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		if link != "" {
			w.Header().Set("Link", fill.Replace(link))
		}
		io.WriteString(w, fill.Replace(body))
	}
}

type delivered struct {
	s    watch.Subscription
	body string
}

func newSubscriber(t *testing.T) (*watch.Subscriber, watch.Store, *[]delivered) {
	store := &watch.MemoryStore{}
	var deliveries []delivered
	s, err := watch.NewSubscriber(store, &watch.SubscriberOptions{
		Callback: "https://callback.example/websub/",
		OnDelivery: func(s watch.Subscription, _ string, body []byte) {
			deliveries = append(deliveries, delivered{s, string(body)})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, store, &deliveries
}

const atomFeed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>
<link rel="hub" href="HUB"/><link rel="self" href="TOPIC"/><entry><link rel="self" href="HOST/no"/></entry></feed>`

// TestDiscovery has the cases of subscribers of websub.rocks, by their numbers.
func TestDiscovery(t *testing.T) {
	for _, test := range []struct {
		name, contentType, link, body string
		path                          string // of the topic that is asked for
		want                          string // path of the topic that is subscribed to
	}{
		{name: "100 HTTP header", contentType: "text/html", link: `<HUB>; rel="hub", <TOPIC>; rel="self"`},
		{name: "101 HTML", contentType: "text/html; charset=utf-8",
			body: `<html><head><link rel="hub" href="HUB"><link rel="self" href="TOPIC"></head><body></body></html>`},
		{name: "102 Atom", contentType: "application/atom+xml", body: atomFeed},
		{name: "103 RSS", contentType: "application/rss+xml",
			body: `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>HOST/</link>
			<atom:link rel="hub" href="HUB"/><atom:link rel="self" href="TOPIC"/><item></item></channel></rss>`},
		{name: "104 header before body", contentType: "text/html", link: `<HUB>; rel=hub, <HOST/first>; rel=self`,
			body: `<head><link rel="hub" href="HOST/no"><link rel="self" href="HOST/no"></head>`, want: "/first"},
		{name: "200 another self", contentType: "text/html", link: `<HUB>; rel="hub", </other>; rel="self"`, want: "/other"},
		{name: "201 topic with 302", contentType: "text/html", link: `</hub>; rel="hub", <TOPIC>; rel="self"`, path: "/moved/302"},
		{name: "202 topic with 301", contentType: "text/html", link: `</hub>; rel="hub", <TOPIC>; rel="self"`, path: "/moved/301"},
		{name: "203 hub with 307", contentType: "text/html", link: `</moved-hub/307>; rel="hub", <TOPIC>; rel="self"`},
		{name: "204 hub with 308", contentType: "text/html", link: `</moved-hub/308>; rel="hub", <TOPIC>; rel="self"`},
		{name: "links in the body of a page", contentType: "text/html",
			body: `<head></head><body><link rel="hub" href="HUB"></body>`, want: "none"},
		{name: "hub with another scheme", contentType: "text/html", link: `<javascript:alert(1)>; rel="hub"`, want: "none"},
		{name: "no self", contentType: "text/html", link: `<HUB>; rel="hub"`, want: "/topic"},
	} {
		t.Run(test.name, func(t *testing.T) {
			hub := newTestHub(t)
			hub.says(test.contentType, test.link, test.body)
			s, store, _ := newSubscriber(t)
			path := test.path
			if path == "" {
				path = "/topic"
			}
			err := s.Subscribe(t.Context(), hub.server.URL+path)
			if test.want == "none" {
				if !errors.Is(err, watch.ErrNoHub) || len(hub.asked) > 0 {
					t.Fatalf("%v, asked %v", err, hub.asked)
				}
				return
			}
			if err != nil || len(hub.asked) != 1 {
				t.Fatalf("%v, asked %v", err, hub.asked)
			}
			want := test.want
			if want == "" {
				want = "/topic"
			}
			form := hub.asked[0]
			if form.Get("hub.mode") != "subscribe" || form.Get("hub.topic") != hub.server.URL+want ||
				!strings.HasPrefix(form.Get("hub.callback"), "https://callback.example/websub/") ||
				form.Get("hub.lease_seconds") == "" {
				t.Errorf("asked %v", form)
			}
			if form.Get("hub.secret") != "" {
				t.Error("sent the secret without https")
			}
			all, err := store.Subscriptions(t.Context())
			if err != nil || len(all) != 1 || len(all[0].ID) < 20 || all[0].State != watch.SubscriptionPending {
				t.Errorf("subscriptions %+v, %v", all, err)
			}
		})
	}
}

// TestHubRefuses keeps why a hub refused, without what makes a callback hard to guess, and does
// not follow redirects that lose the form.
func TestHubRefuses(t *testing.T) {
	for _, test := range []struct {
		hub    string
		status int
		want   string
	}{
		{"/hub", 400, `status 400: "no \x1b[31m for https://callback.example/websub/***\n"`},
		{"/hub", 503, "status 503"},
		{"/moved-hub/302", 202, "status 302"},
		{"/moved-hub/303", 202, "status 303"},
		{"/nothing", 202, "status 404"},
	} {
		hub := newTestHub(t)
		hub.status = test.status
		hub.says("text/html", "<"+test.hub+">; rel=hub", "")
		s, store, _ := newSubscriber(t)
		err := s.Subscribe(t.Context(), hub.server.URL+"/topic")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %d: %v", test.hub, test.status, err)
		}
		all, err := store.Subscriptions(t.Context())
		if err != nil || len(all) != 1 || all[0].State != watch.SubscriptionDenied || all[0].Problem == "" {
			t.Errorf("%s: subscriptions %+v, %v", test.hub, all, err)
		}
		if len(all) == 1 && strings.Contains(all[0].Problem, all[0].ID) {
			t.Errorf("%s: %s", test.hub, all[0].Problem)
		}
	}
}

// request sends a request to a handler.
func request(h http.Handler, method, target, signature, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if signature != "" {
		r.Header.Set("X-Hub-Signature", signature)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// subscribed returns a subscription that waits for its verification.
func subscribed(t *testing.T, s *watch.Subscriber, store watch.Store) watch.Subscription {
	t.Helper()
	hub := newTestHub(t)
	hub.says("text/html", `<HUB>; rel=hub, <TOPIC>; rel=self`, "")
	if err := s.Subscribe(t.Context(), hub.server.URL+"/topic"); err != nil {
		t.Fatal(err)
	}
	all, err := store.Subscriptions(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("subscriptions %+v, %v", all, err)
	}
	return all[0]
}

func verification(of watch.Subscription, mode, topic, challenge, lease string) string {
	return "/websub/" + of.ID + "?" + url.Values{
		"hub.mode": {mode}, "hub.topic": {topic}, "hub.challenge": {challenge}, "hub.lease_seconds": {lease},
	}.Encode()
}

// TestVerification confirms only what was asked for (205 of websub.rocks), safely.
func TestVerification(t *testing.T) {
	const challenge = "aZ09+-./=_"
	s, store, _ := newSubscriber(t)
	of := subscribed(t, s, store)
	other := of
	other.ID = "another"
	for name, target := range map[string]string{
		"205 another topic":           verification(of, "subscribe", of.Self+"x", challenge, "600"),
		"another ID":                  verification(other, "subscribe", of.Self, challenge, "600"),
		"no lease":                    verification(of, "subscribe", of.Self, challenge, ""),
		"negative lease":              verification(of, "subscribe", of.Self, challenge, "-1"),
		"not unsubscribed":            verification(of, "unsubscribe", of.Self, challenge, "600"),
		"unknown mode":                verification(of, "publish", of.Self, challenge, "600"),
		"no challenge":                verification(of, "subscribe", of.Self, "", "600"),
		"challenge with markup":       verification(of, "subscribe", of.Self, "<script>", "600"),
		"challenge with a line break": verification(of, "subscribe", of.Self, "a\r\nb", "600"),
		"long challenge":              verification(of, "subscribe", of.Self, strings.Repeat("a", 5000), "600"),
	} {
		w := request(s, "GET", target, "", "")
		if w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), challenge) {
			t.Errorf("%s: %d %q", name, w.Code, w.Body)
		}
	}
	w := request(s, "GET", verification(of, "subscribe", of.Self, challenge, "600"), "", "")
	if w.Code != http.StatusOK || w.Body.String() != challenge ||
		w.Header().Get("Content-Type") != "application/octet-stream" ||
		w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
	all, err := store.Subscriptions(t.Context())
	if err != nil || all[0].State != watch.SubscriptionActive || time.Until(all[0].LeaseEnd) > 10*time.Minute {
		t.Errorf("verified: %+v, %v", all[0], err)
	}
	if w := request(s, "GET", verification(of, "denied", of.Self, "", ""), "", ""); w.Code != http.StatusOK {
		t.Errorf("denied: %d", w.Code)
	}
	if all, err = store.Subscriptions(t.Context()); err != nil || all[0].State != watch.SubscriptionDenied {
		t.Errorf("denied: %+v, %v", all[0], err)
	}
	if w := request(s, "PUT", "/websub/"+of.ID, "", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %d", w.Code)
	}
}

// activate verifies a subscription and gives it a secret.
func activate(t *testing.T, s *watch.Subscriber, store watch.Store, secret string) watch.Subscription {
	t.Helper()
	of := subscribed(t, s, store)
	request(s, "GET", verification(of, "subscribe", of.Self, "challenge", "600"), "", "")
	all, err := store.Subscriptions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all[0].Secret = secret
	if err := store.SetSubscription(t.Context(), all[0]); err != nil {
		t.Fatal(err)
	}
	return all[0]
}

func sign(method string, newHash func() hash.Hash, secret, body string) string {
	mac := hmac.New(newHash, []byte(secret))
	io.WriteString(mac, body)
	return method + "=" + hex.EncodeToString(mac.Sum(nil))
}

// TestDelivery takes signed deliveries, and answers wrong ones with 2xx without taking
// them (300 to 302 of websub.rocks).
func TestDelivery(t *testing.T) {
	const secret, body = "the secret", "<feed/>"
	for _, test := range []struct {
		name, secret, signature string
		taken                   bool
	}{
		{"300 without secret", "", "", true},
		{"300 sha1", secret, sign("sha1", sha1.New, secret, body), true},
		{"300 sha256", secret, sign("sha256", sha256.New, secret, body), true},
		{"300 sha384", secret, sign("sha384", sha512.New384, secret, body), true},
		{"300 sha512", secret, sign("sha512", sha512.New, secret, body), true},
		{"301 another secret", secret, sign("sha256", sha256.New, "guess", body), false},
		{"301 another body", secret, sign("sha256", sha256.New, secret, "x"), false},
		{"301 another method", secret, strings.Replace(sign("sha256", sha256.New, secret, body), "sha256", "md5", 1), false},
		{"302 no signature", secret, "", false},
		{"302 empty signature", secret, "sha256=", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, store, deliveries := newSubscriber(t)
			of := activate(t, s, store, test.secret)
			w := request(s, "POST", "/websub/"+of.ID, test.signature, body)
			if w.Code < 200 || w.Code > 299 {
				t.Errorf("status %d", w.Code)
			}
			if taken := len(*deliveries) == 1 && (*deliveries)[0].body == body; taken != test.taken {
				t.Errorf("taken: %v", *deliveries)
			}
		})
	}
}

// TestDeliveryRefused answers deliveries that no subscription expects.
func TestDeliveryRefused(t *testing.T) {
	s, store, first := newSubscriber(t)
	of := subscribed(t, s, store)
	if w := request(s, "POST", "/websub/"+of.ID, "", "x"); w.Code != http.StatusGone {
		t.Errorf("before the verification: %d", w.Code)
	}
	if w := request(s, "POST", "/websub/unknown", "", "x"); w.Code != http.StatusNotFound {
		t.Errorf("unknown: %d", w.Code)
	}
	s, store, second := newSubscriber(t)
	of = activate(t, s, store, "")
	large := strings.Repeat("x", 11<<20)
	if w := request(s, "POST", "/websub/"+of.ID, "", large); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too large: %d", w.Code)
	}
	of.LeaseEnd = time.Now().Add(-time.Second)
	if err := store.SetSubscription(t.Context(), of); err != nil {
		t.Fatal(err)
	}
	if w := request(s, "POST", "/websub/"+of.ID, "", "x"); w.Code != http.StatusGone {
		t.Errorf("after the lease: %d", w.Code)
	}
	if len(*first)+len(*second) > 0 {
		t.Errorf("delivered %v and %v", *first, *second)
	}
}

// TestLease renews a lease before it ends, and ends a subscription.
func TestLease(t *testing.T) {
	hub := newTestHub(t)
	hub.says("text/html", `<HUB>; rel=hub, <TOPIC>; rel=self`, "")
	topic := hub.server.URL + "/topic"
	s, store, deliveries := newSubscriber(t)
	of := func() watch.Subscription {
		all, err := store.Subscriptions(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("subscriptions %+v, %v", all, err)
		}
		return all[0]
	}
	if err := s.Subscribe(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	first := of()
	request(s, "GET", verification(first, "subscribe", first.Self, "c", "86400"), "", "")
	for range 2 {
		if err := errors.Join(s.Subscribe(t.Context(), topic), s.Renew(t.Context())); err != nil || len(hub.asked) != 1 {
			t.Fatalf("asked %d times, %v", len(hub.asked), err)
		}
	}
	soon := of()
	soon.LeaseEnd = time.Now().Add(time.Hour)
	if err := store.SetSubscription(t.Context(), soon); err != nil {
		t.Fatal(err)
	}
	if err := s.Renew(t.Context()); err != nil || len(hub.asked) != 2 {
		t.Fatalf("asked %d times, %v", len(hub.asked), err)
	}
	if hub.asked[1].Get("hub.callback") != hub.asked[0].Get("hub.callback") {
		t.Error("the callback changed")
	}
	if w := request(s, "POST", "/websub/"+of().ID, "", "x"); w.Code != http.StatusAccepted || len(*deliveries) != 1 {
		t.Errorf("while the lease is renewed: %d", w.Code)
	}
	request(s, "GET", verification(of(), "subscribe", of().Self, "c", "86400"), "", "")
	if left := time.Until(of().LeaseEnd); left < 23*time.Hour {
		t.Errorf("the lease ends in %v", left)
	}
	if err := s.Unsubscribe(t.Context(), topic); err != nil || hub.asked[2].Get("hub.mode") != "unsubscribe" {
		t.Errorf("%v, %v", err, hub.asked)
	}
	if w := request(s, "GET", verification(of(), "unsubscribe", of().Self, "c", ""), "", ""); w.Code != http.StatusOK {
		t.Errorf("verification of the end: %d", w.Code)
	}
	if w := request(s, "POST", "/websub/"+of().ID, "", "x"); w.Code != http.StatusGone {
		t.Errorf("after the end: %d", w.Code)
	}
}

// TestSubscriberCredentials sends the headers of a site to its feed, and not to the hub.
func TestSubscriberCredentials(t *testing.T) {
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if value := r.Header.Get("Authorization"); value != "" {
			t.Errorf("the hub got %q", value)
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer hub.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Link", `<`+hub.URL+`>; rel="hub"`)
	}))
	defer site.Close()
	w, err := watch.New(&watch.MemoryStore{}, &watch.Options{Access: access.Access{
		Headers: map[string]http.Header{site.URL: {"Authorization": {"Bearer secret"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s, err := w.Subscriber(&watch.SubscriberOptions{Callback: "https://me.example/"})
	if err == nil {
		err = s.Subscribe(t.Context(), site.URL+"/feed.xml")
	}
	if err != nil {
		t.Error(err)
	}
}
