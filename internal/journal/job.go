package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/statefile"
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
	// JobDamaged is the state of a job that workers cannot crawl: something has changed or
	// removed what the servers store of it.
	JobDamaged JobState = "damaged"
	// JobSubmitting is the state while the name is taken, and the journal is not complete, or
	// not any more. Such a job does not exist for anyone but its submission.
	JobSubmitting JobState = "submitting"
)

var jobStates = []JobState{JobRunning, JobDone, JobCanceled, JobDamaged, JobSubmitting}

// Job is a list of sites that workers crawl together.
type Job struct {
	Name    string    `json:"name"`
	State   JobState  `json:"state"`
	Created time.Time `json:"created"`
	Program string    `json:"program,omitempty"` // version of the program that created it
	Records int       `json:"records"`           // version of the records of its journal
	Sites   int       `json:"sites"`             // how many there are
	Failure string    `json:"failure,omitempty"` // why it is damaged
	// Submission is the ID of the submission that created it.
	Submission string `json:"submission"`
	// Options are those of the crawl, in a form of the caller's choice. They may hold
	// credentials for the sites.
	Options json.RawMessage `json:"options,omitempty"`

	revision uint64
}

// ErrRecords means that a job has records of another version than this program's.
var ErrRecords = errors.New("the job cannot be read")

// checkRecords returns ErrRecords unless this program can read the journal.
func (j *Job) checkRecords() error {
	if err := statefile.CheckVersion(j.Records, recordVersion); err != nil {
		return fmt.Errorf("%w: %w", ErrRecords, err)
	}
	return nil
}

// check returns what cannot be right about a job that is stored under a name.
func (j *Job) check(name string) error {
	switch {
	case CheckJobName(name) != nil:
		return ErrJobName
	case j.Name != name:
		return errors.New("it names another job")
	case j.Records != recordVersion:
		return nil
	case !isID(j.Submission):
		return errors.New("it names no journal")
	case !slices.Contains(jobStates, j.State):
		return fmt.Errorf("unknown state %q", j.State)
	case j.Sites < 1:
		return fmt.Errorf("%d sites", j.Sites)
	}
	return nil
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
		Elapsed: time.Duration(e.Seconds * float64(time.Second)), Limit: e.Limit, Unanswered: e.Unanswered,
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

// decodeState reads the state of a group, which is empty when it has no value. The error is
// ErrDamaged, with an empty state, for what no worker writes.
func decodeState(l *layout, group int, value []byte) (groupState, error) {
	var s groupState
	if value == nil {
		return s, nil
	}
	err := json.Unmarshal(value, &s)
	if err == nil {
		err = s.check(l, group)
	}
	if err != nil {
		return groupState{}, fmt.Errorf("%w: the state of group %d is not what a worker writes: %w", ErrDamaged, group, err)
	}
	return s, nil
}

// check returns what no worker writes.
func (s *groupState) check(l *layout, group int) error {
	for site, end := range s.Ended {
		if end == nil || end.Sequence == 0 || site < 0 || site >= len(l.sites) || l.groupOf(site) != group {
			return fmt.Errorf("the end of site %d", site)
		}
	}
	switch {
	case s.Tries < 0 || s.Rate < 0:
		return errors.New("a negative number")
	case time.Until(s.After.Time) > 2*retryTime:
		return fmt.Errorf("a pause of %v", time.Until(s.After.Time).Round(time.Second))
	case s.From != nil && !l.isShared():
		return errors.New("the beginning of a site in a log of its own")
	}
	return nil
}

// deadline is a time on the clock of this machine. Its JSON is the seconds until then, since
// other machines may have another time.
type deadline struct{ time.Time }

// MarshalJSON implements [json.Marshaler].
func (d deadline) MarshalJSON() ([]byte, error) { return json.Marshal(time.Until(d.Time).Seconds()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (d *deadline) UnmarshalJSON(text []byte) error {
	var seconds float64
	err := json.Unmarshal(text, &seconds)
	if most := time.Duration(math.MaxInt64).Seconds(); seconds > most/2 || seconds < -most/2 {
		return fmt.Errorf("%g seconds", seconds)
	}
	d.Time = time.Now().Add(time.Duration(seconds * float64(time.Second)))
	return err
}

// canGoOn reports whether a site failed or ended at its time, so that it may be continued.
func canGoOn(_ int, end *SiteEnd) bool {
	return end.Failure != "" || end.Limit == crawl.LimitTime
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

// journal returns the name of the job's journal. It is that of one submission, so what is
// left of another one is never taken for a part of this job.
func (j *Job) journal() string { return journalPrefix(j.Name) + j.Submission }

// journalPrefix returns what the names of all journals of a job begin with.
func journalPrefix(job string) string { return job + "_" }

// streamName and the functions after it return the names of a journal on the servers.
func streamName(journal string) string      { return "MAPA_" + journal }
func stateBucket(journal string) string     { return "mapa_" + journal }
func journalSubjects(journal string) string { return "mapa." + journal + ".>" }
func sitesSubject(journal string) string    { return "mapa." + journal + ".sites" }
func logSubject(journal string, group int) string {
	return "mapa." + journal + ".log." + strconv.Itoa(group)
}
func offerSubject(journal string, site int) string {
	return "mapa." + journal + ".in." + strconv.Itoa(site)
}
func offerSubjects(journal string) string { return "mapa." + journal + ".in.*" }

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

// decodeSites appends the sites of a message, until there are as many as a job has.
func decodeSites(sites []Site, data []byte, most int) ([]Site, error) {
	raw, err := codec().DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: its list of sites: %w", ErrDamaged, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(raw)); ; {
		var site Site
		switch err := decoder.Decode(&site); {
		case err == io.EOF:
			return sites, nil
		case err != nil:
			return nil, fmt.Errorf("%w: its list of sites: %w", ErrDamaged, err)
		case len(sites) == most:
			return nil, fmt.Errorf("%w: its list has more than %d sites", ErrDamaged, most)
		}
		sites = append(sites, site)
	}
}
