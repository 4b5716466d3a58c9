package lint

import (
	"context"
	"net/http"
)

// Live is how the linter sees the site itself: as polite as a crawl is. It is
// asked by several goroutines at once.
type Live interface {
	// Get asks for an address once, without following redirects, and returns what
	// came, with at most so many bytes of the body as were asked for. Of what is
	// neither text nor an image the body may be missing. An error says that nothing
	// came.
	Get(ctx context.Context, url string, limit int64) (*Answer, error)
}

// An Answer is what a site says of one address.
type Answer struct {
	Status   int
	Header   http.Header
	Location string // absolute, of a redirect
	Body     []byte // without its Content-Encoding
	// Forbidden is the rule of robots.txt for which the address was not asked.
	// Everything else is empty then.
	Forbidden string
	// Skipped is why the address was not requested though no rule disallows it,
	// such as a Crawl-delay that is too long for a check. Everything else is
	// empty then, and no rule reports anything.
	Skipped string
}

// Live rules stop reading where these lie.
const (
	pageLimit    = 2 << 20
	pictureLimit = 64 << 10
	redirectsMax = 10 // https://developers.google.com/search/docs/crawling-indexing/http-network-errors
)

// A trail is an address with the redirects that lead on from it.
type trail struct {
	urls    []string
	answers []*Answer // of urls, as far as they were asked
	err     error     // why the last has none
	endless bool      // the last redirects, and was not followed any more
}

// follow asks for an address and for what it redirects to.
func follow(ctx context.Context, live Live, url string, limit int64) *trail {
	t := &trail{urls: []string{url}}
	for {
		answer, err := live.Get(ctx, t.urls[len(t.urls)-1], limit)
		if err != nil {
			t.err = err
			return t
		}
		t.answers = append(t.answers, answer)
		if answer.Location == "" {
			return t
		}
		if len(t.urls) > redirectsMax {
			t.endless = true
			return t
		}
		for _, before := range t.urls {
			t.endless = t.endless || before == answer.Location
		}
		if t.endless {
			return t
		}
		t.urls = append(t.urls, answer.Location)
	}
}

// redirects counts how often one has to go on.
func (t *trail) redirects() int {
	n := len(t.urls) - 1
	if t.endless {
		n++
	}
	return n
}

// end returns the last answer, or nil where there is none.
func (t *trail) end() *Answer {
	if t.err != nil || t.endless {
		return nil
	}
	return t.answers[len(t.answers)-1]
}

// own returns the answer of the address itself, or nil where it redirects, may
// not be asked, or does not answer.
func (t *trail) own() *Answer {
	if a := t.end(); a != nil && len(t.urls) == 1 && a.Forbidden == "" && a.Skipped == "" {
		return a
	}
	return nil
}
