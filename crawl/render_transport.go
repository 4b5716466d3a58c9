package crawl

import (
	"errors"
	"io"
	"net/http"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// maxRenderBody is how many bytes of a response a browser gets, as sent.
const maxRenderBody = 10 << 20

// A renderTransport sends what a browser requests while it renders a page. It obeys robots.txt, the
// rate of each host and the scope, and sends credentials only to their origin, for a page of that
// origin. Hosts other than those of the site must be public.
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

// Admit implements [render.Transport].
func (t *renderTransport) Admit(r *http.Request) error {
	if reason := t.refusal(r); reason != "" {
		return &render.Refusal{Reason: reason}
	}
	return t.refused(t.streamFor(r).Admit(r))
}

// RoundTrip implements [http.RoundTripper].
func (t *renderTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	ctx := r.Context()
	if !render.HasCredentials(ctx) || r.Method == http.MethodOptions {
		ctx = fetch.Anonymous(ctx)
	}
	request := r.Clone(ctx)
	request.Body = nil
	request.Header.Del("Cookie")
	response, err := t.streamFor(request).RoundTrip(request)
	if err != nil {
		return nil, t.refused(err)
	}
	response.Body = &boundedBody{response.Body, maxRenderBody}
	return response, nil
}

// refused returns an error of a stream, as a refusal where the crawl has not sent the request.
func (t *renderTransport) refused(err error) error {
	forbidden := (*fetch.RobotsError)(nil)
	switch {
	case errors.As(err, &forbidden):
		return &render.Refusal{Reason: forbidden.Error()}
	case errors.Is(err, fetch.KindBlocked):
		return &render.Refusal{Reason: err.Error()}
	}
	return err
}

// refusal returns why a request is not sent, or "".
func (t *renderTransport) refusal(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
	default:
		return "the method is " + r.Method
	}
	isOwn := t.isOwn(r.URL.String())
	if render.IsFrame(r.Context()) {
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

// hasCredentials reports whether the crawl sends what identifies the user, or the crawl, to the origin of a page.
func (t *renderTransport) hasCredentials(address string) bool {
	return t.options.Access.Cookies || len(t.options.Access.Headers[urlnorm.Origin(address)]) > 0
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
var errLongBody = &render.Refusal{Reason: "the response is longer than 10 MB"}

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
