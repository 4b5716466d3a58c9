package watch

import "time"

// EventVersion is the version of the JSON form of an [Event].
const EventVersion = 1

// An EventType says what happened to a page.
type EventType string

// The types of events.
const (
	EventNew     EventType = "new"     // no sitemap of the site listed the page in the last pass
	EventChanged EventType = "changed" // Event.Fields differ
	EventGone    EventType = "gone"    // no sitemap of the site lists the page any more
)

// An Event is one change of a page in the sitemaps of a site. Its JSON form is one line
// of the output of `mapa watch`.
type Event struct {
	// ID identifies the change. Two deliveries of one change have the same ID, and two
	// changes never do.
	ID string `json:"id"`
	// Time is when the pass began that found the change, in UTC.
	Time time.Time `json:"time"`
	// Site is the site as it was given to the watcher.
	Site string    `json:"site"`
	Type EventType `json:"type"`
	// Loc is the URL of the page as the sitemap has it.
	Loc string `json:"loc"`
	// LastMod is the date as the sitemap has it; of a gone page the last one known.
	LastMod string `json:"lastmod,omitempty"`
	// Fields are the names of the fields that differ, of a changed page only: lastmod,
	// changefreq, priority, images, videos, news, alternates and other.
	Fields []string `json:"fields,omitempty"`
	// Sitemap is the URL of the sitemap or feed that lists, or listed, the page.
	Sitemap string `json:"sitemap"`
}
