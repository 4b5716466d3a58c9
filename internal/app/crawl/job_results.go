package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/journal"
)

// jobFileName is the summary of a job in its folder.
const jobFileName = "job.json"

// A JobResult is the outcome of a job. Its JSON is job.json.
type JobResult struct {
	Job     string           `json:"job"`
	State   journal.JobState `json:"state"`
	Created time.Time        `json:"created"`
	Sites   int              `json:"sites"`
	Ended   int              `json:"ended"`
	Failed  int              `json:"failed"`
	Pages   int64            `json:"pages"`
	Listed  int64            `json:"listed"`
	Broken  int64            `json:"broken"`
	Failing int              `json:"failing,omitempty"` // problems that --fail-on names
	Results []SiteResult     `json:"results"`
	Folder  string           `json:"-"`
}

// A SiteResult is the outcome of a site of a job.
type SiteResult struct {
	URL     string `json:"url"`
	Folder  string `json:"folder,omitempty"` // in that of the job; empty without a result
	Pages   int64  `json:"pages"`
	Listed  int    `json:"listed"`
	Broken  int64  `json:"broken"`
	Limit   string `json:"limit,omitempty"`
	Failing int    `json:"failing,omitempty"`
	Refused string `json:"refused,omitempty"` // why no sitemap was written
	Failure string `json:"failure,omitempty"` // why the site was not crawled to its end
	Stopped bool   `json:"stopped,omitempty"` // the job was canceled before the end of the site
	// Sequence identifies this end of the site. A later end has a larger one.
	Sequence uint64 `json:"sequence,omitempty"`
}

// A collector writes the results of a job.
type collector struct {
	app    *app.App
	follow *journal.Follower
	folder string
	force  bool
	result JobResult
	saved  time.Time
	lost   []int // sites whose records the servers have lost, by number
}

// saveTime is the time between two writes of job.json while results are collected.
const saveTime = 10 * time.Second

// JobResults writes the results of the sites of a job that have ended.
func JobResults(ctx context.Context, a *app.App, s *JobSettings) (*JobResult, error) {
	var result *JobResult
	err := withCluster(ctx, a, &s.NATS, func(cluster *journal.Cluster) error {
		c, err := newCollector(ctx, a, cluster, s.Name, s)
		if err != nil {
			return jobNamed(s.Name, err)
		}
		defer c.follow.Close()
		if _, err = c.collect(ctx); err == nil {
			err = c.collectStopped(ctx)
		}
		if err == nil {
			err = jobNamed(s.Name, c.follow.Err())
		}
		if len(c.lost) > 0 {
			err = errors.Join(err, fmt.Errorf("%s: %w", c.follow.Sites()[c.lost[0]].Start, journal.ErrCut))
		}
		result = &c.result
		return errors.Join(err, c.save())
	})
	return result, err
}

// collectJob waits for the end of a job and writes its results.
func collectJob(
	ctx context.Context, a *app.App, cluster *journal.Cluster, name string, s *JobSettings,
) (*JobResult, error) {
	c, err := newCollector(ctx, a, cluster, name, s)
	if err != nil {
		return nil, unfinished(ctx, name, err)
	}
	defer c.follow.Close()
	if err = c.untilEnd(ctx); err == nil {
		err = c.collectStopped(ctx)
	}
	if err != nil {
		return nil, errors.Join(unfinished(ctx, name, err), c.save())
	}
	a.Emit(app.Ended{})
	return &c.result, c.save()
}

// unfinished returns the error for a job that cannot be waited for any more.
func unfinished(ctx context.Context, job string, err error) error {
	if _, unanswered := errors.AsType[*journal.UnansweredError](err); unanswered || ctx.Err() != nil {
		return &UnfinishedJobError{job, err}
	}
	return jobNamed(job, err)
}

func newCollector(
	ctx context.Context, a *app.App, cluster *journal.Cluster, name string, s *JobSettings,
) (*collector, error) {
	follow, err := cluster.Follow(ctx, name)
	if err != nil {
		return nil, err
	}
	job := follow.Job()
	c := &collector{app: a, follow: follow, folder: cmp.Or(s.Output, name), force: s.Force}
	c.result = JobResult{
		Job: name, State: job.State, Created: job.Created, Sites: job.Sites, Results: make([]SiteResult, job.Sites),
		Folder: c.folder,
	}
	for i, site := range follow.Sites() {
		c.result.Results[i].URL = site.Start
	}
	if err := c.load(); err != nil {
		follow.Close()
		return nil, err
	}
	return c, nil
}

// load reads the summary of an earlier run, whose results need not be written again.
func (c *collector) load() error {
	if err := os.MkdirAll(c.folder, 0o777); err != nil {
		return &crawlfile.FolderError{Folder: c.folder, Err: err}
	}
	text, err := os.ReadFile(filepath.Join(c.folder, jobFileName))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var before JobResult
	if json.Unmarshal(text, &before) != nil || before.Job == "" {
		if c.force {
			return nil
		}
		return &outputs.ForeignFileError{File: filepath.Join(c.folder, jobFileName)}
	}
	if before.Job == c.result.Job && before.Created.Equal(c.result.Created) && len(before.Results) == c.result.Sites {
		c.result.Results = before.Results
	}
	return nil
}

// save writes the summary.
func (c *collector) save() error {
	r := &c.result
	r.State = c.follow.Job().State
	r.Ended, r.Failed, r.Pages, r.Listed, r.Broken, r.Failing = 0, 0, 0, 0, 0, 0
	for i := range r.Results {
		site := &r.Results[i]
		if site.Sequence > 0 && !site.Stopped {
			r.Ended++
		}
		if site.Failure != "" {
			r.Failed++
		}
		r.Pages += site.Pages
		r.Listed += int64(site.Listed)
		r.Broken += site.Broken
		r.Failing += site.Failing
	}
	c.saved = time.Now()
	return atomicfile.Replace(filepath.Join(c.folder, jobFileName), func(out io.Writer) error {
		return format.NewEncoder(out).Encode(r)
	})
}

// untilEnd collects until the job has ended.
func (c *collector) untilEnd(ctx context.Context) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	known := time.Now() // when the sites were as the state of the job says
	for {
		state := c.follow.Job().State // before the sites, which change first
		collected, err := c.collect(ctx)
		if err == nil && !collected {
			err = c.follow.Err() // the sites that have ended were collected
		}
		status := c.follow.Status()
		if state != journal.JobDone || status.Ended == c.result.Sites {
			known = time.Now()
		}
		switch {
		case err != nil:
			return err
		case len(c.lost) > 0, time.Since(known) > lostTime:
			if err := c.reopen(ctx); err != nil {
				return err
			}
			known = time.Now()
		case !collected && (state == journal.JobCanceled || state == journal.JobDone && status.Ended == c.result.Sites):
			return nil
		}
		c.app.Emit(JobProgress{Job: c.result.Job, Sites: c.result.Sites, JobStatus: status})
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// lostTime is how long a finished job may lack the end of a site before the end counts as lost.
const lostTime = 15 * time.Second

// reopen lets workers crawl again what the servers have lost.
func (c *collector) reopen(ctx context.Context) error {
	c.app.Emit(app.Notice{Text: "the servers have lost records of job " + c.result.Job + ": its workers fetch them again"})
	err := c.follow.Reopen(ctx, c.lost)
	c.lost = nil
	return err
}

// collect writes the results of the sites that have ended since. It reports whether there
// were any.
func (c *collector) collect(ctx context.Context) (any bool, err error) {
	for i := range c.result.Results {
		end := c.follow.End(i)
		if end == nil || end.Sequence == c.result.Results[i].Sequence {
			continue
		}
		if err := ctx.Err(); err != nil {
			return any, context.Cause(ctx)
		}
		any = true
		err := c.collectSite(ctx, i, end, false)
		if errors.Is(err, journal.ErrCut) {
			c.lost = append(c.lost, i)
		} else if err != nil {
			return any, err
		}
	}
	return any, nil
}

// collectStopped writes what was found of the sites of a canceled job that have not ended.
func (c *collector) collectStopped(ctx context.Context) error {
	if c.follow.Job().State != journal.JobCanceled {
		return nil
	}
	for i := range c.result.Results {
		if c.follow.End(i) != nil {
			continue
		}
		end, err := c.follow.Stopped(ctx, i)
		if err != nil {
			return err
		}
		if end.Sequence == c.result.Results[i].Sequence { // 0 for a site that nobody has begun
			continue
		}
		if err := c.collectSite(ctx, i, end, c.follow.End(i) == nil); err != nil {
			return err
		}
	}
	return nil
}

// collectSite writes the results of a site as after a crawl on one machine, and now and
// then the summary.
func (c *collector) collectSite(ctx context.Context, number int, end *journal.SiteEnd, stopped bool) error {
	if err := c.writeSite(ctx, number, end, stopped); err != nil || time.Since(c.saved) < saveTime {
		return err
	}
	c.app.Emit(JobProgress{Job: c.result.Job, Sites: c.result.Sites, JobStatus: c.follow.Status()})
	return c.save()
}

func (c *collector) writeSite(ctx context.Context, number int, end *journal.SiteEnd, stopped bool) error {
	site := &c.follow.Sites()[number]
	into := &c.result.Results[number]
	*into = SiteResult{
		URL: site.Start, Failure: end.Failure, Limit: end.Limit, Sequence: end.Sequence, Stopped: stopped,
	}
	run, err := c.siteRun(site)
	if err != nil { // as it was for the worker: the job is damaged, or comes from another program
		into.Failure = cmp.Or(into.Failure, err.Error())
		return nil
	}
	into.Folder = filepath.Base(run.folder)
	result, err := run.collect(ctx, &siteJournal{
		job: c.follow.Job(), follow: c.follow, site: number, end: end, stopped: stopped,
	})
	switch {
	case errors.Is(err, errNoResult):
		into.Folder = ""
		return nil
	case err != nil:
		*into = SiteResult{URL: site.Start}
		return fmt.Errorf("%s: %w", site.Start, err)
	}
	into.Pages, into.Listed, into.Broken = result.Pages, result.Listed, result.Broken
	into.Refused, into.Failing = result.Refused, result.Failing
	return nil
}

// siteRun returns the crawl of a site whose results are to be written.
func (c *collector) siteRun(site *journal.Site) (*crawlRun, error) {
	options := site.Options
	if options == nil {
		options = c.follow.Job().Options
	}
	settings, err := decodeForWorkers(options)
	if err != nil {
		return nil, err
	}
	start, err := addresses.ReadStart(site.Start)
	if err != nil {
		return nil, err
	}
	settings.Output, settings.Force = filepath.Join(c.folder, crawlfile.FolderOf(strings.ToLower(start.Host))), c.force
	return newRun(c.app, start, nil, false, settings)
}

// errNoResult means that a site has ended without a page to publish.
var errNoResult = errors.New("the site was not crawled")
