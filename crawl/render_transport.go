package crawl

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// maxRenderBody is how many bytes of a response a browser gets, as sent.
const maxRenderBody = 10 << 20

// A renderTransport sends what a browser requests while it renders a page. It obeys robots.txt, the
// rate of each host and the scope, and sends credentials only to their origin, as the crawl does.
// Hosts other than those of the site must be public.
type renderTransport struct {
	*site
	own    fetch.Stream
	others fetch.Stream  // whose connections are checked
	client *fetch.Client // of others; nil if that is own
}

// newRenderTransport returns the transport of a crawl.
func newRenderTransport(s *site) *renderTransport {
	own := &siteStream{Stream: s.client.Stream(s.hosts.robots), address: s.address}
	t := &renderTransport{site: s, own: own, others: own}
	access := s.options.Access
	isPrivate := fetch.IsPrivate(urlnorm.Host(s.hosts.start))
	if access.PublicOnly || access.Proxy != "" || access.Transport != nil || isPrivate {
		return t
	}
	access.PublicOnly = true
	client, err := fetch.New(&fetch.Options{Access: access, PerHost: s.options.Concurrency})
	if err == nil { // the options are those of a client that exists
		robots := fetch.NewRobots(client, &fetch.RobotsOptions{CapDelay: true, IgnoreRules: s.options.Scope.IgnoreRobots})
		t.client, t.others = client, client.Stream(robots)
	}
	return t
}

// close closes idle connections. t may be nil.
func (t *renderTransport) close() {
	if t != nil && t.client != nil {
		t.client.Close()
	}
}

// A RenderRefusal reports a request of a browser that a crawl does not send.
type RenderRefusal struct {
	URL    string
	Reason string
}

// Error names the URL and the reason.
func (e *RenderRefusal) Error() string { return fmt.Sprintf("%s: not requested: %s", e.URL, e.Reason) }

// Admit implements [RenderTransport].
func (t *renderTransport) Admit(r *http.Request) error {
	if reason := t.refusal(r); reason != "" {
		return &RenderRefusal{r.URL.Redacted(), reason}
	}
	return t.streamFor(r).Admit(r)
}

// RoundTrip implements [http.RoundTripper].
func (t *renderTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	request := r.Clone(r.Context())
	request.Body = nil
	request.Header.Del("Cookie")
	response, err := t.streamFor(request).RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{response.Body, maxRenderBody}
	return response, nil
}

// refusal returns why a request is not sent, or "".
func (t *renderTransport) refusal(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	default:
		return "the method is " + r.Method
	}
	isOwn := t.isOwn(r.URL.String())
	if IsFrame(r.Context()) {
		n := normalizer{site: t.site}
		public := n.absolute([]byte(t.start), []byte(r.URL.String()))
		if public == nil || !t.scope.onSite(public) {
			return "a frame of another site"
		}
		if reason, _ := t.scope.fetchReason(public); reason != ReasonListed {
			return string(reason)
		}
	}
	if t.options.Local.Offline && !isOwn {
		return "another site"
	}
	return ""
}

// isOwn reports whether a URL is of a host of the site.
func (t *renderTransport) isOwn(address string) bool {
	n := normalizer{site: t.site}
	public := n.absolute([]byte(t.start), []byte(address))
	return public != nil && t.scope.onSite(public) || urlnorm.Origin(address) == t.hosts.start
}

// streamFor returns what sends a request. A proxy resolves names itself, so that its connections
// cannot be checked.
func (t *renderTransport) streamFor(r *http.Request) fetch.Stream {
	origin := urlnorm.Origin(r.URL.String())
	_, isNamed := t.options.Access.Headers[origin]
	if proxy, err := http.ProxyFromEnvironment(r); isNamed || t.isOwn(r.URL.String()) || err != nil || proxy != nil {
		return t.own
	}
	return t.others
}

// errLongBody reports a response that is too long for a page.
var errLongBody = errors.New("the response is longer than 10 MB")

// A boundedBody fails when a body is longer than left bytes.
type boundedBody struct {
	io.ReadCloser
	left int64
}

// Read implements [io.Reader].
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errLongBody
	}
	return n, err
}
