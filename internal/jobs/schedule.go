package jobs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A Schedule crawls a site again and again.
type Schedule struct {
	ID      string              `json:"-"`
	Site    string              `json:"-"` // host, as that of a crawl
	URL     string              `json:"url"`
	Options map[string][]string `json:"options,omitempty"`
	// Every is the interval; Cron an expression of five fields. One of them is set.
	Every time.Duration `json:"every,omitempty"`
	Cron  string        `json:"cron,omitempty"`
	// Jitter is the longest time by which a run is late, chosen at random.
	Jitter   time.Duration  `json:"jitter,omitempty"`
	Next     time.Time      `json:"-"`
	Publish  PublishTarget  `json:"publish,omitzero"`
	Announce AnnounceTarget `json:"announce,omitzero"`
	Webhook  string         `json:"webhook,omitempty"` // URL
	// WebhookFormat is how the webhook wants notifications; empty leaves it to its address.
	WebhookFormat string `json:"webhook_format,omitempty"`
	Email         string `json:"email,omitempty"` // address
	// Notify are the changes of a site to notify of, besides what is wrong.
	Notify   []string `json:"notify,omitempty"`
	Language string   `json:"language,omitempty"`
	Paused   bool     `json:"-"`
}

// A PublishTarget is where a result is published.
type PublishTarget struct {
	// Folder is an absolute path; empty means no publication.
	Folder string `json:"folder,omitempty"`
	// URL is the address of the folder; empty is the root of the site.
	URL string `json:"url,omitempty"`
}

// An AnnounceTarget is to whom a publication is announced.
type AnnounceTarget struct {
	// To are names of providers; empty means no announcement.
	To []string `json:"to,omitempty"`
}

func readSchedule(row scanner) (*Schedule, error) {
	s := &Schedule{}
	var next int64
	var record []byte
	if err := row.Scan(&s.ID, &s.Site, &next, &s.Paused, &record); err != nil {
		return nil, err
	}
	s.Next = sqlite.TimeOf(next)
	if err := json.Unmarshal(record, s); err != nil {
		return nil, fmt.Errorf("%w: schedule %s: %w", sqlite.ErrDamaged, s.ID, err)
	}
	return s, nil
}

// SaveSchedule stores a schedule, new or changed.
func (tx *Tx) SaveSchedule(s *Schedule) error {
	record, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return tx.exec("insert or replace into schedule (id, site, next, paused, record) values (?, ?, ?, ?, ?)",
		s.ID, s.Site, sqlite.Millis(s.Next), s.Paused, string(record))
}

// DeleteSchedule removes a schedule, what is left to do for it, and what it notified of.
func (tx *Tx) DeleteSchedule(id string) error {
	for _, query := range []string{
		"delete from task where schedule = ?", "delete from notice where schedule = ?", "delete from schedule where id = ?",
	} {
		if err := tx.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

const scheduleColumns = "id, site, next, paused, record"

// Schedule returns a schedule by its ID, or ErrNotFound.
func (tx *Tx) Schedule(id string) (*Schedule, error) {
	s, err := readSchedule(tx.row("select "+scheduleColumns+" from schedule where id = ?", id))
	return s, missingAsNotFound(err)
}

// Schedules returns the schedules of some hosts, or all without hosts, by their site.
func (tx *Tx) Schedules(hosts []string) ([]*Schedule, error) {
	if hosts == nil {
		return list(tx, readSchedule, "select "+scheduleColumns+" from schedule order by site, id")
	}
	return list(tx, readSchedule, "select "+scheduleColumns+" from schedule where "+isAmong+" order by site, id",
		listed(hosts))
}

// DueSchedules returns the schedules that are due.
func (tx *Tx) DueSchedules(now time.Time) ([]*Schedule, error) {
	return list(tx, readSchedule, "select "+scheduleColumns+` from schedule
		where paused = 0 and next <= ? order by next`, sqlite.Millis(now))
}

// NextSchedule returns when the next schedule is due, or the zero time.
func (tx *Tx) NextSchedule() (time.Time, error) {
	return tx.earliest("select coalesce(min(next), 0) from schedule where paused = 0")
}

// earliest reads a time.
func (tx *Tx) earliest(query string) (time.Time, error) {
	var at int64
	err := tx.row(query).Scan(&at)
	return sqlite.TimeOf(at), err
}
