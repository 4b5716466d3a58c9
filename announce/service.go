package announce

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/http1"
)

const (
	// maxAnswer is the most of an answer that is read, in bytes: lists of thousands of
	// sitemaps are smaller.
	maxAnswer = 4 << 20
	// maxMessage is the most of a provider's message that is kept, in characters.
	maxMessage = 300
)

// A service is the part that all providers share: it sends requests.
type service struct {
	provider Provider
	options  *Options
	http     *http.Client // for the provider
	site     *http.Client // for the site
	secrets  []string
}

func newService(p Provider, options *Options, secrets ...string) (*service, error) {
	o := options.withDefaults()
	provider, site, err := o.clients()
	if err != nil {
		return nil, err
	}
	s := &service{provider: p, options: o, http: provider, site: site}
	s.hide(slices.Concat(secrets, o.Secrets)...)
	return s, nil
}

// hide makes texts secrets. The longest are replaced first: one may be a part of another.
func (s *service) hide(secrets ...string) {
	s.secrets = slices.DeleteFunc(slices.Concat(s.secrets, secrets), func(text string) bool { return text == "" })
	slices.SortFunc(s.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// Provider implements [Announcer].
func (s *service) Provider() Provider { return s.provider }

// channel is the name of the provider in the ledger. An endpoint has its own, so that a
// rehearsal counts for nothing.
func (s *service) channel() string { return Channel(s.provider, s.options.Endpoint) }

// Channel returns the name of a provider in a [Ledger]. What goes to an endpoint is
// recorded apart.
func Channel(p Provider, endpoint string) string {
	if endpoint == "" {
		return string(p)
	}
	return string(p) + "@" + endpoint
}

// mask replaces the secrets in a text.
func (s *service) mask(text string) string {
	for _, secret := range s.secrets {
		for _, spelling := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			text = strings.ReplaceAll(text, spelling, "***")
		}
	}
	return text
}

// A Request is a request of a provider. Secrets in it are replaced by ***.
type Request struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// Header has the lines that matter, such as "Content-Type: text/plain".
	Header []string `json:"header,omitempty"`
	Body   string   `json:"body,omitempty"`
}

// A call is a request to send.
type call struct {
	method, url string
	contentType string
	token       string // value of Authorization
	body        []byte
}

const (
	jsonType = "application/json; charset=utf-8"
	formType = "application/x-www-form-urlencoded"
	textType = "text/plain"
)

// jsonCall returns a POST of JSON.
func jsonCall(url string, body any) *call {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // bodies are structs that can always be encoded
	return &call{method: http.MethodPost, url: url, contentType: jsonType, body: bytes.TrimSpace(b.Bytes())}
}

// shown returns a call as it is shown.
func (s *service) shown(c *call) Request {
	r := Request{Method: c.method, URL: s.mask(c.url), Body: s.mask(string(c.body))}
	if c.contentType != "" {
		r.Header = append(r.Header, "Content-Type: "+c.contentType)
	}
	if c.token != "" {
		scheme, _, _ := strings.Cut(c.token, " ")
		r.Header = append(r.Header, "Authorization: "+scheme+" ***")
	}
	return r
}

// An answer is what a provider answers.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request once. An error means that there is no whole answer.
func (s *service) send(ctx context.Context, c *call) (*answer, *Error) {
	timed, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	request, err := http.NewRequestWithContext(timed, c.method, c.url, bytes.NewReader(c.body))
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	if c.contentType != "" {
		request.Header.Set("Content-Type", c.contentType)
	}
	if c.token != "" {
		request.Header.Set("Authorization", c.token)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	a := &answer{response.StatusCode, response.Header, body}
	switch {
	case len(body) > maxAnswer:
		return nil, &Error{Provider: s.provider, Reason: ReasonBadAnswer, Status: a.status,
			Message: "the answer is larger than " + format.Count(maxAnswer) + " bytes"}
	case a.status >= 300 && a.status < 400:
		return nil, &Error{Provider: s.provider, Reason: ReasonRedirect, Status: a.status,
			Message: "redirects to another address, which is not followed"}
	}
	return a, nil
}

// failure returns the error for a request without an answer. The URL of the request,
// which may hold a secret, is not in it.
func (s *service) failure(ctx context.Context, err error) *Error {
	e := &Error{Provider: s.provider, Reason: ReasonUnreachable, retry: serverRetry}
	var address *url.Error
	switch {
	case ctx.Err() != nil:
		e.Reason, e.retry, e.Err = ReasonCanceled, 0, &maskedError{"interrupted", ctx.Err()}
		return e
	case errors.As(err, &address):
		err = address.Err
	}
	var connection *net.OpError
	e.unsent = errors.As(err, &connection) && connection.Op == "dial"
	if unknown, ok := errors.AsType[*net.DNSError](err); ok && unknown.IsNotFound {
		e.retry = 0 // the providers' hosts exist, so there is no network
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v", requestTime)
	}
	e.Err = &maskedError{s.clean(err.Error()), err}
	return e
}

// A maskedError shows the text of an error without secrets.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string { return e.text }
func (e *maskedError) Unwrap() error { return e.err }

// clean returns a text of a provider on one line, safe to print, without secrets.
func (s *service) clean(text string) string {
	return format.Truncate(format.Printable(strings.TrimSpace(s.mask(text))), maxMessage)
}

// refused returns the error for an answer. message is what the provider says.
func (s *service) refused(a *answer, reason Reason, code, message string) *Error {
	e := &Error{
		Provider: s.provider, Reason: reason, Status: a.status, Code: s.clean(code), Message: s.clean(message),
		after: http1.RetryAfter(a.header, time.Now()),
	}
	switch reason {
	case ReasonServer:
		e.retry = serverRetry
	case ReasonTooMany:
		e.retry = tooManyRetry
	case ReasonKeyPending:
		e.retry = pendingRetry
	}
	return e
}

// reasonOf returns the reason for a status that means the same everywhere.
func reasonOf(status int) Reason {
	switch {
	case status == http.StatusUnauthorized:
		return ReasonCredentials
	case status == http.StatusForbidden:
		return ReasonPermission
	case status == http.StatusNotFound:
		return ReasonNotFound
	case status == http.StatusMethodNotAllowed:
		return ReasonMethod
	case status == http.StatusTooManyRequests:
		return ReasonTooMany
	case status >= 500:
		return ReasonServer
	case status >= 400:
		return ReasonBadRequest
	}
	return ReasonOther
}

// isHTML reports whether a body is a page rather than what an interface answers.
func isHTML(body []byte) bool {
	head := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 512)])))
	return strings.HasPrefix(strings.TrimPrefix(head, "\xEF\xBB\xBF"), "<")
}

// textOf returns the body of an answer as a message, to be cut after secrets are replaced.
// It only names an HTML page.
func textOf(a *answer) string {
	if isHTML(a.body) {
		return "the answer is an HTML page"
	}
	return string(a.body)
}

// exchangeJSON sends a request as exchange does, and reads the JSON of the answer.
func (s *service) exchangeJSON(ctx context.Context, c *call, judge func(*answer) *Error, into any) *Error {
	a, e := s.exchange(ctx, c, judge)
	if e != nil {
		return e
	}
	return s.decode(a, into)
}

// decode reads the JSON of an answer.
func (s *service) decode(a *answer, into any) *Error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return s.refused(a, ReasonBadAnswer, "", "not the JSON that is documented: "+textOf(a))
	}
	return nil
}
