package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/roundtrip"
)

var (
	errUnreachable = errors.New("no provider could be reached")
	errWebhook     = errors.New("the webhook did not take the notification")
)

// newWebhookClient returns the client of webhooks. It follows no redirect, which would
// make the POST a GET or carry it elsewhere.
func newWebhookClient() *http.Client {
	return &http.Client{
		Transport: roundtrip.New(http.DefaultTransport.(*http.Transport).Clone()), Timeout: deliveryTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// callWebhook delivers a notification. No error shows the address, which may be a secret.
func (s *Service) callWebhook(ctx context.Context, schedule *Schedule, task *jobs.Task) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, schedule.Webhook, strings.NewReader(task.Body))
	if err != nil {
		return finalError{errWebhook}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", s.options.App.UserAgent())
	if secret := s.options.WebhookSecret; len(secret) > 0 {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(task.Body))
		request.Header.Set(app.SignatureHeader, "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	response, err := s.webhooks.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errWebhook, err)
	}
	defer response.Body.Close()
	// What the webhook says is not used. Reading a little keeps the connection.
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10)
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500:
		return fmt.Errorf("%w: status %d", errWebhook, code)
	default:
		return finalError{fmt.Errorf("%w: status %d", errWebhook, code)}
	}
}
