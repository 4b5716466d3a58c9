package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/jobs"
)

var (
	errUnreachable = errors.New("no provider could be reached")
	errWebhook     = errors.New("the webhook did not take the notification")
)

// callWebhook delivers a notification. No error shows the address, which may be a secret.
func (s *Service) callWebhook(ctx context.Context, schedule *Schedule, task *jobs.Task) error {
	message, err := webhookMessage(schedule, task)
	if err != nil {
		return finalError{err}
	}
	err = s.webhooks.Post(ctx, schedule.Webhook, message)
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*access.WebhookError](err); ok && refused.IsFinal() {
		return finalError{fmt.Errorf("%w: %w", errWebhook, err)}
	}
	return fmt.Errorf("%w: %w", errWebhook, err)
}

// webhookMessage returns a notification in the format of a schedule.
func webhookMessage(schedule *Schedule, task *jobs.Task) (access.WebhookMessage, error) {
	inFormat := chatFormats[formatOf(schedule)]
	if inFormat == nil {
		return access.WebhookMessage{Body: []byte(task.Body)}, nil
	}
	var n Notification
	if err := json.Unmarshal([]byte(task.Body), &n); err != nil {
		return access.WebhookMessage{}, err
	}
	return inFormat(textOf(catalog.For(catalog.Language(schedule.Language)), &n))
}
