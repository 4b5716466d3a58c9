package lint

import (
	"context"
	"net/http"
	"time"
)

// Live is how the linter sees the site itself: as polite as a crawl is.
type Live interface {
	// Get asks for an address, without following redirects.
	Get(ctx context.Context, url string) (*Answer, error)
}

// An Answer is what a site says of one address.
type Answer struct {
	Status   int
	Header   http.Header
	Location string // absolute, of a redirect
	Time     time.Time
	// What an HTML page says of itself; empty for anything else.
	Canonical  string // absolute
	NoIndex    string // where it says so: "meta robots", "X-Robots-Tag header"
	Alternates map[string]string
	Modified   time.Time // by the page's own dates
	Body       []byte    // the beginning of what is no HTML, at most 64 KiB
}
