package service

import (
	"context"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/ledger"
)

// publish publishes the result of a crawl. It returns what to store, also after an error
// that is final.
func (s *Service) publish(ctx context.Context, schedule *Schedule, c *jobs.Crawl) (finish, error) {
	release := s.results.pin(c.ID)
	defer release()
	settings, err := s.settingsOf(c)
	var done *appcrawl.Publication
	if err == nil {
		settings.PublishFolder = schedule.Publish.Folder
		a := &app.App{Version: s.options.App.Version}
		done, err = appcrawl.Publish(ctx, a, s.folder(c.ID), schedule.Publish.URL, settings)
	}
	p := &jobs.Publication{Folder: schedule.Publish.Folder}
	if err != nil {
		p.Failure = FailureOf(err)
		return func(tx *jobs.Tx, c *jobs.Crawl) error {
			c.Publication = p
			return s.notify(tx, schedule, c, &Notification{Kind: NoticeRefused, Failure: showFailure(p.Failure)}, p.Failure.Code)
		}, finalUnlessFull(p.Failure, err)
	}
	p.Time, p.Pages = s.now().Truncate(time.Millisecond), done.Pages
	s.log.Info("result published", "crawl", c.ID, "site", c.Site, "folder", p.Folder, "pages", p.Pages)
	return func(tx *jobs.Tx, c *jobs.Crawl) error {
		c.Publication = p
		err := tx.SetNotified(schedule.ID, string(NoticeRefused), "")
		if err != nil || len(schedule.Announce.To) == 0 || !done.Complete || done.Sitemap == "" {
			return err
		}
		return tx.AddTask(&jobs.Task{Crawl: c.ID, Schedule: schedule.ID, Kind: jobs.TaskAnnounce, Due: s.now()})
	}, nil
}

// finalUnlessFull marks an error as final unless the disk was full, which may change.
func finalUnlessFull(f *jobs.Failure, err error) error {
	if f.Code == FailureDiskFull || f.Code == FailureInternal {
		return err
	}
	return finalError{err}
}

// outcomes names what an announcement amounts to.
var outcomes = map[appannounce.Outcome]string{
	appannounce.AnnouncedAll: "all", appannounce.AnnouncedRefused: "refused",
	appannounce.AnnouncedPart: "part", appannounce.AnnouncedNone: "none",
}

// announceWait is the total time to wait for a provider that asks to be called later. What it
// did not take by then is sent after the next publication.
const announceWait = time.Minute

// announceFailed is Publication.Announced when nothing could be announced at all.
const announceFailed = "failed"

// announce announces a publication. The ledger keeps what was sent, so that nothing is
// sent twice.
func (s *Service) announce(ctx context.Context, schedule *Schedule, c *jobs.Crawl) (finish, error) {
	store := func(outcome string) finish {
		return func(_ *jobs.Tx, c *jobs.Crawl) error {
			if c.Publication != nil {
				c.Publication.Announced = outcome
			}
			return nil
		}
	}
	settings := appannounce.NewSettings()
	if s.options.Announce != nil {
		var err error
		if settings, err = s.options.Announce(); err != nil {
			return store(announceFailed), finalError{err}
		}
	}
	// A password in the environment is not for the site of every schedule.
	settings.Request.DropCredentials()
	settings.Wait = min(settings.Wait, announceWait)
	settings.To, settings.Ledger = schedule.Announce.To, filepath.Join(s.options.Folder, ledger.Name)
	if schedule.Publish.URL != "" {
		settings.BaseURL = schedule.Publish.URL
	}
	a := &app.App{Version: s.options.App.Version, LookupEnv: s.options.App.LookupEnv}
	result, err := appannounce.Run(ctx, a, schedule.Publish.Folder, settings, appannounce.Hooks{})
	if err != nil {
		return store(announceFailed), err
	}
	outcome := result.Outcome()
	s.log.Info("publication announced", "crawl", c.ID, "site", c.Site, "outcome", outcomes[outcome])
	if outcome == appannounce.AnnouncedNone {
		return store(outcomes[outcome]), errUnreachable
	}
	return store(outcomes[outcome]), nil
}
