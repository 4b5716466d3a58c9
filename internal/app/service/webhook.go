package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/jobs"
)

var (
	errUnreachable = errors.New("no provider could be reached")
	errWebhook     = errors.New("the webhook did not take the notification")
)

// callWebhook delivers a notification. No error shows the address, which may be a secret.
func (s *Service) callWebhook(ctx context.Context, schedule *Schedule, task *jobs.Task) error {
	err := s.webhooks.Post(ctx, schedule.Webhook, []byte(task.Body))
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*access.WebhookError](err); ok && refused.IsFinal() {
		return finalError{fmt.Errorf("%w: %w", errWebhook, err)}
	}
	return fmt.Errorf("%w: %w", errWebhook, err)
}
