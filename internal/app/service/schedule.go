package service

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A Schedule crawls a site again and again. Every or Cron is set. Its options show no
// secrets.
type Schedule = jobs.Schedule

// A PublishTarget is where the result of a schedule is published.
type PublishTarget = jobs.PublishTarget

// An AnnounceTarget is to whom a publication is announced.
type AnnounceTarget = jobs.AnnounceTarget

// A ScheduleError says which field of a schedule cannot be used, and why.
type ScheduleError struct {
	// Field is every, cron, jitter, publish, publish.url, announce, notify, webhook,
	// webhook_format or email.
	Field string
	Err   error
}

// Error names the field and the reason.
func (e *ScheduleError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ScheduleError) Unwrap() error { return e.Err }

// ErrNoSchedules means that the server has none: it serves strangers.
var ErrNoSchedules = errors.New("this server has no schedules")

const (
	minEvery  = 5 * time.Minute
	maxEvery  = 366 * 24 * time.Hour
	maxJitter = 24 * time.Hour
)

var (
	errInterval  = fmt.Errorf("must be from %v to %v", minEvery, maxEvery)
	errBoth      = errors.New("an interval and a cron expression exclude each other")
	errJitter    = fmt.Errorf("must be from 0 to %v, and less than the interval", maxJitter)
	errPath      = errors.New("must be an absolute path outside of the folder of the server")
	errURL       = errors.New("must be an http or https URL")
	errAddress   = errors.New("must be an e-mail address")
	errNoSMTP    = errors.New("this server sends no e-mail")
	errNotify    = errors.New("must be of: " + strings.Join(NotifyNames, ", "))
	errUnplanned = errors.New("needs a folder to publish to")
)

// SendsMail reports whether schedules can ask for e-mail.
func (s *Service) SendsMail() bool { return s.options.SMTP != nil }

// Schedules returns the schedules of a site, or all when it is empty.
func (s *Service) Schedules(ctx context.Context, site string) ([]Schedule, error) {
	var records []*jobs.Schedule
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		records, err = tx.Schedules(hostsOf(site))
		return err
	})
	schedules := make([]Schedule, len(records))
	for i, record := range records {
		schedules[i] = *shownSchedule(record)
	}
	return schedules, err
}

// Schedule returns a schedule by its ID, or [ErrNotFound].
func (s *Service) Schedule(ctx context.Context, id string) (*Schedule, error) {
	var record *jobs.Schedule
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		record, err = tx.Schedule(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return shownSchedule(record), nil
}

// shownSchedule returns a schedule without its secrets.
func shownSchedule(record *jobs.Schedule) *Schedule {
	shown := *record
	shown.Site = addresses.SiteName(record.Site)
	shown.Options = shownOptions(record.Options)
	shown.Webhook = access.ShownWebhook(record.Webhook)
	return &shown
}

// PutSchedule stores a schedule, a new one when its ID is empty, and returns it with its
// next run. One that is changed keeps the secrets that are shown as [Redacted]. The error is
// a [*ScheduleError], an [*OptionError], that of an address as for Start, or [ErrNotFound]
// for an ID that is not there.
func (s *Service) PutSchedule(ctx context.Context, schedule Schedule) (*Schedule, error) {
	if s.options.Public != nil {
		return nil, ErrNoSchedules
	}
	if !schedule.Paused {
		if err := s.checkBrowser(ctx, schedule.Options["render"]); err != nil {
			return nil, err
		}
	}
	err := s.store.Update(ctx, func(tx *jobs.Tx) error {
		var before storedTarget
		if schedule.ID == "" {
			schedule.ID = newID()
		} else {
			stored, err := tx.Schedule(schedule.ID)
			if err != nil {
				return err
			}
			before = storedTarget{stored.URL, stored.Options}
			if schedule.Webhook == access.ShownWebhook(stored.Webhook) {
				schedule.Webhook = stored.Webhook
			}
		}
		site, err := s.checkSchedule(&schedule, before)
		if err == nil {
			schedule.Site, err = siteOf(tx, site)
		}
		if err != nil {
			return err
		}
		return tx.SaveSchedule(&schedule)
	})
	if err != nil {
		return nil, err
	}
	s.wakeUp()
	return shownSchedule(&schedule), nil
}

// checkSchedule validates a schedule, which keeps secrets of before, sets its next run, and
// returns its address.
func (s *Service) checkSchedule(schedule *Schedule, before storedTarget) (*addresses.SiteAddress, error) {
	site, options, err := s.readTarget(schedule.URL, schedule.Options, before)
	if err != nil {
		return nil, err
	}
	schedule.URL, schedule.Options = site.URL, options
	if err := checkTime(schedule); err != nil {
		return nil, err
	}
	if err := s.checkTargets(schedule); err != nil {
		return nil, err
	}
	schedule.Next = nextRun(schedule, s.now())
	return site, nil
}

// checkTime validates when a schedule runs.
func checkTime(schedule *Schedule) error {
	switch {
	case schedule.Cron != "" && schedule.Every != 0:
		return &ScheduleError{"every", errBoth}
	case schedule.Cron != "":
		if _, err := parseCron(schedule.Cron); err != nil {
			return &ScheduleError{"cron", err}
		}
	case schedule.Every < minEvery || schedule.Every > maxEvery:
		return &ScheduleError{"every", errInterval}
	}
	if j := schedule.Jitter; j < 0 || j > maxJitter || schedule.Every > 0 && j >= schedule.Every {
		return &ScheduleError{"jitter", errJitter}
	}
	return nil
}

// checkTargets validates where a schedule publishes to, announces to and notifies.
func (s *Service) checkTargets(schedule *Schedule) error {
	if folder := schedule.Publish.Folder; folder != "" && (!filepath.IsAbs(folder) || s.isOwnFolder(folder)) {
		return &ScheduleError{"publish", errPath}
	}
	if _, user := format.CutUser(schedule.Publish.URL); user != "" {
		return &ScheduleError{"publish.url", ErrUser}
	}
	if schedule.Publish.URL != "" && urlnorm.ParseHTTP(schedule.Publish.URL) == nil {
		return &ScheduleError{"publish.url", errURL}
	}
	if to := schedule.Announce.To; len(to) > 0 {
		if schedule.Publish.Folder == "" {
			return &ScheduleError{"announce", errUnplanned}
		}
		for _, name := range to {
			if !slices.Contains(announce.Providers(), announce.Provider(name)) {
				return &ScheduleError{"announce", fmt.Errorf("unknown provider %q", name)}
			}
		}
	}
	return s.checkNotified(schedule)
}

// checkNotified validates of what a schedule notifies, and whom.
func (s *Service) checkNotified(schedule *Schedule) error {
	for _, name := range schedule.Notify {
		if !slices.Contains(NotifyNames, name) {
			return &ScheduleError{"notify", errNotify}
		}
	}
	if strings.HasSuffix(schedule.Webhook, "/"+Redacted) { // of another webhook than the stored one
		return &ScheduleError{"webhook", ErrSecret}
	}
	if schedule.Webhook != "" && urlnorm.ParseHTTP(schedule.Webhook) == nil {
		return &ScheduleError{"webhook", errURL}
	}
	if f := WebhookFormat(schedule.WebhookFormat); f != "" && !slices.Contains(WebhookFormats, f) {
		return &ScheduleError{"webhook_format", fmt.Errorf("must be of: %s", WebhookFormats)}
	}
	if schedule.Email == "" {
		return nil
	}
	if s.options.SMTP == nil {
		return &ScheduleError{"email", errNoSMTP}
	}
	address, err := mail.ParseAddress(schedule.Email)
	if err != nil || strings.ContainsAny(schedule.Email, "\r\n") {
		return &ScheduleError{"email", errAddress}
	}
	schedule.Email = address.Address
	return nil
}

// isOwnFolder reports whether a folder is that of the server or below it.
func (s *Service) isOwnFolder(folder string) bool {
	own, err := filepath.Abs(s.options.Folder)
	if err != nil {
		return true
	}
	below, err := filepath.Rel(own, folder)
	return err == nil && filepath.IsLocal(below)
}

// DeleteSchedule deletes a schedule. Its crawls stay. The error is [ErrNotFound] when
// there is no such schedule.
func (s *Service) DeleteSchedule(ctx context.Context, id string) error {
	return s.store.Update(ctx, func(tx *jobs.Tx) error {
		if _, err := tx.Schedule(id); err != nil {
			return err
		}
		return tx.DeleteSchedule(id)
	})
}

// nextRun returns when a schedule runs after a time.
func nextRun(schedule *Schedule, now time.Time) time.Time {
	next := now.Add(schedule.Every)
	if schedule.Cron != "" {
		expression, err := parseCron(schedule.Cron)
		if err != nil { // it was checked
			return time.Time{}
		}
		next = expression.next(now)
	}
	if schedule.Jitter > 0 {
		next = next.Add(rand.N(schedule.Jitter))
	}
	return next.Truncate(time.Millisecond)
}

// tick queues a crawl of each schedule that is due, and notes its next run, in one
// transaction: after a kill it has done both or nothing. Runs that were missed are one. A
// schedule whose crawl has not ended is left out.
func (s *Service) tick(ctx context.Context, now time.Time) error {
	if s.options.Public != nil {
		return nil
	}
	return s.store.Update(ctx, func(tx *jobs.Tx) error {
		due, err := tx.DueSchedules(now)
		if err != nil {
			return err
		}
		for _, schedule := range due {
			if err := s.runSchedule(tx, schedule, now); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) runSchedule(tx *jobs.Tx, schedule *Schedule, now time.Time) error {
	schedule.Next = nextRun(schedule, now)
	if err := tx.SaveSchedule(schedule); err != nil {
		return err
	}
	active, err := tx.Active(schedule.ID)
	if err != nil || active != "" {
		return err
	}
	_, err = s.queueScheduled(tx, schedule, now)
	return err
}

// queueScheduled queues a crawl of a schedule, and returns its ID.
func (s *Service) queueScheduled(tx *jobs.Tx, schedule *Schedule, now time.Time) (id string, err error) {
	site, err := addresses.ReadSiteAddress(schedule.URL)
	if err != nil { // it was checked
		return "", err
	}
	c := &jobs.Crawl{
		ID: newID(), Site: schedule.Site, Start: site.Start, Host: site.Owner, State: StateQueued, Schedule: schedule.ID,
		Created: now.Truncate(time.Millisecond),
		Details: jobs.Details{URL: schedule.URL, Language: schedule.Language, Options: schedule.Options},
	}
	s.log.Info("schedule runs", "schedule", schedule.ID, "crawl", c.ID, "site", c.Site, "next", schedule.Next)
	return c.ID, tx.AddCrawl(c)
}

// RunSchedule queues a crawl of a schedule now, also of a paused one, and returns its ID, or
// that of the one that has not ended. The next run stays when it is. The error is
// [ErrNotFound] when there is no such schedule.
func (s *Service) RunSchedule(ctx context.Context, id string) (crawl string, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		schedule, err := tx.Schedule(id)
		if err != nil {
			return err
		}
		if crawl, err = tx.Active(id); err == nil && crawl == "" {
			crawl, err = s.queueScheduled(tx, schedule, s.now())
		}
		return err
	})
	s.wakeUp()
	return crawl, err
}

// LastRun returns the newest crawl of a schedule, or nil without one.
func (s *Service) LastRun(ctx context.Context, id string) (*Crawl, error) {
	var record *jobs.Crawl
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		record, err = tx.LastOf(id)
		return err
	})
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return s.view(record), nil
}
