package lint

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A run is one call of Check.
type run struct {
	options Options
	plan    *plan
	faults  inbox
	proof   proof
	set     *set
	roll    *roll // nil where no rule asks for pages
}

func newRun(options Options) (*run, error) {
	options = options.withDefaults()
	p, err := newPlan(&options)
	if err != nil {
		return nil, err
	}
	r := &run{options: options, plan: p, set: newSet(options.Memory)}
	if len(p.live) > 0 {
		r.roll = newRoll(options.Sample)
	}
	return r, nil
}

// waiting is how many findings of a file may wait for those of the files before.
const waiting = 256

// check looks at files side by side and delivers their findings file by file.
func (r *run) check(ctx context.Context, sources []string, deliver func(Finding) bool) error {
	files, of, err := withoutFolders(sources)
	if err != nil {
		return err
	}
	defer r.set.close()
	defer r.roll.close()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan *fileCheck, 2*runtime.GOMAXPROCS(0))
	go r.open(inner, files, queue)
	wanted := true
	for c := range queue {
		for f := range c.out {
			if wanted && !deliver(f) {
				wanted = false
				cancel()
			}
		}
		if wanted && ctx.Err() == nil && r.options.OnFile != nil {
			r.options.OnFile(c.location, c.unopened)
		}
	}
	if !wanted || ctx.Err() != nil {
		return ctx.Err()
	}
	deliver = untilRefused(deliver)
	if !r.finishIndexes(deliver) || !r.comparePrevious(of, deliver) {
		return nil
	}
	if err := r.finishSet(ctx, deliver); err != nil {
		return err
	}
	return r.askSite(ctx, deliver)
}

// untilRefused delivers nothing more once a finding is not wanted.
func untilRefused(deliver func(Finding) bool) func(Finding) bool {
	wanted := true
	return func(f Finding) bool {
		wanted = wanted && deliver(f)
		return wanted
	}
}

// open puts one check after the other into the queue, each already running.
func (r *run) open(ctx context.Context, sources []string, queue chan<- *fileCheck) {
	defer close(queue)
	options := r.options.Source
	options.Strict, options.Indexes, options.OnFault = false, true, r.faults.put
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	defer running.Wait()
	for file, err := range source.Sitemaps(ctx, sources, &options) {
		c := newFileCheck(ctx, r)
		c.number, c.kept = r.set.number(locationFor(file, err))
		c.kept.source = sourceOf(file, err)
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
			c.read(file)
		})
	}
}

// An inbox holds the faults that readers report, by the location of the file,
// until somebody checks the file; from then on it hands them over at once.
type inbox struct {
	mutex sync.Mutex
	trays map[string]*tray
}

type tray struct {
	held []*sitemap.Fault
	take func(*sitemap.Fault)
}

func (i *inbox) tray(location string) *tray {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.trays == nil {
		i.trays = map[string]*tray{}
	}
	t := i.trays[location]
	if t == nil {
		t = &tray{}
		i.trays[location] = t
	}
	return t
}

// put is called by whoever opens or reads the file, who are never two at a time.
func (i *inbox) put(location string, fault *sitemap.Fault) {
	t := i.tray(location)
	if t.take != nil {
		t.take(fault)
		return
	}
	t.held = append(t.held, fault)
}

// claim hands over what was reported of a file and what will be.
func (i *inbox) claim(location string, take func(*sitemap.Fault)) {
	t := i.tray(location)
	for _, fault := range t.held {
		take(fault)
	}
	t.held, t.take = nil, take
}

// release forgets a file.
func (i *inbox) release(location string) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	delete(i.trays, location)
}

func locationFor(file *source.File, err error) string {
	if file != nil {
		return file.Location
	}
	return locationOf(err)
}

// sourceOf tells what the caller named that led to a file.
func sourceOf(file *source.File, err error) string {
	if file != nil {
		return file.Source
	}
	var where *source.Error
	if errors.As(err, &where) {
		return where.Source
	}
	return ""
}

// locationOf tells which file an error of package source is about.
func locationOf(err error) string {
	var where *source.Error
	if errors.As(err, &where) {
		return where.Location
	}
	return ""
}
