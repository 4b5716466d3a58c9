package jobs

import (
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Site is what is stored of a site, which may have several hosts.
type Site struct {
	Crawls    int
	Schedules []*Schedule
	Last      *Crawl // the newest, or nil
	Result    *Crawl // the newest that is complete, or else has a result, or nil
	// Visited reports that a crawl fetched a page of the site, or has not ended.
	Visited bool
}

// An Outcome says how much a crawl found. The file has it to select crawls by.
type Outcome int

// The outcomes. A crawl that was stopped before it began has none, and one that failed has no result.
const (
	OutcomeNone Outcome = iota
	OutcomePages
	OutcomeResult
	OutcomeComplete
)

// Outcome returns how much the crawl found.
func (c *Crawl) Outcome() Outcome {
	switch {
	case c.State == StateDone && c.Limit != crawl.LimitTime && c.Limit != LimitServer:
		return OutcomeComplete
	case c.State == StateDone, c.State == StateStopped && c.Counts.Pages > 0:
		return OutcomeResult
	case c.Counts.Pages > 0:
		return OutcomePages
	}
	return OutcomeNone
}

// HasResult reports whether the crawl ended with a result.
func (c *Crawl) HasResult() bool { return c.Outcome() >= OutcomeResult }

// LimitServer is Details.Limit when what the server gives to strangers ended a crawl.
const LimitServer = "server"

// IsComplete reports whether the crawl ended by itself: it was not stopped, and it had the time and
// the share of the server that it needed. Only such a crawl gives the figures of its site.
func (c *Crawl) IsComplete() bool { return c.Outcome() == OutcomeComplete }

// IsRepeated reports whether both crawls began at the same address and failed for the same
// reason before they visited a page.
func (c *Crawl) IsRepeated(other *Crawl) bool {
	fails := func(c *Crawl) bool { return c.State == StateFailed && c.Failure != nil && c.Counts.Pages == 0 }
	return fails(c) && fails(other) && c.Start == other.Start && c.Failure.Code == other.Failure.Code
}

// Sites returns the sites with some hosts, or all without hosts, by the name that nameOf gives to each host.
// Their number does not change the number of queries.
func (tx *Tx) Sites(hosts []string, nameOf func(host string) string) (map[string]*Site, error) {
	all := map[string]*Site{}
	siteOf := func(host string) *Site {
		name := nameOf(host)
		if all[name] == nil {
			all[name] = &Site{}
		}
		return all[name]
	}
	among, names := "?1 is null", any(nil)
	if hosts != nil {
		among, names = isAmong, listed(hosts)
	}
	type counted struct {
		host    string
		crawls  int
		visited bool
	}
	counts, err := list(tx, func(row scanner) (c counted, err error) {
		err = row.Scan(&c.host, &c.crawls, &c.visited)
		return c, err
	}, "select site, count(*), max(outcome > ?2 or state in (?3, ?4, ?5)) from crawl where "+among+" group by site",
		names, OutcomeNone, StateQueued, StateRunning, StatePaused)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		site := siteOf(c.host)
		site.Crawls, site.Visited = site.Crawls+c.crawls, site.Visited || c.visited
	}
	crawls, err := list(tx, readCrawl, "select "+crawlColumns+` from crawl where number in (
		select max(number) from crawl where `+among+` group by site union
		select max(number) from crawl where `+among+" and outcome >= ?2 group by site, outcome)", names, OutcomeResult)
	if err != nil {
		return nil, err
	}
	for _, c := range crawls {
		site := siteOf(c.Site)
		if site.Last == nil || c.Number > site.Last.Number {
			site.Last = c
		}
		if c.HasResult() && (site.Result == nil || c.Outcome() > site.Result.Outcome() ||
			c.Outcome() == site.Result.Outcome() && c.Number > site.Result.Number) {
			site.Result = c
		}
	}
	schedules, err := tx.Schedules(hosts)
	for _, schedule := range schedules {
		site := siteOf(schedule.Site)
		site.Schedules = append(site.Schedules, schedule)
	}
	return all, err
}

// Site returns the site with some hosts, or ErrNotFound.
func (tx *Tx) Site(hosts []string) (*Site, error) {
	all, err := tx.Sites(hosts, func(string) string { return "" })
	if err == nil && all[""] == nil {
		err = ErrNotFound
	}
	return all[""], err
}

// A Point is how many pages a complete crawl listed.
type Point struct {
	Host   string
	Time   time.Time // when the crawl was created
	Listed int64
}

// Points returns how many pages the last complete crawls of each host listed, at most limit of each, the oldest first.
func (tx *Tx) Points(hosts []string, limit int) ([]Point, error) {
	return list(tx, func(row scanner) (p Point, err error) {
		var created int64
		err = row.Scan(&p.Host, &created, &p.Listed)
		p.Time = sqlite.TimeOf(created)
		return p, err
	}, `select site, created, listed from (
		select site, number, created, coalesce(json_extract(record, '$.counts.listed'), 0) listed,
			row_number() over (partition by site order by number desc) place
		from crawl where `+isAmong+` and outcome = ?2)
		where place <= ?3 order by number`, listed(hosts), OutcomeComplete, limit)
}

// Labels returns the labels of all sites by the name of the site, sorted.
func (tx *Tx) Labels() (map[string][]string, error) {
	type label struct{ site, name string }
	labels, err := list(tx, func(row scanner) (l label, err error) {
		err = row.Scan(&l.site, &l.name)
		return l, err
	}, "select site, name from label order by site, name")
	all := map[string][]string{}
	for _, l := range labels {
		all[l.site] = append(all[l.site], l.name)
	}
	return all, err
}

// SetLabels stores the labels of a site in place of those that it had.
func (tx *Tx) SetLabels(site string, labels []string) error {
	if err := tx.exec("delete from label where site = ?", site); err != nil {
		return err
	}
	return tx.AddLabels(site, labels)
}

// AddLabels stores labels of a site, unless it has some.
func (tx *Tx) AddLabels(site string, labels []string) error {
	return tx.exec(`insert into label (site, name) select distinct ?1, value from json_each(?2)
		where value is not null and not exists (select 1 from label where site = ?1)`, site, listed(labels))
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
