package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/result"
)

// State is where a crawl stands.
type State = jobs.State

// The states.
const (
	StateQueued  = jobs.StateQueued
	StateRunning = jobs.StateRunning
	StatePaused  = jobs.StatePaused
	StateDone    = jobs.StateDone
	StateFailed  = jobs.StateFailed
	StateStopped = jobs.StateStopped
)

// Counts are the numbers of a crawl.
type Counts = jobs.Counts

// A Publication is the outcome of publishing and announcing a result.
type Publication struct {
	jobs.Publication
	Failure *Failure `json:"failure,omitempty"`
}

// showPublication returns a publication with what to do about its failure, or nil for nil.
func showPublication(p *jobs.Publication) *Publication {
	if p == nil {
		return nil
	}
	return &Publication{*p, showFailure(p.Failure)}
}

// A Crawl is a crawl of the server. Its options show no secrets. Its JSON is for programs.
type Crawl struct {
	ID       string `json:"id"`
	Site     string `json:"site"` // name of its site
	URL      string `json:"url"`  // as asked for, without user information
	Client   string `json:"-"`    // whose quota it uses; empty is the owner
	Language string `json:"language,omitempty"`
	State    State  `json:"state"`
	// The times are zero until they come.
	Created time.Time `json:"created"`
	Began   time.Time `json:"began,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Expires time.Time `json:"expires,omitzero"` // when it is deleted; zero is not by time
	Counts  Counts    `json:"counts"`
	// Sign says at a glance whether anything is to be done about the result; empty without one.
	Sign  insight.Sign `json:"sign,omitempty"`
	Limit string       `json:"limit,omitempty"` // that ended it, such as max-pages; mostly empty
	// Complete reports that it ended by itself, and not because it was stopped or had no more time.
	Complete bool     `json:"complete,omitempty"`
	Failure  *Failure `json:"error,omitempty"` // nil unless it failed
	// Repeats are the crawls before it that failed for the same reason and are deleted.
	Repeats int `json:"repeats,omitempty"`
	// Options have the names of the flags of mapa crawl. Secrets are [Redacted].
	Options     map[string][]string `json:"options,omitempty"`
	Position    int                 `json:"position,omitempty"`    // in the queue, from 1; 0 when it is not queued
	Previous    string              `json:"previous,omitempty"`    // ID of the crawl that it is compared with, or empty
	Schedule    string              `json:"schedule,omitempty"`    // ID of the schedule that asked for it, or empty
	Publication *Publication        `json:"publication,omitempty"` // nil without one
	Files       []File              `json:"files,omitempty"`       // of its result; only Service.Crawl sets it

	record *jobs.Crawl
}

// HasResult reports whether the crawl ended with a result. One that was stopped before it began
// has none.
func (c *Crawl) HasResult() bool { return c.record.HasResult() }

// When returns the time that is shown of the crawl: when it ended, or was created if it has not.
func (c *Crawl) When() time.Time { return cmp.Or(c.Ended, c.Created) }

// IsRepeated reports whether both crawls began at the same address and failed for the same
// reason before they visited a page.
func (c *Crawl) IsRepeated(other *Crawl) bool { return c.record.IsRepeated(other.record) }

// A File is a file of a result.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
}

// Crawl returns a crawl by its ID, with its files. The error is [ErrNotFound] when there
// is no such crawl.
func (s *Service) Crawl(ctx context.Context, id string) (*Crawl, error) {
	c, err := s.crawl(ctx, id)
	if err == nil && c.State.Ended() {
		c.Files = s.files(id)
	}
	return c, err
}

// crawl returns a crawl without its files.
func (s *Service) crawl(ctx context.Context, id string) (*Crawl, error) {
	record, err := s.record(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.view(record), nil
}

// record returns a crawl as it is stored.
func (s *Service) record(ctx context.Context, id string) (*jobs.Crawl, error) {
	return recordIn(ctx, s.store, id)
}

func recordIn(ctx context.Context, store *jobs.Store, id string) (record *jobs.Crawl, err error) {
	err = store.Update(ctx, func(tx *jobs.Tx) (err error) {
		record, err = tx.Crawl(id)
		return err
	})
	return record, err
}

// Crawls returns crawls, the newest first, and the cursor of the next ones, which is empty
// at the end. An empty site means those of all sites.
func (s *Service) Crawls(ctx context.Context, site, cursor string, limit int) ([]Crawl, string, error) {
	before, err := strconv.ParseInt(cursor, 36, 64)
	if err != nil && cursor != "" || before < 0 {
		return nil, "", ErrNotFound
	}
	var records []*jobs.Crawl
	err = s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		records, err = tx.Crawls(hostsOf(site), before, bounded(limit)+1)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(records) > bounded(limit) {
		records = records[:bounded(limit)]
		next = strconv.FormatInt(records[len(records)-1].Number, 36)
	}
	crawls := make([]Crawl, len(records))
	for i, record := range records {
		crawls[i] = *s.view(record)
	}
	return crawls, next, nil
}

// maxRows is the most rows of a list.
const maxRows = 500

// bounded returns the number of rows of a list.
func bounded(limit int) int { return min(max(limit, 1), maxRows) }

// view returns what is shown of a crawl.
func (s *Service) view(record *jobs.Crawl) *Crawl {
	c := &Crawl{
		ID: record.ID, Site: addresses.SiteName(record.Site), URL: record.URL, Client: record.Client,
		Language: record.Language, State: record.State,
		Created: record.Created, Began: record.Began, Ended: record.Ended, Expires: record.Expires,
		Counts: record.Counts, Sign: signOf(record), Limit: record.Limit, Complete: record.IsComplete(),
		Failure: showFailure(record.Failure), Repeats: record.Repeats,
		Options:  shownOptions(record.Options),
		Previous: record.Previous, Schedule: record.Schedule, Publication: showPublication(record.Publication),
		record: record,
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	run := s.running[c.ID]
	switch {
	case run != nil && !c.State.Ended():
		c.State, c.Counts = StateRunning, run.live.counts()
	case c.State == StateRunning: // it goes on when its turn comes
		c.State = StateQueued
	}
	if c.State == StateQueued {
		c.Position = s.order[c.ID]
	}
	return c
}

// files returns the files of a result, sorted by name.
func (s *Service) files(id string) []File {
	entries, err := os.ReadDir(s.folder(id))
	if err != nil {
		return nil
	}
	var files []File
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && isResultFile(info) {
			files = append(files, File{entry.Name(), info.Size()})
		}
	}
	return files
}

// resultTypes are the types of the files that a crawl writes for people.
var resultTypes = []string{".xml", ".gz", ".html", ".txt", ".css", ".csv", ".jsonl"}

// isResultFile reports whether a file of a crawl's folder is part of its result.
func isResultFile(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && !strings.HasPrefix(info.Name(), ".") &&
		slices.Contains(resultTypes, path.Ext(info.Name()))
}

// OpenFile opens a file of a result by its name. The error is [ErrNotFound] unless the
// name is one of Crawl.Files.
func (s *Service) OpenFile(ctx context.Context, id, name string) (*os.File, error) {
	c, err := s.Crawl(ctx, id)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(c.Files, func(f File) bool { return f.Name == name }) {
		return nil, ErrNotFound
	}
	file, err := os.Open(filepath.Join(s.folder(id), name))
	if os.IsNotExist(err) {
		err = ErrNotFound
	}
	return file, err
}

// OpenResult opens the result of a crawl that has ended. Those who read it share it, so
// it must be closed only by calling release. The error is [ErrNotFound] when there is no
// such crawl or no result, and a [*StateError] when it has not ended.
func (s *Service) OpenResult(ctx context.Context, id string) (_ *result.Result, release func(), err error) {
	c, err := s.crawl(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if !c.State.Ended() {
		return nil, nil, &StateError{"read", c.State}
	}
	opened, release, err := s.results.open(ctx, id, func(ctx context.Context) (openResult, error) {
		tables, err := s.tablesFolder(id)
		if err != nil {
			return nil, err
		}
		return openFolder(ctx, s.folder(id), tables)
	})
	if err != nil {
		if errors.Is(err, crawlfile.ErrNoCrawl) {
			err = ErrNotFound
		}
		return nil, nil, err
	}
	return opened.(*result.Result), release, nil
}

// openFolder opens the crawl in a folder for queries. The first time, it reads the whole crawl, which takes
// half a minute for a million URLs, and keeps what it needs in the folder tables, usually the same.
func openFolder(ctx context.Context, folder, tables string) (*result.Result, error) {
	opened, err := result.Open(ctx, folder, tables)
	return opened, crawlfile.Wrap(err, folder)
}

// FindPage returns the number of the page of a result that a person means by an address, and false when the
// crawl did not find it. It disregards the query parameters with the names ignored. The error wraps
// [addresses.ErrNotPage] if the address is not that of a page.
func FindPage(ctx context.Context, r *result.Result, address string, ignored []string) (int64, bool, error) {
	urls, err := addresses.ReadPage(address)
	if err != nil {
		return 0, false, err
	}
	return r.FindPage(ctx, urls, addresses.PageKey(ignored))
}

// A Comparison is of two crawls that have ended. Their results stay until Close is called.
type Comparison struct {
	old, new, tables string // folders
	release          func()
}

// OpenComparison compares two crawls. The errors are those of OpenResult.
func (s *Service) OpenComparison(ctx context.Context, old, new string) (*Comparison, error) {
	releaseOld, releaseNew := s.results.pin(old), s.results.pin(new)
	release := func() { releaseOld(); releaseNew() }
	for _, id := range []string{old, new} {
		c, err := s.crawl(ctx, id)
		if err == nil && !c.State.Ended() {
			err = &StateError{"compare", c.State}
		}
		if err != nil {
			release()
			return nil, err
		}
	}
	tables, err := s.tablesFolder(new)
	if err != nil {
		release()
		return nil, err
	}
	return &Comparison{s.folder(old), s.folder(new), tables, release}, nil
}

// Changes returns a part of the changes, all or those of one kind, ordered by URL.
func (c *Comparison) Changes(ctx context.Context, kind, cursor string, limit int) (*result.ChangeList, error) {
	list, err := result.Compare(ctx, c.old, c.new, c.tables, kind, cursor, limit)
	return list, crawlfile.Wrap(err, c.old+" and "+c.new)
}

// Close lets the results go.
func (c *Comparison) Close() { c.release() }
