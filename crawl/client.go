package crawl

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/fetch"
)

// HTTP returns a client that goes the ways of a crawl with these options: its
// proxy, its guard, and what it sends to the start's origin alone. It is for
// what the seeds are read from, keeps no rate, and is safe for concurrent use.
// The error wraps [ErrStart] or is about the proxy.
func (o *Options) HTTP() (*http.Client, error) {
	start, err := url.Parse(o.Start)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	client, err := fetch.New(o.fetchOptions(start))
	if err != nil {
		return nil, err
	}
	return client.HTTP(), nil
}
