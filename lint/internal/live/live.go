// Package live asks a site for a sample of the pages that its sitemaps list, and
// holds what it answers for the rules that judge it.
package live

import (
	"context"
	"net/http"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Site is where the pages are. Several goroutines call it at the same time.
type Site interface {
	// Get requests an address once, without following redirects, and returns the
	// answer with at most limit bytes of the body. An error means that there is no
	// answer.
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
	PageLimit    = 2 << 20
	ImageLimit   = 64 << 10
	maxRedirects = 10 // https://developers.google.com/search/docs/crawling-indexing/http-network-errors
)

// Chain is an address with the redirects that it leads to.
type Chain struct {
	URLs    []string
	Answers []*Answer // of URLs, as far as there are answers
	Err     error     // why the last has no answer
	Endless bool      // the last redirects, and was not followed any more
}

// Follow requests an address and what it redirects to.
func Follow(ctx context.Context, site Site, url string, limit int64) *Chain {
	c := &Chain{URLs: []string{url}}
	for {
		answer, err := site.Get(ctx, c.Last(), limit)
		if err != nil {
			c.Err = err
			return c
		}
		c.Answers = append(c.Answers, answer)
		if answer.Location == "" || !urlnorm.IsHTTP(answer.Location) {
			return c
		}
		if len(c.URLs) > maxRedirects {
			c.Endless = true
			return c
		}
		for _, before := range c.URLs {
			c.Endless = c.Endless || before == answer.Location
		}
		if c.Endless {
			return c
		}
		c.URLs = append(c.URLs, answer.Location)
	}
}

// Last is the last address.
func (c *Chain) Last() string { return c.URLs[len(c.URLs)-1] }

// Redirects is the number of redirects, with one that was not followed.
func (c *Chain) Redirects() (n int) {
	for _, answer := range c.Answers {
		if answer.Location != "" {
			n++
		}
	}
	return n
}

// End returns the last answer, or nil without one. It is a redirect when its target is
// not an http or https URL.
func (c *Chain) End() *Answer {
	if c.Err != nil || c.Endless {
		return nil
	}
	return c.Answers[len(c.Answers)-1]
}

// Own returns the answer of the address itself, or nil where it redirects, was not
// requested, or does not answer.
func (c *Chain) Own() *Answer {
	if a := c.End(); a != nil && len(c.URLs) == 1 && a.Location == "" && a.Forbidden == "" && a.Skipped == "" {
		return a
	}
	return nil
}
