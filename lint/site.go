package lint

import (
	"context"
	"net/http"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Live requests the site itself, as politely as a crawl. Several goroutines call
// it at the same time.
type Live interface {
	// Get requests an address once, without following redirects, and returns the
	// answer with at most limit bytes of the body. The body of what is neither text
	// nor an image may be missing. An error means that there is no answer.
	Get(ctx context.Context, url string, limit int64) (*Answer, error)
}

// Answer is what a site answers for one address.
type Answer struct {
	Status   int
	Header   http.Header
	Location string // absolute, of a redirect
	Body     []byte // without its Content-Encoding
	// Forbidden is the rule of robots.txt that forbids the request. Everything else
	// is empty then.
	Forbidden string
	// Skipped is why the address was not requested although no rule forbids it, such
	// as a Crawl-delay that is too long for a check. Everything else is empty then,
	// and no rule reports anything.
	Skipped string
}

// The number of bytes of a body that are read, and of redirects that are followed.
const (
	pageLimit    = 2 << 20
	imageLimit   = 64 << 10
	maxRedirects = 10 // https://developers.google.com/search/docs/crawling-indexing/http-network-errors
)

// chain is an address with the redirects that it leads to.
type chain struct {
	urls    []string
	answers []*Answer // of URLs, as far as there are answers
	err     error     // why the last has no answer
	endless bool      // the last redirects, and was not followed any more
}

// follow requests an address and what it redirects to.
func follow(ctx context.Context, site Live, url string, limit int64) *chain {
	c := &chain{urls: []string{url}}
	for {
		answer, err := site.Get(ctx, c.last(), limit)
		if err != nil {
			c.err = err
			return c
		}
		c.answers = append(c.answers, answer)
		if answer.Location == "" || !urlnorm.IsHTTP(answer.Location) {
			return c
		}
		if len(c.urls) > maxRedirects {
			c.endless = true
			return c
		}
		for _, before := range c.urls {
			c.endless = c.endless || before == answer.Location
		}
		if c.endless {
			return c
		}
		c.urls = append(c.urls, answer.Location)
	}
}

// last is the last address.
func (c *chain) last() string { return c.urls[len(c.urls)-1] }

// redirects is the number of redirects, with one that was not followed.
func (c *chain) redirects() (n int) {
	for _, answer := range c.answers {
		if answer.Location != "" {
			n++
		}
	}
	return n
}

// end returns the last answer, or nil without one. It is a redirect when its target is
// not an http or https URL.
func (c *chain) end() *Answer {
	if c.err != nil || c.endless {
		return nil
	}
	return c.answers[len(c.answers)-1]
}

// own returns the answer of the address itself, or nil where it redirects, was not
// requested, or does not answer.
func (c *chain) own() *Answer {
	if a := c.end(); a != nil && len(c.urls) == 1 && a.Location == "" && a.Forbidden == "" && a.Skipped == "" {
		return a
	}
	return nil
}
