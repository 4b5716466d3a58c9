package access

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/http1"
)

// SignatureHeader is the header of a webhook with "sha256=" and the HMAC-SHA256 of the
// body in hexadecimal.
const SignatureHeader = "X-Mapa-Signature"

// Redacted is shown in place of a secret.
const Redacted = "(secret)"

// ShownWebhook returns the address of a webhook as it may be shown: its origin. The user
// information, the path and the query may be secrets; those of chat services are.
func ShownWebhook(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/" + Redacted
}

// A WebhookClient posts messages to webhooks. It is safe for concurrent use.
type WebhookClient struct {
	userAgent string
	Secret    []byte
	Client    *http.Client
}

// NewWebhookClient returns a client that signs what it posts, unless secret is empty. timeout
// bounds each request.
func NewWebhookClient(a *app.App, secret []byte, timeout time.Duration) *WebhookClient {
	return &WebhookClient{userAgent: a.UserAgent(), Secret: secret, Client: &http.Client{
		Transport: http1.NewTransport(nil), Timeout: timeout,
		// A redirect would make the POST a GET, or carry the body elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// A WebhookMessage is what a webhook receives.
type WebhookMessage struct {
	Body   []byte      // JSON, unless Header has another Content-Type
	Header http.Header // more header fields, may be nil
}

// Post sends one request. The error is a [*WebhookError] when the webhook refuses the message.
// No error contains the address, which may be a secret.
func (w *WebhookClient) Post(ctx context.Context, address string, message WebhookMessage) error {
	body := message.Body
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return &WebhookError{}
	}
	request.Header.Set("Content-Type", "application/json")
	maps.Copy(request.Header, message.Header)
	request.Header.Set("User-Agent", w.userAgent)
	if len(w.Secret) > 0 {
		mac := hmac.New(sha256.New, w.Secret)
		mac.Write(body)
		request.Header.Set(SignatureHeader, "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	response, err := w.Client.Do(request)
	if err != nil {
		return causeWithoutAnswer(err)
	}
	defer response.Body.Close()
	// What the webhook says is not used. Reading a little keeps the connection.
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10)
	if code := response.StatusCode; code < 200 || code > 299 {
		return &WebhookError{code}
	}
	return nil
}

// A WebhookError reports that a webhook refused a request.
type WebhookError struct {
	Status int // 0 for an address that cannot be requested
}

// Error returns the status.
func (e *WebhookError) Error() string {
	if e.Status == 0 {
		return "not a valid address"
	}
	return fmt.Sprintf("status %d", e.Status)
}

// IsFinal reports whether another request would be refused as well.
func (e *WebhookError) IsFinal() bool {
	return e.Status != http.StatusRequestTimeout && e.Status != http.StatusTooManyRequests && e.Status < 500
}

// causeWithoutAnswer returns the cause of a failed request without what the server sent,
// which may repeat the path of the request.
func causeWithoutAnswer(err error) error {
	err = CauseOfRequest(err)
	timeout, ok := errors.AsType[net.Error](err)
	switch kind := fetch.KindOf(err); {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case kind == fetch.KindMalformed && ok && timeout.Timeout():
		return fetch.KindAnswerTimeout
	case kind == fetch.KindMalformed, kind == fetch.KindDropped, kind == fetch.KindHeaderTooLarge:
		return kind
	}
	return err
}

// CauseOfRequest returns the cause of a failed request without its URL.
func CauseOfRequest(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
