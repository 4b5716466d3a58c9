package watch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/websub"
	"github.com/mapatools/mapa/source"
)

const (
	wantedLease    = 10 * 24 * time.Hour // the hub decides
	againAfter     = 24 * time.Hour      // a hub that refused is asked again, and a topic without a hub
	pendingFor     = time.Hour           // a hub that did not verify is asked again
	maxTopic       = 10 << 20            // bytes of a topic that are searched for its hub
	maxHubAnswer   = 4 << 10             // bytes of a hub's answer that are read
	subscribeLimit = 60 * time.Second    // for one request
	maxSecret      = 200                 // bytes: section 5.1
)

// SubscriberOptions configure a [Subscriber].
type SubscriberOptions struct {
	// Callback is the public URL of the handler, such as https://example.com/websub/.
	// Required. A subscription's own callback is one path segment longer.
	Callback string
	// OnDelivery is called when a hub delivers a topic. It must return soon, and must not
	// believe the hub about what the topic says unless the subscription has a Secret.
	// The body is valid until it returns.
	OnDelivery func(s Subscription, contentType string, body []byte)
	// Access says how topics and hubs are requested. [Watcher.Subscriber] replaces it.
	Access access.Access
}

// A Subscriber subscribes to topics at their hubs and is the handler of their deliveries.
// It may be used by several goroutines.
type Subscriber struct {
	store   Store
	options SubscriberOptions
	base    *url.URL
	client  *http.Client
	mutex   sync.Mutex // one change of a subscription at a time
}

// ErrCallback means that SubscriberOptions.Callback is not an http or https URL.
var ErrCallback = errors.New("the callback must be an http or https URL")

// ErrNoHub means that a topic names no hub.
var ErrNoHub = errors.New("the topic names no hub")

// NewSubscriber returns a subscriber that keeps its subscriptions in store.
func NewSubscriber(store Store, options *SubscriberOptions) (*Subscriber, error) {
	s := &Subscriber{store: store}
	if options != nil {
		s.options = *options
	}
	base, err := url.Parse(s.options.Callback)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" {
		return nil, ErrCallback
	}
	s.base = base
	stream, err := fetch.NewStream(&s.options.Access)
	s.client = &http.Client{Transport: fetch.Waiting{Stream: stream}, CheckRedirect: checkSubscribeRedirect}
	return s, err
}

// Subscriber returns a subscriber that shares the store of the watcher, and its rate for
// every host.
func (w *Watcher) Subscriber(options *SubscriberOptions) (*Subscriber, error) {
	own := *options
	own.Access = access.Access{Transport: w.client.Stream(nil)}
	return NewSubscriber(w.store, &own)
}

// checkSubscribeRedirect follows redirects of a topic, and of a hub those that keep the
// method (section 5.1: 307 and 308).
func checkSubscribeRedirect(next *http.Request, via []*http.Request) error {
	next.URL.User = nil // credentials that a site names are not sent
	switch {
	case len(via) > maxHops:
		return fmt.Errorf("%w: more than %d", source.ErrRedirect, maxHops)
	case next.URL.Scheme != "http" && next.URL.Scheme != "https":
		return fmt.Errorf("%w: to %s", source.ErrRedirect, next.URL.Scheme)
	case next.Method != via[0].Method:
		return http.ErrUseLastResponse
	}
	return nil
}

// Subscribe finds the hub of a topic and asks it for a subscription, unless there is one
// already. The hub confirms it later, at the handler. The error wraps [ErrNoHub] when the
// topic names none, which is remembered for a day.
func (s *Subscriber) Subscribe(ctx context.Context, topic string) error {
	known, err := s.find(ctx, func(of *Subscription) bool { return of.Topic == topic })
	if err != nil {
		return err
	}
	if known != nil && !known.isDue(time.Now()) {
		if known.State == SubscriptionNoHub {
			return fmt.Errorf("%s: %w", topic, ErrNoHub)
		}
		return nil
	}
	links, err := s.discover(ctx, topic)
	if err != nil {
		return err
	}
	next := Subscription{ID: rand.Text(), Topic: topic}
	if known != nil {
		next = *known
	}
	next.Requested = time.Now().UTC()
	if len(links.Hubs) == 0 {
		next.State = SubscriptionNoHub
		if err := s.set(ctx, &next); err != nil {
			return err
		}
		return fmt.Errorf("%s: %w", topic, ErrNoHub)
	}
	next.Self, next.Hub = cmp.Or(links.Self, topic), links.Hubs[0]
	if next.Secret == "" && strings.HasPrefix(next.Hub, "https://") {
		next.Secret = rand.Text() + rand.Text()
	}
	return s.ask(ctx, &next, "subscribe", SubscriptionPending)
}

// isDue reports whether the hub is to be asked, again or because the lease ends soon. What
// was recorded before the clock was set back does not count.
func (s *Subscription) isDue(now time.Time) bool {
	switch s.State {
	case SubscriptionEnding, SubscriptionEnded:
		return false
	case SubscriptionActive:
		return isAhead(s.Requested, now) || now.After(s.LeaseEnd.Add(-max(s.Lease/4, time.Minute)))
	case SubscriptionPending:
		return isAhead(s.Requested, now) || now.After(s.Requested.Add(pendingFor))
	}
	return isAhead(s.Requested, now) || now.After(s.Requested.Add(againAfter))
}

// Renew asks the hubs of all subscriptions whose lease ends soon, and of those that were
// refused a day ago. It returns the joined errors of the hubs.
func (s *Subscriber) Renew(ctx context.Context) error {
	all, err := s.store.Subscriptions(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for i := range all {
		if !all[i].isDue(time.Now()) {
			continue
		}
		if err := s.Subscribe(ctx, all[i].Topic); err != nil && !errors.Is(err, ErrNoHub) {
			errs = append(errs, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(errs...)
}

// Unsubscribe asks the hub of a topic to end the subscription. Later deliveries are
// answered with 410.
func (s *Subscriber) Unsubscribe(ctx context.Context, topic string) error {
	known, err := s.find(ctx, func(of *Subscription) bool { return of.Topic == topic })
	if err != nil || known == nil || known.Hub == "" {
		return err
	}
	return s.ask(ctx, known, "unsubscribe", SubscriptionEnding)
}

// discover requests a topic and returns its hubs.
func (s *Subscriber) discover(ctx context.Context, topic string) (websub.Links, error) {
	ctx, cancel := context.WithTimeout(ctx, subscribeLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, topic, nil)
	if err != nil {
		return websub.Links{}, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return websub.Links{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return websub.Links{}, fmt.Errorf("%s: %w", topic, &source.StatusError{Status: response.StatusCode})
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxTopic))
	if err != nil {
		return websub.Links{}, fmt.Errorf("%s: %w", topic, err)
	}
	return websub.Discover(response.Header, body, response.Request.URL.String()), nil
}

// ask stores a subscription, since the hub may verify it at once, and sends the request.
func (s *Subscriber) ask(ctx context.Context, of *Subscription, mode string, state SubscriptionState) error {
	of.State, of.Problem = state, ""
	if err := s.set(ctx, of); err != nil {
		return err
	}
	form := url.Values{
		"hub.mode": {mode}, "hub.topic": {of.Self}, "hub.callback": {s.base.JoinPath(of.ID).String()},
	}
	if mode == "subscribe" {
		form.Set("hub.lease_seconds", strconv.Itoa(int(wantedLease/time.Second)))
		if of.Secret != "" && len(of.Secret) < maxSecret {
			form.Set("hub.secret", of.Secret)
		}
	}
	err := s.post(ctx, of.Hub, form)
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*HubError](err); ok {
		refused.Text = of.hideSecrets(refused.Text)
	}
	err = fmt.Errorf("the hub %s: %w", of.Hub, err)
	return errors.Join(err, s.change(ctx, of.ID, func(now *Subscription) {
		now.Problem = err.Error()
		if now.State = SubscriptionDenied; now.LeaseEnd.After(time.Now()) {
			now.State = SubscriptionActive // until the lease ends the hub delivers
		}
	}))
}

// hideSecrets replaces what others could use to forge deliveries in the answer of a hub,
// which may repeat the request.
func (s *Subscription) hideSecrets(text string) string {
	text = strings.ReplaceAll(text, s.ID, "***")
	if s.Secret != "" {
		text = strings.ReplaceAll(text, s.Secret, "***")
	}
	return text
}

// A HubError reports that a hub refused a request.
type HubError struct {
	Status int
	Text   string // what the hub says, shortened; hostile
}

// Error returns the status. The text of the hub is quoted.
func (e *HubError) Error() string { return fmt.Sprintf("status %d: %.200q", e.Status, e.Text) }

func (s *Subscriber) post(ctx context.Context, hub string, form url.Values) error {
	ctx, cancel := context.WithTimeout(ctx, subscribeLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, hub, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxHubAnswer))
	if err != nil {
		text = nil // the status says enough
	}
	return &HubError{response.StatusCode, string(text)}
}

// find returns the subscription that fits, or nil.
func (s *Subscriber) find(ctx context.Context, fits func(*Subscription) bool) (*Subscription, error) {
	all, err := s.store.Subscriptions(ctx)
	for i := range all {
		if fits(&all[i]) {
			return &all[i], err
		}
	}
	return nil, err
}

func (s *Subscriber) set(ctx context.Context, of *Subscription) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.store.SetSubscription(ctx, *of)
}

// change changes a subscription as it is now.
func (s *Subscriber) change(ctx context.Context, id string, change func(*Subscription)) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now, err := s.find(ctx, func(of *Subscription) bool { return of.ID == id })
	if err != nil || now == nil {
		return err
	}
	change(now)
	return s.store.SetSubscription(ctx, *now)
}
