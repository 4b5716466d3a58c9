package lint

import (
	"context"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// The number of bytes of a body that are read, and of redirects that are followed.
const (
	pageLimit    = 2 << 20
	imageLimit   = 64 << 10
	maxRedirects = 10 // https://developers.google.com/search/docs/crawling-indexing/http-network-errors
)

// imageTypes are read like pages, for the size of the image.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// chain is an address with the redirects that it leads to.
type chain struct {
	urls    []string
	answers []*fetch.Answer // of URLs, as far as there are answers
	err     error           // why the last has no answer
	endless bool            // the last redirects, and was not followed any more
}

// follow requests an address and what it redirects to.
func follow(ctx context.Context, site *fetch.Site, url string, limit int64) *chain {
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
func (c *chain) end() *fetch.Answer {
	if c.err != nil || c.endless {
		return nil
	}
	return c.answers[len(c.answers)-1]
}

// own returns the answer of the address itself, or nil where it redirects, was not
// requested, or does not answer.
func (c *chain) own() *fetch.Answer {
	if a := c.end(); a != nil && len(c.urls) == 1 && a.Location == "" && a.Forbidden == "" && a.Skipped == "" {
		return a
	}
	return nil
}
