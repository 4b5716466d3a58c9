package watch

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

const (
	maxDelivery  = 10 << 20 // bytes of a delivery
	maxChallenge = 512      // characters
	shortLease   = time.Minute
	longLease    = 90 * 24 * time.Hour
)

// ServeHTTP implements [http.Handler]: GET for the verifications of hubs and POST for
// their deliveries. The last segment of the path is the ID of the subscription, so the
// handler can be at any path of a mux. Use it behind a server with timeouts.
func (s *Subscriber) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodGet:
		s.verify(w, r)
	case http.MethodPost:
		s.take(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "use GET or POST", http.StatusMethodNotAllowed)
	}
}

// subscription returns the subscription of a request, or answers it.
func (s *Subscriber) subscription(w http.ResponseWriter, r *http.Request) *Subscription {
	id := path.Base(r.URL.Path)
	found, err := s.find(r.Context(), func(of *Subscription) bool {
		return hmac.Equal([]byte(of.ID), []byte(id))
	})
	switch {
	case err != nil:
		http.Error(w, "the subscriptions cannot be read", http.StatusInternalServerError)
		return nil
	case found == nil:
		http.NotFound(w, r)
	}
	return found
}

// verify answers the question of a hub whether a subscription was asked for (section
// 5.3). Only one that was is confirmed.
func (s *Subscriber) verify(w http.ResponseWriter, r *http.Request) {
	of := s.subscription(w, r)
	if of == nil {
		return
	}
	query := r.URL.Query()
	if query.Get("hub.topic") != of.Self {
		http.NotFound(w, r)
		return
	}
	change := verified(of, query.Get("hub.mode"), query.Get("hub.lease_seconds"), time.Now().UTC())
	if change == nil {
		http.NotFound(w, r)
		return
	}
	challenge := query.Get("hub.challenge")
	if query.Get("hub.mode") == "denied" {
		challenge = ""
	} else if !isChallenge(challenge) {
		http.NotFound(w, r)
		return
	}
	if err := s.change(r.Context(), of.ID, change); err != nil {
		http.Error(w, "the subscription cannot be stored", http.StatusInternalServerError)
		return
	}
	// A type that no browser interprets, since the challenge comes from outside (section
	// 5.3.1).
	w.Header().Set("Content-Type", "application/octet-stream")
	// The hub sees a failure to write as one of its own.
	_, _ = io.WriteString(w, challenge)
}

// verified returns what a verification changes, or nil for one that nobody asked for.
func verified(of *Subscription, mode, lease string, now time.Time) func(*Subscription) {
	switch {
	case mode == "denied":
		return func(s *Subscription) { s.State, s.Problem = SubscriptionDenied, "denied by the hub" }
	case mode == "unsubscribe" && of.State == SubscriptionEnding:
		return func(s *Subscription) { s.State = SubscriptionEnded }
	case mode == "subscribe" && of.isAsked(now):
		seconds, err := strconv.ParseInt(lease, 10, 64)
		granted := longLease
		if err != nil || seconds <= 0 {
			return nil
		}
		if seconds < int64(longLease/time.Second) {
			granted = max(time.Duration(seconds)*time.Second, shortLease)
		}
		return func(s *Subscription) {
			s.State, s.Lease, s.LeaseEnd = SubscriptionActive, granted, now.Add(granted)
		}
	}
	return nil
}

// isAsked reports whether the hub was asked recently. It may verify again when it did not
// get the answer to its first verification.
func (s *Subscription) isAsked(now time.Time) bool {
	return (s.State == SubscriptionPending || s.State == SubscriptionActive) && now.Before(s.Requested.Add(pendingFor))
}

// isChallenge reports whether a challenge has the characters of section 5.3.1 only.
func isChallenge(text string) bool {
	return text != "" && len(text) <= maxChallenge && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("+-./=_", r))
	})
}

// take accepts the delivery of a hub (section 7). One with a wrong signature is answered
// like a right one and ignored.
func (s *Subscriber) take(w http.ResponseWriter, r *http.Request) {
	of := s.subscription(w, r)
	if of == nil {
		return
	}
	now := time.Now().UTC()
	if !of.isActive(now) {
		http.Error(w, "the subscription has ended", http.StatusGone)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "the delivery is too large", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the delivery ended early", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if of.Secret != "" && !isSigned(body, of.Secret, r.Header.Get("X-Hub-Signature")) {
		return
	}
	if err := s.change(r.Context(), of.ID, func(s *Subscription) { s.LastDelivery = now }); err != nil {
		return // the time is for people; polling finds what a full disk hides
	}
	if s.options.OnDelivery != nil {
		s.options.OnDelivery(*of, r.Header.Get("Content-Type"), body)
	}
}

// signatures are the methods of section 7.1.
var signatures = map[string]func() hash.Hash{
	"sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// isSigned reports whether the header has the HMAC of the body.
func isSigned(body []byte, secret, header string) bool {
	method, text, _ := strings.Cut(header, "=")
	newHash := signatures[strings.ToLower(strings.TrimSpace(method))]
	sent, err := hex.DecodeString(strings.TrimSpace(text))
	if newHash == nil || err != nil {
		return false
	}
	mac := hmac.New(newHash, []byte(secret))
	mac.Write(body)
	return hmac.Equal(mac.Sum(nil), sent)
}
