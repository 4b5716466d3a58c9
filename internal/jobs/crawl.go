package jobs

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A State says whether a crawl waits, runs or has ended.
type State string

// The states. A crawl that runs when the server ends stays running, and goes on with the
// next one.
const (
	StateQueued  State = "queued"
	StateRunning State = "running"
	StatePaused  State = "paused"
	StateDone    State = "done"
	StateFailed  State = "failed"
	StateStopped State = "stopped"
)

// Ended reports whether nothing more happens to a crawl in the state.
func (s State) Ended() bool { return s == StateDone || s == StateFailed || s == StateStopped }

// Counts are the numbers of a crawl: while it runs those of its progress, afterwards those of its result.
type Counts struct {
	Pages     int64 `json:"pages"`     // fetched
	Listed    int64 `json:"listed"`    // in the sitemap
	Broken    int64 `json:"broken"`    // URLs that links to are broken links
	Redirects int64 `json:"redirects"` // URLs that redirect
	Waiting   int64 `json:"waiting"`   // URLs found and not fetched yet
	Blocked   int64 `json:"blocked"`   // URLs blocked by robots.txt
	Bytes     int64 `json:"bytes"`     // received
	// Losses are pages that were in the sitemap and are not any more, although they exist.
	Losses int64 `json:"losses,omitempty"`
	// Ignored are findings and losses that are in no other number, because somebody ignores them.
	Ignored int64 `json:"ignored,omitempty"`
}

// A Failure says why a crawl or a publication failed.
type Failure struct {
	Code string `json:"code"` // stable
	Text string `json:"text"` // what happened
	// Address is another one, that the site answers at or leads to; empty without one.
	Address string `json:"address,omitempty"`
	// Certificate is the host that the certificate of the site is for; empty unless it is another one.
	Certificate string `json:"certificate,omitempty"`
}

// A Crawl is a crawl that was asked for.
type Crawl struct {
	Number int64 // in the order of creation, set by AddCrawl
	ID     string
	Site   string // host where it ended, or is expected to
	Start  string // equal for the spellings of one start
	Host   string // one crawl of it runs at a time
	Client string // whose quota it uses; empty is the owner
	State  State
	// Schedule is the ID of the schedule that asked for it, or empty.
	Schedule                       string
	Created, Began, Ended, Expires time.Time // zero is not yet, or never
	Size                           int64     // bytes of its folder
	Details
}

// Details are the parts of a crawl that no query needs.
type Details struct {
	URL      string              `json:"url"`
	Language string              `json:"language,omitempty"`
	Options  map[string][]string `json:"options,omitempty"`
	Previous string              `json:"previous,omitempty"` // ID of the crawl that it is compared with
	Counts   Counts              `json:"counts"`
	Sign     string              `json:"sign,omitempty"`  // of its result
	Limit    string              `json:"limit,omitempty"` // that ended it
	// Lost is when the newest of the losses was noticed; zero without losses.
	Lost    time.Time `json:"lost,omitzero"`
	Failure *Failure  `json:"failure,omitempty"`
	// Repeats are the crawls before it that failed for the same reason and are deleted.
	Repeats int `json:"repeats,omitempty"`
	// Publication is the outcome of publishing the result; nil without one.
	Publication *Publication `json:"publication,omitempty"`
	// Stopping reports that the crawl was asked to stop and has yet to write its results.
	Stopping bool `json:"stopping,omitempty"`
	// Accounted are the bytes that count in the usage of its client already.
	Accounted int64 `json:"accounted,omitempty"`
	// Shares are the links to its result or to the newest of its site, also expired ones.
	Shares []Share `json:"shares,omitempty"`
	// Uncapped reports that the client proved to own the site.
	Uncapped bool `json:"uncapped,omitempty"`
}

// A Share is a link to the result of a crawl, or to the newest result of its site.
type Share struct {
	ID      string    `json:"id"`
	Site    string    `json:"site,omitempty"` // whose newest result it shows; empty is the result of the crawl
	Hash    string    `json:"hash"`           // of its token, SHA-256 in hexadecimal
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// A Publication is the outcome of publishing and announcing a result.
type Publication struct {
	Folder    string    `json:"folder"`
	Time      time.Time `json:"time,omitzero"` // of the publication; zero until it succeeded
	Pages     int       `json:"pages,omitempty"`
	Failure   *Failure  `json:"failure,omitempty"`
	Announced string    `json:"announced,omitempty"` // the outcome: all, refused, part, none, or failed
}

const crawlColumns = "number, id, site, start, host, client, state, schedule, created, began, ended, expires, size, record"

func readCrawl(row scanner) (*Crawl, error) {
	c := &Crawl{}
	var created, began, ended, expires int64
	var record []byte
	err := row.Scan(&c.Number, &c.ID, &c.Site, &c.Start, &c.Host, &c.Client, &c.State, &c.Schedule,
		&created, &began, &ended, &expires, &c.Size, &record)
	if err != nil {
		return nil, err
	}
	c.Created, c.Began = sqlite.TimeOf(created), sqlite.TimeOf(began)
	c.Ended, c.Expires = sqlite.TimeOf(ended), sqlite.TimeOf(expires)
	if err := json.Unmarshal(record, &c.Details); err != nil {
		return nil, fmt.Errorf("%w: crawl %s: %w", sqlite.ErrDamaged, c.ID, err)
	}
	return c, nil
}

// AddCrawl stores a new crawl and sets its number.
func (tx *Tx) AddCrawl(c *Crawl) error {
	record, err := json.Marshal(&c.Details)
	if err != nil {
		return err
	}
	result, err := tx.tx.ExecContext(tx.ctx, `insert into crawl
		(id, site, start, host, client, state, schedule, created, began, ended, expires, size, outcome, record)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.Site, c.Start, c.Host, c.Client, c.State, c.Schedule,
		sqlite.Millis(c.Created), sqlite.Millis(c.Began), sqlite.Millis(c.Ended), sqlite.Millis(c.Expires), c.Size,
		c.Outcome(), string(record))
	if err != nil {
		return err
	}
	c.Number, err = result.LastInsertId()
	return err
}

// SaveCrawl stores what may change of a crawl: its state, times, size and details.
func (tx *Tx) SaveCrawl(c *Crawl) error {
	record, err := json.Marshal(&c.Details)
	if err != nil {
		return err
	}
	return tx.exec(`update crawl set state = ?, began = ?, ended = ?, expires = ?, size = ?, outcome = ?, record = ?
		where id = ?`, c.State, sqlite.Millis(c.Began), sqlite.Millis(c.Ended), sqlite.Millis(c.Expires), c.Size,
		c.Outcome(), string(record), c.ID)
}

// DeleteCrawl removes a crawl and what is left to do about it.
func (tx *Tx) DeleteCrawl(id string) error {
	if err := tx.exec("delete from task where crawl = ?", id); err != nil {
		return err
	}
	return tx.exec("delete from crawl where id = ?", id)
}

// Crawl returns a crawl by its ID, or ErrNotFound.
func (tx *Tx) Crawl(id string) (*Crawl, error) {
	c, err := readCrawl(tx.row("select "+crawlColumns+" from crawl where id = ?", id))
	return c, missingAsNotFound(err)
}

// Crawls returns crawls before a number, the newest first; 0 is from the newest on. A limit
// below 0 is none. Without hosts they are those of all sites.
func (tx *Tx) Crawls(hosts []string, before int64, limit int) ([]*Crawl, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	if hosts == nil {
		return list(tx, readCrawl, "select "+crawlColumns+` from crawl
			where number < ? order by number desc limit ?`, before, limit)
	}
	return list(tx, readCrawl, "select "+crawlColumns+` from crawl
		where `+isAmong+` and number < ?2 order by number desc limit ?3`, listed(hosts), before, limit)
}

// Next returns the first crawl of some hosts after a number that has ended, or ErrNotFound.
func (tx *Tx) Next(hosts []string, number int64) (*Crawl, error) {
	c, err := readCrawl(tx.row("select "+crawlColumns+" from crawl where "+isAmong+
		" and number > ?2 and state in (?3, ?4, ?5) order by number limit 1",
		listed(hosts), number, StateDone, StateFailed, StateStopped))
	return c, missingAsNotFound(err)
}

// InState returns the crawls in a state, the oldest first.
func (tx *Tx) InState(s State) ([]*Crawl, error) {
	return list(tx, readCrawl, "select "+crawlColumns+" from crawl where state = ? order by number", s)
}

// Complete returns the crawls of a start that are complete, the newest first.
func (tx *Tx) Complete(start string, limit int) ([]*Crawl, error) {
	return list(tx, readCrawl, "select "+crawlColumns+` from crawl where start = ? and outcome = ?
		order by number desc limit ?`, start, OutcomeComplete, limit)
}

// Expired returns crawls whose time is over.
func (tx *Tx) Expired(now time.Time) ([]*Crawl, error) {
	return list(tx, readCrawl, "select "+crawlColumns+` from crawl
		where expires > 0 and expires <= ? order by expires limit 100`, sqlite.Millis(now))
}

// Shared returns crawls that have shares, the newest first.
func (tx *Tx) Shared(limit int) ([]*Crawl, error) {
	return list(tx, readCrawl, "select "+crawlColumns+` from crawl
		where json_array_length(record, '$.shares') > 0 order by number desc limit ?`, limit)
}

// TotalSize returns the bytes of the folders of all crawls.
func (tx *Tx) TotalSize() (size int64, err error) {
	err = tx.row("select coalesce(sum(size), 0) from crawl").Scan(&size)
	return size, err
}

// CrawlIDs returns the IDs of all crawls.
func (tx *Tx) CrawlIDs() ([]string, error) {
	return list(tx, readText, "select id from crawl")
}

// readText reads a row of one text.
func readText(row scanner) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// Active returns the ID of a crawl of a schedule that has not ended, or "".
func (tx *Tx) Active(schedule string) (id string, err error) {
	err = tx.row("select coalesce(max(id), '') from crawl where schedule = ? and state in (?, ?, ?)",
		schedule, StateQueued, StateRunning, StatePaused).Scan(&id)
	return id, err
}

// LastOf returns the newest crawl of a schedule, or ErrNotFound.
func (tx *Tx) LastOf(schedule string) (*Crawl, error) {
	c, err := readCrawl(tx.row("select "+crawlColumns+` from crawl
		where schedule = ? and schedule <> '' order by number desc limit 1`, schedule))
	return c, missingAsNotFound(err)
}
