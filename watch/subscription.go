package watch

import "time"

// A Subscription is a request to a hub to deliver what changes in a topic, such as a feed
// (WebSub, W3C Recommendation of 2 June 2026).
type Subscription struct {
	// ID is the last part of the callback URL. Nobody can guess it.
	ID string `json:"id"`
	// Topic is the URL that was asked for, and Self the one that the publisher names.
	Topic string `json:"topic"`
	Self  string `json:"self"`
	Hub   string `json:"hub"`
	// Secret signs deliveries. It is sent only to a hub with https.
	Secret string            `json:"secret,omitempty"`
	State  SubscriptionState `json:"state"`
	// Problem is why the hub refused, or empty.
	Problem string `json:"problem,omitempty"`

	Requested    time.Time     `json:"requested"`     // when the hub was asked last
	LeaseEnd     time.Time     `json:"lease_end"`     // of an active subscription
	Lease        time.Duration `json:"lease"`         // that the hub granted
	LastDelivery time.Time     `json:"last_delivery"` // that was accepted
}

// A SubscriptionState says how far a subscription is.
type SubscriptionState string

// The states.
const (
	SubscriptionPending SubscriptionState = "pending" // the hub has not verified it yet
	SubscriptionActive  SubscriptionState = "active"  // the hub delivers until the lease ends
	SubscriptionDenied  SubscriptionState = "denied"  // the hub refused it
	SubscriptionEnding  SubscriptionState = "ending"  // the hub was asked to end it
	SubscriptionEnded   SubscriptionState = "ended"
	SubscriptionNoHub   SubscriptionState = "no-hub" // the topic names no hub
)

// isActive reports whether the hub may deliver.
func (s *Subscription) isActive(now time.Time) bool {
	return (s.State == SubscriptionActive || s.State == SubscriptionPending) && now.Before(s.LeaseEnd)
}
