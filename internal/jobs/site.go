package jobs

import (
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/mapatools/mapa/crawl"
)

// A Site is what is stored of a site, which may have several hosts.
type Site struct {
	Crawls    int
	Schedules int
	Last      *Crawl // the newest, or nil
	Result    *Crawl // the newest that is complete, or else has a result, or nil
}

// hasResult selects the crawls with a result. One that was stopped before it began has none.
const hasResult = "(state = 'done' or state = 'stopped' and json_extract(record, '$.counts.pages') > 0)"

// HasResult reports whether the crawl ended with a result.
func (c *Crawl) HasResult() bool {
	return c.State == StateDone || c.State == StateStopped && c.Counts.Pages > 0
}

// LimitServer is Details.Limit when what the server gives to strangers ended a crawl.
const LimitServer = "server"

// isComplete selects the crawls that are complete.
const isComplete = "(state = 'done' and coalesce(json_extract(record, '$.limit'), '') not in ('" +
	string(crawl.LimitTime) + "', '" + LimitServer + "'))"

// IsComplete reports whether the crawl ended by itself: it was not stopped, and it had the time and
// the share of the server that it needed. Only such a crawl gives the figures of its site.
func (c *Crawl) IsComplete() bool {
	return c.State == StateDone && c.Limit != string(crawl.LimitTime) && c.Limit != LimitServer
}

// IsRepeated reports whether both crawls began at the same address and failed for the same
// reason before they visited a page.
func (c *Crawl) IsRepeated(other *Crawl) bool {
	fails := func(c *Crawl) bool { return c.State == StateFailed && c.Failure != nil && c.Counts.Pages == 0 }
	return fails(c) && fails(other) && c.Start == other.Start && c.Failure.Code == other.Failure.Code
}

// Hosts returns the hosts that a crawl visited, or is to: those that only failed to answer are
// left out. They are not sorted.
func (tx *Tx) Hosts() ([]string, error) {
	return list(tx, readText, `select distinct site from crawl
		where state in (?, ?, ?) or json_extract(record, '$.counts.pages') > 0 or `+hasResult+`
		union select site from schedule`, StateQueued, StateRunning, StatePaused)
}

// Site returns the site with some hosts, or ErrNotFound.
func (tx *Tx) Site(hosts []string) (*Site, error) {
	s, among := &Site{}, listed(hosts)
	err := tx.row(`select (select count(*) from crawl where `+isAmong+`), (select count(*) from schedule where `+isAmong+`)`, among).
		Scan(&s.Crawls, &s.Schedules)
	if err != nil {
		return nil, err
	}
	if s.Crawls+s.Schedules == 0 {
		return nil, ErrNotFound
	}
	last, err := tx.Crawls(hosts, 0, 1)
	if len(last) == 1 {
		s.Last = last[0]
	}
	if err != nil {
		return nil, err
	}
	s.Result, err = readCrawl(tx.row("select "+crawlColumns+" from crawl where "+isAmong+" and "+hasResult+
		" order by "+isComplete+" desc, number desc limit 1", among))
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	return s, err
}

// SiteOf returns the host at which the crawls of a start ended, or "" when there is none.
func (tx *Tx) SiteOf(start string) (site string, err error) {
	err = tx.row("select site from crawl where start = ? order by number desc limit 1", start).Scan(&site)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return site, err
}

// MoveStart stores that the crawls of a start belong to a host.
func (tx *Tx) MoveStart(start, site string) error {
	return tx.exec("update crawl set site = ? where start = ?", site, start)
}

// isAmong selects rows by their host. The first argument is that of listed.
const isAmong = "site in (select value from json_each(?1))"

// listed returns names as one argument of a query.
func listed(names []string) string {
	text, _ := json.Marshal(names) // texts can always be encoded
	return string(text)
}
