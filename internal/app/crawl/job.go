package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A Job is a list of sites that workers crawl together.
type Job = journal.Job

// A JobSite is a site to crawl on workers.
type JobSite struct {
	URL      string
	Settings *Settings
}

// ReadSites reads a list of sites: one a line, without blank lines and those that begin
// with #.
func ReadSites(a *app.App, name string) ([]string, error) {
	sites, err := addresses.ReadSites(name)
	if err != nil {
		return nil, setting.Wrap("sites", err)
	}
	return sites, nil
}

// JobSettings say which job to submit, and where its results go.
type JobSettings struct {
	NATS   NATSSettings
	Name   string // empty is chosen by the time
	Output string // the folder; every site has a folder of its own in it
	Force  bool   // replace files that mapa did not write
}

// All returns the table of the settings of a crawl on workers, without Output and Force,
// which those of the sites have too.
func (s *JobSettings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "job", Value: setting.String(&s.Name), CommandLineOnly: true,
			Help: "with --nats: name of the job; that of a job that runs or was canceled continues it"},
	}, s.NATS.All()...)
}

// An UnfinishedJobError says that the job goes on, or can, though this process does not
// wait for it any more.
type UnfinishedJobError struct {
	Job string
	Err error
}

// Error gives the reason.
func (e *UnfinishedJobError) Error() string { return fmt.Sprintf("job %s goes on: %v", e.Job, e.Err) }

// Unwrap returns the reason.
func (e *UnfinishedJobError) Unwrap() error { return e.Err }

// ErrOtherSites says that a job exists that has other sites or settings.
var ErrOtherSites = errors.New("the job exists with other sites or settings")

// RunJob submits a job, waits for it, and writes the results of each site when it has
// ended. The job of the settings' name is continued if it has the same sites, also when it
// was canceled. When ctx ends, the job goes on.
func RunJob(ctx context.Context, a *app.App, sites []JobSite, s *JobSettings) (*JobResult, error) {
	if len(sites) == 0 {
		return nil, addresses.ErrNoSites
	}
	job := journal.Job{Name: s.Name, Program: a.Version}
	if job.Name == "" {
		job.Name = "crawl-" + time.Now().UTC().Format("20060102-150405")
	}
	if err := journal.CheckJobName(job.Name); err != nil {
		return nil, setting.Wrap("job", err)
	}
	listed, err := jobSites(a, sites, &job)
	if err != nil {
		return nil, err
	}
	var result *JobResult
	err = withCluster(ctx, a, &s.NATS, func(cluster *journal.Cluster) error {
		err := cluster.Submit(ctx, job, listed)
		if errors.Is(err, journal.ErrJobExists) {
			if err = sameJob(ctx, cluster, &job, listed); err == nil {
				err = cluster.Resume(ctx, job.Name)
			}
		}
		if err != nil {
			return jobNamed(job.Name, err)
		}
		a.Emit(JobSubmitted{Job: job.Name, Sites: len(listed)})
		result, err = collectJob(ctx, a, cluster, job.Name, s)
		return err
	})
	return result, err
}

// sameJob returns ErrOtherSites unless the job on the servers has the same sites.
func sameJob(ctx context.Context, cluster *journal.Cluster, job *journal.Job, sites []journal.Site) error {
	f, err := cluster.Follow(ctx, job.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	present := f.Job()
	equal := func(a, b journal.Site) bool {
		return a.Start == b.Start && string(a.Options) == string(b.Options)
	}
	if string(present.Options) != string(job.Options) || !slices.EqualFunc(f.Sites(), sites, equal) {
		return ErrOtherSites
	}
	return nil
}

// jobSites returns the sites of a job with their settings, those of most in the job.
func jobSites(a *app.App, sites []JobSite, job *journal.Job) ([]journal.Site, error) {
	defaults := NewSettings().forWorkers()
	hosts := map[string]jobStart{}
	encoded := map[*Settings]json.RawMessage{}
	listed := make([]journal.Site, 0, len(sites))
	for _, site := range sites {
		start, err := addresses.ReadStart(site.URL)
		if err != nil {
			return nil, err
		}
		if start.User != "" {
			return nil, setting.Invalid("user", "the credentials of %[2]s go into %[1]s: the list of sites is shown to everybody",
				start.URL)
		}
		base, err := urlnorm.NewBase([]byte(start.URL))
		if err != nil {
			return nil, addresses.InvalidStart(start.URL)
		}
		host, own := urlnorm.Host(base.String()), jobStart{base.String(), site.Settings}
		if other, found := hosts[host]; found && other != own {
			return nil, fmt.Errorf("%w: %s and %s", ErrSameHost,
				addresses.TruncatedAddress(other.url), addresses.TruncatedAddress(own.url))
		} else if found {
			continue // it is listed twice
		}
		hosts[host] = own
		if encoded[site.Settings] == nil {
			if encoded[site.Settings], err = encodeForWorkers(a, start, site.Settings, defaults); err != nil {
				return nil, err
			}
		}
		listed = append(listed, journal.Site{
			Start: strings.TrimSpace(site.URL), Host: host, Options: encoded[site.Settings],
		})
	}
	job.Options = listed[0].Options
	for i := range listed {
		if string(listed[i].Options) == string(job.Options) {
			listed[i].Options = nil
		}
	}
	return listed, nil
}

// jobStart is a site of a job as it is compared with others.
type jobStart struct {
	url      string // normalized
	settings *Settings
}

// ErrSameHost says that two sites of a job have one host, which only one worker requests.
var ErrSameHost = errors.New("two sites have the same host")

// JobList returns the jobs on the servers, the oldest first.
func JobList(ctx context.Context, a *app.App, s *NATSSettings) (jobs []Job, err error) {
	err = withCluster(ctx, a, s, func(cluster *journal.Cluster) error {
		jobs, err = cluster.Jobs(ctx)
		return err
	})
	return jobs, err
}

// A JobDetails is a job and what has been done of it.
type JobDetails struct {
	Job
	journal.JobStatus
	Failures []SiteResult `json:"failures,omitempty"` // the first of them
}

// maxFailures is how many sites that failed JobShow returns.
const maxFailures = 100

// JobShow returns a job and what has been done of it.
func JobShow(ctx context.Context, a *app.App, s *NATSSettings, name string) (*JobDetails, error) {
	var details *JobDetails
	err := withCluster(ctx, a, s, func(cluster *journal.Cluster) error {
		follow, err := cluster.Follow(ctx, name)
		if errors.Is(err, journal.ErrDamaged) { // its entry may say more
			if job, failed := cluster.Job(ctx, name); failed == nil && job.State == journal.JobDamaged {
				details = &JobDetails{Job: job}
				details.Options = nil // they may hold credentials
				return nil
			}
		}
		if err != nil {
			return jobNamed(name, err)
		}
		defer follow.Close()
		details = &JobDetails{Job: follow.Job(), JobStatus: follow.Status()}
		details.Options = nil // they may hold credentials
		for i, site := range follow.Sites() {
			end := follow.End(i)
			if end == nil || end.Failure == "" {
				continue
			}
			if len(details.Failures) == maxFailures {
				break
			}
			failed := SiteResult{URL: site.Start, Failure: end.Failure, Pages: int64(end.Pages)}
			details.Failures = append(details.Failures, failed)
		}
		return nil
	})
	return details, err
}

// JobCancel ends a job. What was crawled stays on the servers.
func JobCancel(ctx context.Context, a *app.App, s *NATSSettings, name string) error {
	return withCluster(ctx, a, s, func(cluster *journal.Cluster) error {
		return jobNamed(name, cluster.Cancel(ctx, name))
	})
}

// JobDelete removes a job and everything that was crawled for it from the servers.
func JobDelete(ctx context.Context, a *app.App, s *NATSSettings, name string) error {
	return withCluster(ctx, a, s, func(cluster *journal.Cluster) error {
		return jobNamed(name, cluster.Delete(ctx, name))
	})
}

// jobNamed adds the name of the job to an error.
func jobNamed(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("job %s: %w", name, err)
}

// withCluster calls do with a connection.
func withCluster(ctx context.Context, a *app.App, s *NATSSettings, do func(*journal.Cluster) error) error {
	cluster, err := s.Connect(ctx, a)
	if err != nil {
		return err
	}
	defer cluster.Close()
	return do(cluster)
}
