package run

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mapatools/mapa/lint/internal/live"
	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/source"
)

// run is one call of Checker.Check.
type run struct {
	options   *Options
	rules     rule.Options
	selection *selection
	faults    faultRouter
	robots    *robotsCache
	files     []*rule.Summary // in the order of the checks
	children  atomic.Int64    // of all indexes, in bytes
	pages     *pageset.Set    // nil where no rule is about the set
	sample    *live.Pages     // nil where no rule is about what the site answers
}

func (c *Checker) newRun() *run {
	o := &c.options
	r := &run{options: o, rules: o.Options, selection: c.selection, robots: newRobotsCache(&o.Source)}
	r.rules.Now = o.now()
	if kinds := c.selection.kinds; len(kinds) > 0 {
		r.pages = pageset.New(pageset.Options{
			Memory: o.Memory, Kinds: kinds, MaxEach: o.MaxPerRule, Crawled: o.Crawled != nil,
		})
	}
	if len(c.selection.page) > 0 {
		r.sample = live.NewPages(o.Sample)
	}
	return r
}

func (r *run) close() {
	if r.pages != nil {
		r.pages.Close()
	}
	if r.sample != nil {
		r.sample.Close()
	}
}

// Check delivers the findings of all sources until deliver returns false: file by
// file, then those about the set, then those about what the site answers. See
// lint.Linter.Check.
func (c *Checker) Check(ctx context.Context, sources []string, deliver func(*rule.Finding) bool) error {
	files, sourceOf, err := expandFolders(sources)
	if err != nil {
		return err
	}
	r := c.newRun()
	defer r.close()
	out := &output{selection: c.selection, deliver: deliver}
	if r.checkFiles(ctx, files, out); out.refused || ctx.Err() != nil {
		return ctx.Err()
	}
	for _, step := range []func(context.Context, *output) error{
		r.checkIndexes,
		func(_ context.Context, out *output) error { return r.compareCounts(sourceOf, out) },
		r.checkSet,
		r.checkSite,
	} {
		if err := step(ctx, out); err != nil || out.refused {
			return err
		}
	}
	return nil
}

// checkFiles checks files in parallel and delivers their findings file by file.
func (r *run) checkFiles(ctx context.Context, files []string, out *output) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan *fileCheck, 2*runtime.GOMAXPROCS(0))
	go r.open(inner, files, queue)
	for c := range queue {
		for f := range c.out {
			if !out.refused && !out.deliver(f) {
				out.refused = true
				cancel()
			}
		}
		if !out.refused && ctx.Err() == nil && r.options.OnFile != nil {
			r.options.OnFile(c.location, c.unopened)
		}
	}
}

// open puts a check of each file into the queue, while it is running.
func (r *run) open(ctx context.Context, files []string, queue chan<- *fileCheck) {
	defer close(queue)
	options := r.options.Source
	options.Strict, options.Indexes, options.OnFault = false, true, r.faults.report
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	defer running.Wait()
	for file, err := range source.Sitemaps(ctx, files, &options) {
		c := r.newFileCheck(ctx, file, err)
		select {
		case queue <- c:
		case <-ctx.Done():
			if file != nil {
				file.Close()
			}
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			defer close(c.out)
			if err != nil {
				c.fail(err)
				return
			}
			c.check(file)
		})
	}
}

// newFileCheck returns the check of the next file, which an error replaces where
// it could not be opened.
func (r *run) newFileCheck(ctx context.Context, file *source.File, err error) *fileCheck {
	c := &fileCheck{
		counter: newCounter(r.selection, r.options.MaxPerRule), run: r, ctx: ctx,
		out: make(chan *rule.Finding, maxWaiting), number: uint32(len(r.files)), summary: &rule.Summary{},
	}
	if file != nil {
		c.summary.Location, c.summary.Source = file.Location, file.Source
	} else {
		c.summary.Location, c.summary.Source = locationOf(err), sourceOf(err)
	}
	r.files = append(r.files, c.summary)
	if r.pages != nil {
		c.pages = r.pages.AddFile(c.summary.Location)
	}
	return c
}

// locationOf returns the file that an error of package source is about.
func locationOf(err error) string {
	var where *source.Error
	if errors.As(err, &where) {
		return where.Location
	}
	return ""
}

// sourceOf returns the source that led to the file of an error.
func sourceOf(err error) string {
	var where *source.Error
	if errors.As(err, &where) {
		return where.Source
	}
	return ""
}

// expandFolders returns the files in folders among the sources, and the source of
// each file.
func expandFolders(sources []string) (files []string, sourceOf map[string]string, err error) {
	sourceOf = map[string]string{}
	for _, s := range sources {
		found, err := source.ExpandFolders([]string{s})
		if err != nil {
			return nil, nil, err
		}
		for _, file := range found {
			if _, known := sourceOf[file]; !known {
				sourceOf[file] = s
			}
		}
		files = append(files, found...)
	}
	return files, sourceOf, nil
}
