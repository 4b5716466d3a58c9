package announce

import (
	"context"
	"iter"
	"slices"
	"time"
)

// A Provider is a service that takes announcements. The names are stable.
type Provider string

// The providers. ProviderRobots is the robots.txt of the site, which every engine reads.
const (
	ProviderRobots   Provider = "robots"
	ProviderGoogle   Provider = "google"
	ProviderBing     Provider = "bing"
	ProviderIndexNow Provider = "indexnow"
	ProviderYandex   Provider = "yandex"
	ProviderBaidu    Provider = "baidu"
	ProviderWebSub   Provider = "websub"
)

// Providers returns all providers.
func Providers() []Provider {
	return []Provider{
		ProviderRobots, ProviderGoogle, ProviderBing, ProviderIndexNow, ProviderYandex, ProviderBaidu, ProviderWebSub,
	}
}

// A Kind is a kind of thing that is announced, or asked for. The names are stable.
type Kind string

// The kinds. KindRecrawl is a request to read a known sitemap again, which Yandex counts
// separately.
const (
	KindSitemap Kind = "sitemap"
	KindURLs    Kind = "urls"
	KindFeed    Kind = "feed"
	KindRecrawl Kind = "sitemap-recrawl"
)

// An Item is one thing to announce.
type Item struct {
	// URL is absolute. Its fragment is not sent.
	URL string
	// Version identifies the content. A [Ledger] sends each version once; the empty
	// version is always new.
	Version string
}

// An Announcement is what happened to a site.
type Announcement struct {
	// Sitemap is the sitemap, an index where there is one. An empty URL announces none.
	Sitemap Item
	// URLs are the pages that were added, changed or deleted. Nil announces none. They
	// are read once for each call, and the first error ends the announcement.
	URLs iter.Seq2[Item, error]
	// Feeds are the feeds of WebSub, with URLs as their rel=self link says.
	Feeds []Item
}

// An Announcer announces to one provider. It is safe for concurrent use.
type Announcer interface {
	// Provider returns the provider.
	Provider() Provider
	// Plan yields the requests that Announce would send, and sends nothing. Values that
	// only an answer gives are names in braces, such as {user-id}.
	Plan(a *Announcement) iter.Seq2[Request, error]
	// Announce sends an announcement and returns one result for each kind and target.
	// It ends soon after ctx.
	Announce(ctx context.Context, a *Announcement) []Result
}

// A StatusReader is an [Announcer] of a provider that says what it thinks of a sitemap.
type StatusReader interface {
	Announcer
	// ReadStatus returns what the provider says about a sitemap. The error is an
	// [*Error].
	ReadStatus(ctx context.Context, sitemap string) (*SitemapStatus, error)
}

// A SitemapStatus is what a provider says about a sitemap. Fields that it does not say
// are zero, counts -1.
type SitemapStatus struct {
	Provider Provider `json:"provider"`
	// Target is the property, site or host of the provider.
	Target string `json:"target"`
	// Known reports whether the provider has the sitemap.
	Known bool `json:"known"`
	// Pending reports whether it has yet to be read since it was submitted.
	Pending   bool      `json:"pending"`
	Submitted time.Time `json:"submitted,omitzero"`
	Read      time.Time `json:"read,omitzero"`
	Errors    int64     `json:"errors"`
	Warnings  int64     `json:"warnings"`
	URLs      int64     `json:"urls"`
	// Text is the state in the words of the provider, or empty.
	Text string `json:"text,omitempty"`
}

// A Result is the outcome of announcing one kind of items to one target.
type Result struct {
	Provider Provider `json:"provider"`
	Kind     Kind     `json:"kind"`
	// Target is the Google property, the host, the site or the hub.
	Target string `json:"target,omitempty"`
	// Sent is the number of items that the provider received.
	Sent int `json:"sent"`
	// Pending is the number of items that it takes once it has verified the site.
	Pending int `json:"pending"`
	// Known is the number of items that were sent before in the same version.
	Known int `json:"known"`
	// Waiting is the number of items that cannot be sent yet: because of a cooldown, a
	// quota, another run, or an earlier failure.
	Waiting int `json:"waiting"`
	// Failed is the number of items that the provider, or a check, refused.
	Failed int `json:"failed"`
	// Repeated is the number of items that were sent although an earlier attempt, whose
	// outcome is unknown, may have been received.
	Repeated int `json:"repeated,omitempty"`
	// Until is when waiting items can be sent, if that is known.
	Until time.Time `json:"until,omitzero"`
	// Notes say what else there is to know.
	Notes []string `json:"notes,omitempty"`
	// Err is the first error, usually an [*Error]; nil when nothing failed.
	Err error `json:"-"`
}

func (r *Result) note(text string) {
	const maxNotes = 5
	if slices.Contains(r.Notes, text) {
		return
	}
	if text != "" && len(r.Notes) < maxNotes {
		r.Notes = append(r.Notes, text)
	}
}

// fail records an error, and that some items failed. A later error is dropped.
func (r *Result) fail(err error, items int) {
	r.Failed += items
	if r.Err == nil {
		r.Err = err
	}
}
