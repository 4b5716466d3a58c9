package fetch

import (
	"context"
	"net/http"
	"strings"
)

// serves reports whether the requests for a URL are answered in this process.
func (l *Local) serves(url string) bool {
	if l == nil {
		return false
	}
	rest, found := strings.CutPrefix(url, strings.TrimSuffix(l.Origin, "/"))
	return found && (rest == "" || strings.ContainsAny(rest[:1], "/?#"))
}

// fetchLocal is Fetch for a URL that transport answers in this process.
func (e *exchange) fetchLocal(ctx context.Context, transport http.RoundTripper, req *Request) (*Response, error) {
	to, err := parseTarget(req.URL)
	if err != nil {
		return nil, err
	}
	ctx, watch := e.timeouts.watch(ctx)
	defer watch.stop()
	return e.exchange(ctx, handlerTransport{transport, &to}, &to, req, watch)
}

// handlerTransport passes requests on with the URL that handlers expect.
type handlerTransport struct {
	next http.RoundTripper
	to   *target
}

// RoundTrip implements [http.RoundTripper].
func (t handlerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r.URL, _ = t.to.parsedURL()
	return t.next.RoundTrip(r)
}
