package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// A NoticeKind is what a notification is about.
type NoticeKind string

// The kinds of notifications.
const (
	NoticeBroken  NoticeKind = "broken"  // pages are broken that were not
	NoticeFailed  NoticeKind = "failed"  // the crawl failed
	NoticeRefused NoticeKind = "refused" // the result was not published
)

// A Notification is what webhooks receive as JSON.
type Notification struct {
	Version  int        `json:"version"` // of this format: 1
	ID       string     `json:"id"`      // the same when it is delivered again
	Kind     NoticeKind `json:"kind"`
	Time     time.Time  `json:"time"`
	Site     string     `json:"site"`
	URL      string     `json:"url"`
	Crawl    string     `json:"crawl"`
	Schedule string     `json:"schedule"`
	Counts   Counts     `json:"counts"`
	Failure  *Failure   `json:"failure,omitempty"`
	// Broken are the first of the newly broken URLs, and NewlyBroken is how many there are.
	Broken      []appcrawl.BrokenPage `json:"broken,omitempty"`
	NewlyBroken int                   `json:"newly_broken,omitempty"`
}

// notificationVersion is the version of the format.
const notificationVersion = 1

// shownBroken is how many newly broken URLs a notification names.
const shownBroken = 50

// followUp notes what is left to do after the crawl of a schedule.
func (s *Service) followUp(tx *jobs.Tx, schedule *Schedule, c *jobs.Crawl, broken *Notification) error {
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
	if broken != nil {
		if err := s.notify(tx, schedule, c, broken, c.ID); err != nil {
			return err
		}
	}
	if schedule.Publish.Folder == "" {
		return nil
	}
	c.Publication = &jobs.Publication{Folder: schedule.Publish.Folder}
	return tx.AddTask(&jobs.Task{Crawl: c.ID, Schedule: schedule.ID, Kind: jobs.TaskPublish, Due: now})
}

// newlyBroken returns the notification of URLs that are broken and were not in the crawl
// before, or nil.
func (s *Service) newlyBroken(ctx context.Context, id string, result *appcrawl.Result) *Notification {
	if result == nil || result.Changes == nil || result.Changes.NewlyBroken == 0 {
		return nil
	}
	broken, err := appcrawl.NewlyBroken(ctx, s.folder(id), shownBroken)
	if err != nil {
		s.log.Error("cannot read the changes of a crawl", "crawl", id, "error", err)
	}
	return &Notification{Kind: NoticeBroken, Broken: broken, NewlyBroken: result.Changes.NewlyBroken}
}

// notify notes a notification to deliver, unless the last one of its kind said the same.
func (s *Service) notify(tx *jobs.Tx, schedule *Schedule, c *jobs.Crawl, n *Notification, about string) error {
	digest := sha256.Sum256([]byte(about))
	text := hex.EncodeToString(digest[:])
	before, err := tx.Notified(schedule.ID, string(n.Kind))
	if err != nil || before == text {
		return err
	}
	n.Version, n.ID, n.Time = notificationVersion, newID(), s.now().UTC().Truncate(time.Second)
	n.Site, n.URL, n.Crawl, n.Schedule, n.Counts = addresses.SiteName(c.Site), c.URL, c.ID, schedule.ID, c.Counts
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
