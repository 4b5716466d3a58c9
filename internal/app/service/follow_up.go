package service

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/jobs"
)

// followUp notes what is left to do after the crawl of a schedule.
func (s *Service) followUp(tx *jobs.Tx, schedule *Schedule, c *jobs.Crawl, changes *Notification) error {
	if c.State == StateStopped {
		return nil
	}
	now := s.now()
	if c.Failure != nil {
		n := &Notification{Kind: NoticeFailed, Failure: showFailure(c.Failure)}
		return s.notify(tx, schedule, c, n, c.Failure.Code)
	}
	if err := tx.SetNotified(schedule.ID, string(NoticeFailed), ""); err != nil {
		return err
	}
	if changes != nil {
		if err := s.notify(tx, schedule, c, changes, c.ID); err != nil {
			return err
		}
	}
	if schedule.Publish.Folder == "" {
		return nil
	}
	c.Publication = &jobs.Publication{Folder: schedule.Publish.Folder}
	return tx.AddTask(&jobs.Task{Crawl: c.ID, Schedule: schedule.ID, Kind: jobs.TaskPublish, Due: now})
}

// notify notes a notification to deliver, unless the last one of its kind said the same.
func (s *Service) notify(tx *jobs.Tx, schedule *Schedule, c *jobs.Crawl, n *Notification, about string) error {
	digest := sha256.Sum256([]byte(about))
	text := hex.EncodeToString(digest[:])
	before, err := tx.Notified(schedule.ID, string(n.Kind))
	if err != nil || before == text {
		return err
	}
	s.identify(n, schedule)
	n.Sign = signOf(c)
	n.Site, n.URL, n.Crawl, n.Counts, n.Link = addresses.SiteName(c.Site), c.URL, c.ID, c.Counts, s.linkTo("/crawls/"+c.ID)
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	for kind, wanted := range map[jobs.TaskKind]bool{
		jobs.TaskWebhook: schedule.Webhook != "", jobs.TaskEmail: schedule.Email != "",
	} {
		if !wanted {
			continue
		}
		task := &jobs.Task{Crawl: c.ID, Schedule: schedule.ID, Kind: kind, Due: s.now(), Body: string(body)}
		if err := tx.AddTask(task); err != nil {
			return err
		}
	}
	return tx.SetNotified(schedule.ID, string(n.Kind), text)
}
