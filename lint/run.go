package lint

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/sample"
	"github.com/mapatools/mapa/source"
)

// A run is one call of [Linter.Check].
type run struct {
	options   Options
	selection *selection
	faults    faultRouter
	robots    *robotsCache
	site      *fetch.Site
	files     []*fileSummary // in the order of the checks
	children  atomic.Int64   // of all indexes, in bytes
	pages     *pageset.Set   // nil where no rule is about the set
	sample    *sample.Pages  // nil where no rule is about what the site answers
}

func (l *Linter) newRun() *run {
	r := &run{
		options: l.options, selection: l.selection, site: fetch.NewSite(l.client, l.options.OnNotice),
		robots: &robotsCache{client: &http.Client{
			Transport: fetch.Waiting{Stream: l.client.Stream(nil)}, CheckRedirect: checkRedirect,
		}},
	}
	o := &r.options
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if kinds := r.selection.kinds; len(kinds) > 0 {
		r.pages = pageset.New(pageset.Options{
			Memory: o.Memory, Kinds: kinds, MaxEach: o.MaxPerRule, Crawled: o.Crawled != nil,
		})
	}
	if len(r.selection.page) > 0 {
		r.sample = sample.NewPages(o.Sample)
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

// run delivers the findings of all sources until deliver returns false. In is what the
// source stdinName means.
func (l *Linter) run(ctx context.Context, sources []string, in *input, deliver func(*Finding) bool) (err error) {
	r := l.newRun()
	if slices.Contains(sources, stdinName) {
		if r.options.Source.Stdin, err = in.take(); err != nil {
			return err
		}
	}
	defer r.close()
	out := &output{selection: l.selection, deliver: deliver}
	if err := r.checkFiles(ctx, sources, out); err != nil || out.refused {
		return err
	}
	for _, step := range []func(context.Context, *output) error{
		r.checkIndexes, r.compareCounts, r.checkSet, r.checkSite,
	} {
		if err := step(ctx, out); err != nil || out.refused {
			return err
		}
	}
	return nil
}

// checkFiles checks the files of the sources in parallel and delivers their findings file
// by file. The error is that of a folder without sitemaps, or of ctx.
func (r *run) checkFiles(ctx context.Context, sources []string, out *output) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan *fileCheck, 2*runtime.GOMAXPROCS(0))
	var empty error
	go func() {
		defer close(queue)
		empty = r.open(inner, sources, queue)
	}()
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
	return cmp.Or(ctx.Err(), empty)
}

// open puts a check of each file into the queue, while it is running, and returns the
// error of the folders without sitemaps.
func (r *run) open(ctx context.Context, sources []string, queue chan<- *fileCheck) (empty error) {
	options := r.options.Source
	options.Strict, options.Indexes, options.OnFault = false, true, r.faults.report
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	defer running.Wait()
	for file, err := range source.Sitemaps(ctx, sources, &options) {
		if errors.Is(err, source.ErrEmptyFolder) {
			empty = errors.Join(empty, err)
			continue
		}
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
	return empty
}

// newFileCheck returns the check of the next file, which an error replaces where
// it could not be opened.
func (r *run) newFileCheck(ctx context.Context, file *source.File, err error) *fileCheck {
	c := &fileCheck{
		counter: newCounter(r.selection, r.options.MaxPerRule), run: r, options: &r.options, ctx: ctx,
		out: make(chan *Finding, maxWaiting), number: uint32(len(r.files)), summary: &fileSummary{},
	}
	if file != nil {
		c.summary.location, c.summary.source = file.Location, file.Source
	} else {
		c.summary.location, c.summary.source = locationOf(err), sourceOf(err)
	}
	r.files = append(r.files, c.summary)
	if r.pages != nil {
		c.pages = r.pages.AddFile(c.summary.location)
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
