package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/store"
)

// A siteJournal is what workers have stored of a site.
type siteJournal struct {
	job     journal.Job
	follow  *journal.Follower
	site    int
	end     *journal.SiteEnd
	stopped bool // the site has not ended, and what there is counts
}

// cut returns how the crawl of the site was cut off, or nil.
func (j *siteJournal) cut() *CutError {
	switch {
	case j.stopped:
		return &CutError{err: crawl.ErrStopped}
	case j.end.Failure == "" || j.end.Unanswered == 0:
		return nil
	}
	return &CutError{Outage: true, Unanswered: j.end.Unanswered, err: crawl.ErrOutage}
}

// collect writes the results of a site that workers have crawled.
func (r *crawlRun) collect(ctx context.Context, j *siteJournal) (_ *Result, err error) {
	cut := j.cut()
	if !j.stopped && (j.end.Failure != "" && cut == nil || j.end.Pages == 0) {
		return nil, errNoResult
	}
	written, err := r.openFolder()
	if err != nil {
		return nil, err
	}
	present, err := r.dropCollected(j)
	if err != nil {
		return nil, err
	}
	file, progress, err := r.replayInto(ctx, j, written, present)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	switch {
	case cut == nil && j.end.Limit != crawl.LimitTime:
		err = file.Finish(ctx)
	case j.stopped:
		err = file.closePrevious() // a part of the site cannot be compared with it
	case cut != nil && file.previous != nil:
		return nil, errNoResult
	}
	if err := errors.Join(err, file.dropReplaced()); err != nil {
		return nil, err
	}
	r.options.Limits.Time = 0 // it was that of the crawl
	return r.conclude(ctx, file, progress, cut)
}

// replayInto makes the crawl file of a site from what workers have stored. present says
// that the folder has it already.
func (r *crawlRun) replayInto(
	ctx context.Context, j *siteJournal, written *outputs.WrittenFiles, present bool,
) (file *crawlFile, progress crawl.Progress, err error) {
	defer func() {
		if err != nil && file != nil {
			err = errors.Join(err, file.close())
		}
	}()
	progress = j.end.Progress()
	open := func(about crawl.Meta) (err error) {
		var meta crawlfile.Meta
		if err := json.Unmarshal([]byte(about.Options), &meta); err != nil {
			return err
		}
		meta.Job, meta.Created, meta.Sequence = j.job.Name, j.job.Created, j.end.Sequence
		about.Options = meta.String()
		file, err = openCrawl(r.folder, about, written, false, present)
		r.options.Start = about.Start
		return err
	}
	if !present {
		err = j.follow.Replay(ctx, j.site, j.end, func(meta crawl.Meta) error {
			if file != nil {
				if err := file.takeBack(); err != nil {
					return err
				}
			}
			return open(meta)
		}, func(c crawl.Commit) error {
			if j.stopped {
				countDone(&progress, c.Done)
			}
			return file.Append(ctx, c)
		})
	}
	if err == nil && file == nil { // it is there, or the site was stopped before anything was stored
		var start string
		if start, err = r.options.StartURL(); err == nil {
			err = open(r.about(start))
		}
	}
	return file, progress, err
}

// countDone counts pages of a site that has not ended.
func countDone(p *crawl.Progress, done []crawl.Page) {
	p.Pages += len(done)
	for i := range done {
		p.Bytes += done[i].Transferred
	}
}

// dropCollected removes what was collected of a job before, and cut off or outdated. It
// reports whether the folder has the very crawl already.
func (r *crawlRun) dropCollected(j *siteJournal) (present bool, err error) {
	name := filepath.Join(r.folder, crawlfile.Name)
	before, err := store.Open(name)
	if err != nil {
		return false, nil // openCrawl says what is wrong with it
	}
	meta, err := crawlfile.ReadMeta(before)
	finished := before.Finished()
	start := before.Meta().Start
	if err := errors.Join(err, before.Close()); err != nil {
		return false, err
	}
	isJob := meta.Job == j.job.Name && meta.Created.Equal(j.job.Created)
	switch {
	case finished && !isJob:
		return false, nil
	case finished && meta.Sequence == j.end.Sequence:
		return true, nil
	case meta.Job != j.job.Name:
		return false, &FolderInUseError{r.folder, start}
	}
	return false, os.Remove(name)
}
