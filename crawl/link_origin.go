package crawl

import (
	"maps"
	"net/http"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// A LinkOrigin says how the URLs of one origin are requested, such as those of an intranet that
// pages link to.
type LinkOrigin struct {
	// Header is sent to the origin, and to no other, also after redirects. Its fields replace
	// those that Access has for the origin.
	Header http.Header
	// Rate, unless nil, is in place of that of Access. The http and https URLs of a host share it.
	Rate *access.Rate
}

// addOrigins adds how some origins are requested to the options of a client.
func addOrigins(options *fetch.Options, origins map[string]LinkOrigin) {
	if len(origins) == 0 {
		return
	}
	options.Headers = maps.Clone(options.Headers) // the caller's
	if options.Headers == nil {
		options.Headers = map[string]http.Header{}
	}
	options.Rates = map[string]access.Rate{}
	for origin, how := range origins {
		if len(how.Header) > 0 {
			header := options.Headers[origin].Clone()
			if header == nil {
				header = http.Header{}
			}
			maps.Copy(header, how.Header)
			options.Headers[origin] = header
		}
		if how.Rate != nil {
			options.Rates[origin] = *how.Rate
		}
	}
}
