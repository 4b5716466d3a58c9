package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	// maxGroups is how many sites have a log of their own. Servers keep some memory for
	// every subject, so more sites share hashedGroups logs.
	maxGroups    = 50_000
	hashedGroups = 4096
)

// JobState says what is done with a job.
type JobState string

// The states of a job. Its journal stays in all of them until the job is deleted.
const (
	JobRunning  JobState = "running"
	JobDone     JobState = "done"     // every site has ended
	JobCanceled JobState = "canceled" // nothing more is requested
)

// Job is a list of sites that workers crawl together.
type Job struct {
	Name    string    `json:"name"`
	State   JobState  `json:"state"`
	Created time.Time `json:"created"`
	Program string    `json:"program,omitempty"` // version of the program that created it
	Records int       `json:"records"`           // version of the records of its journal
	Sites   int       `json:"sites"`             // how many there are
	// Options are those of the crawl, in a form of the caller's choice. They may hold
	// credentials for the sites.
	Options json.RawMessage `json:"options,omitempty"`

	revision uint64
}

// ErrRecords means that a job has records of another version than this program's.
var ErrRecords = errors.New("the job was created by another version of mapa, not by this one")

// checkRecords returns ErrRecords unless this program can read the journal.
func (j *Job) checkRecords() error {
	if j.Records == recordVersion {
		return nil
	}
	return fmt.Errorf("%w: its records have version %d, not %d", ErrRecords, j.Records, recordVersion)
}

// Site is a site of a job.
type Site struct {
	Start string `json:"start"` // as the user names it
	Host  string `json:"host"`  // with its port, in lower case
	// Options replace those of the job.
	Options json.RawMessage `json:"options,omitempty"`
}

// SiteEnd says how the crawl of a site ended.
type SiteEnd struct {
	Pages      int     `json:"pages"`
	Listed     int     `json:"listed"`
	Broken     int     `json:"broken"`
	Requests   int     `json:"requests"`
	Bytes      int64   `json:"bytes"`
	Seconds    float64 `json:"seconds"`
	Limit      string  `json:"limit,omitempty"`
	Unanswered int     `json:"unanswered,omitempty"`
	Failure    string  `json:"failure,omitempty"` // why it could not begin or go on
	// Sequence is that of the record in the log that the site ends with.
	Sequence uint64 `json:"sequence,omitempty"`
}

// Progress returns the counts of the crawl at its end.
func (e *SiteEnd) Progress() crawl.Progress {
	return crawl.Progress{
		Pages: e.Pages, Listed: e.Listed, Broken: e.Broken, Requests: e.Requests, Bytes: e.Bytes,
		Elapsed: time.Duration(e.Seconds * float64(time.Second)), Limit: crawl.Limit(e.Limit), Unanswered: e.Unanswered,
	}
}

// groupState is the value of a group's key: who crawls its sites, and the outcome of those
// that have ended.
type groupState struct {
	Owner string           `json:"owner,omitempty"`
	Ended map[int]*SiteEnd `json:"ended,omitempty"` // by number in the job
	// After is when a site that did not answer, or asked for a pause, may be asked again.
	After deadline `json:"wait,omitzero"`
	// Tries counts how often a site did not answer.
	Tries int `json:"tries,omitempty"`
	// Rate is the requests a second that the last owner had slowed down to; 0 when it had
	// not.
	Rate float64 `json:"rate,omitempty"`
	// From is the sequence in the log after which the records of a site begin. Only sites
	// that share their log have one.
	From map[int]uint64 `json:"from,omitempty"`
}

// deadline is a time by the clock of this machine. Its JSON is the seconds until then, since
// other machines may have another time.
type deadline struct{ time.Time }

// MarshalJSON implements [json.Marshaler].
func (d deadline) MarshalJSON() ([]byte, error) { return json.Marshal(time.Until(d.Time).Seconds()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (d *deadline) UnmarshalJSON(text []byte) error {
	var seconds float64
	err := json.Unmarshal(text, &seconds)
	d.Time = time.Now().Add(time.Duration(seconds * float64(time.Second)))
	return err
}

// canGoOn reports whether a site failed or ended at its time, so that it may be continued.
func canGoOn(_ int, end *SiteEnd) bool {
	return end.Failure != "" || end.Limit == string(crawl.LimitTime)
}

// reopen makes some sites count as not ended. It reports whether there are any.
func (s *groupState) reopen(notEnded func(site int, end *SiteEnd) bool) bool {
	before := len(s.Ended)
	s.Ended = maps.Clone(s.Ended)
	maps.DeleteFunc(s.Ended, notEnded)
	s.After, s.Tries = deadline{}, 0
	return len(s.Ended) < before
}

// maxJobName is the longest name of a job.
const maxJobName = 63

// ErrJobName means that a text cannot be the name of a job.
var ErrJobName = errors.New("the name of a job has up to 63 small letters and digits, and hyphens between them")

// CheckJobName returns ErrJobName for a text that cannot be the name of a job.
func CheckJobName(name string) error {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.Trim(name, "-") != name ||
		name == "" || len(name) > maxJobName {
		return ErrJobName
	}
	return nil
}

// The subjects and names of a job on the servers.
func streamName(job string) string             { return "MAPA_" + job }
func stateBucket(job string) string            { return "mapa_" + job }
func jobSubjects(job string) string            { return "mapa." + job + ".>" }
func sitesSubject(job string) string           { return "mapa." + job + ".sites" }
func logSubject(job string, group int) string  { return "mapa." + job + ".log." + strconv.Itoa(group) }
func offerSubject(job string, site int) string { return "mapa." + job + ".in." + strconv.Itoa(site) }
func offerSubjects(job string) string          { return "mapa." + job + ".in.*" }

func groupKey(group int) string { return strconv.Itoa(group) }

// layout divides the sites of a job into groups.
type layout struct {
	sites      []Site
	groupCount int
	byHost     map[string]int // number of the site
	shared     [][]int        // sites of each group; nil when every site is a group
}

func newLayout(sites []Site) *layout {
	l := &layout{sites: sites, groupCount: len(sites), byHost: make(map[string]int, len(sites))}
	for i := range sites {
		l.byHost[sites[i].Host] = i
	}
	if len(sites) > maxGroups {
		l.groupCount = hashedGroups
		l.shared = make([][]int, hashedGroups)
		for i := range sites {
			group := l.groupOf(i)
			l.shared[group] = append(l.shared[group], i)
		}
	}
	return l
}

// groupOf returns the group of a site.
func (l *layout) groupOf(site int) int {
	if l.groupCount == len(l.sites) {
		return site
	}
	hash := fnv.New64a()
	hash.Write([]byte(l.sites[site].Host))
	return int(hash.Sum64() % hashedGroups)
}

// isShared reports whether sites share their logs.
func (l *layout) isShared() bool { return l.shared != nil }

// sitesOf returns the sites of a group.
func (l *layout) sitesOf(group int) []int {
	if !l.isShared() {
		return []int{group}
	}
	return l.shared[group]
}

// maxSitesRaw is how many bytes of the list of sites one message has before it is
// compressed.
const maxSitesRaw = maxMessage

// encodeSites returns the messages with the sites of a job: compressed JSON, one site a
// line.
func encodeSites(sites []Site) (messages [][]byte, err error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	flush := func() {
		messages = append(messages, codec().EncodeAll(lines.Bytes(), nil))
		lines.Reset()
	}
	for i := range sites {
		if err := encoder.Encode(&sites[i]); err != nil {
			return nil, err
		}
		if lines.Len() >= maxSitesRaw/2 {
			flush()
		}
	}
	if lines.Len() > 0 {
		flush()
	}
	return messages, nil
}

// decodeSites appends the sites of a message.
func decodeSites(sites []Site, data []byte) ([]Site, error) {
	raw, err := codec().DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: the list of sites: %w", ErrDamaged, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(raw)); ; {
		var site Site
		switch err := decoder.Decode(&site); err {
		case nil:
			sites = append(sites, site)
		case io.EOF:
			return sites, nil
		default:
			return nil, fmt.Errorf("%w: the list of sites: %w", ErrDamaged, err)
		}
	}
}
