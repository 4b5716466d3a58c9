package service

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

// testTime is how long a test message may take, to each of the webhook and the mail server.
const testTime = 10 * time.Second

// A TestOutcome says whether a test message arrived. What was not asked for is nil.
type TestOutcome struct{ Webhook, Email *TestDelivery }

// A TestDelivery is the outcome of one try.
type TestDelivery struct{ Err error } // nil when it was taken

// SendTest sends a test message to whom a schedule notifies. The error is [ErrNotFound] when
// there is no such schedule.
func (s *Service) SendTest(ctx context.Context, id string) (*TestOutcome, error) {
	var schedule *Schedule
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		schedule, err = tx.Schedule(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	n := &Notification{Kind: NoticeTest, Site: schedule.Site, URL: schedule.URL, Link: s.linkTo("/schedules/" + id)}
	s.identify(n, schedule)
	body, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	task, outcome := &jobs.Task{Schedule: id, Body: string(body)}, &TestOutcome{}
	try := func(send func(context.Context, *Schedule, *jobs.Task) error) *TestDelivery {
		ctx, cancel := context.WithTimeout(ctx, testTime)
		defer cancel()
		return &TestDelivery{send(ctx, schedule, task)}
	}
	if schedule.Webhook != "" {
		outcome.Webhook = try(s.callWebhook)
	}
	if schedule.Email != "" {
		outcome.Email = try(s.sendEmail)
	}
	return outcome, nil
}
