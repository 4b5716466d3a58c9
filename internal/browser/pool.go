package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl/render"
)

const (
	maxFailures = 6       // of the browser in a row, after which nothing is rendered
	maxPages    = 500     // of one process
	maxTabPages = 15      // of a tab
	maxMemory   = 1 << 30 // bytes of one process of the system, or of all
	watchTime   = time.Second / 2
	openTime    = 10 * time.Second // of the browser that a tab takes at most
	stallTime   = 20 * time.Second // without an answer, after which a process is replaced
	growth      = 10               // pages that are rendered well before one more is open at once
)

// A pool has the tabs of a browser, and starts its process again when that ended or is worn out.
type pool struct {
	options Options
	path    string
	folder  *folder
	proxy   *proxy
	places  *places

	mu       sync.Mutex
	current  *generation
	started  int // processes
	tabs     int // that were opened
	failures int // of the browser in a row
	rendered int // pages
	closed   bool
}

// A generation is a process of the browser with its tabs.
type generation struct {
	*process
	clock   clock
	watched chan struct{} // closed when nobody watches the process
	free    []*tab
	pages   int // that were begun
	open    int
	old     bool          // no page begins any more
	failed  bool          // it ended or did not answer
	idle    chan struct{} // closed when it is old and no page is open
}

func newPool(ctx context.Context, path string, o Options) (_ *pool, err error) {
	p := &pool{options: o, path: path, places: &places{open: map[*place]bool{}, changed: make(chan struct{})}}
	if p.folder, err = newFolder(); err != nil {
		return nil, &StartError{Path: path, Err: err}
	}
	if p.proxy, err = newProxy(); err != nil {
		return nil, errors.Join(&StartError{Path: path, Err: err}, p.folder.remove())
	}
	if err = p.start(ctx); err != nil {
		return nil, errors.Join(err, p.proxy.close(), p.folder.remove())
	}
	return p, nil
}

// start starts a process, in a folder of its own. The caller has the lock or the pool.
func (p *pool) start(ctx context.Context) error {
	p.started++
	profile := filepath.Join(p.folder.path, strconv.Itoa(p.started))
	arguments := switches(p.options, profile, p.proxy.address(), p.proxy.certificate.pin)
	started, err := startProcess(ctx, p.path, p.options, p.folder, arguments)
	if err != nil {
		return err
	}
	g := &generation{process: started, watched: make(chan struct{}), idle: make(chan struct{})}
	p.current = g
	go func() {
		defer close(g.watched)
		p.watch(g)
	}()
	return nil
}

// watch ends a process of the system that needs too much memory, with its page, and retires the browser
// when all of them do. It measures the time that the browser loses, and ends one that does not answer.
func (p *pool) watch(g *generation) {
	ticker := time.NewTicker(watchTime)
	defer ticker.Stop()
	var load load
	for {
		select {
		case <-g.ended:
			return
		case <-ticker.C:
		}
		memory, lost := load.measure(g.command.Process.Pid, maxMemory)
		if memory > maxMemory {
			p.mu.Lock()
			g.retire()
			p.mu.Unlock()
		}
		if !g.answers(cmp.Or(p.options.stall, stallTime)) {
			g.kill()
			return
		}
		g.clock.see(time.Duration(lost))
	}
}

// answers reports whether the browser answers within some time, or has ended.
func (g *generation) answers(limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	err := g.call(ctx, "", "Browser.getVersion", nil, nil)
	return err == nil || ctx.Err() == nil
}

// retire makes no page begin any more.
func (g *generation) retire() {
	if g.old {
		return
	}
	g.old = true
	if g.open == 0 {
		close(g.idle)
	}
}

// leave notes the end of a page.
func (g *generation) leave() {
	if g.open--; g.open == 0 && g.old {
		close(g.idle)
	}
}

// take returns an empty tab for an origin, a new one if that is asked for. It waits for the pages of a browser that is
// worn out.
func (p *pool) take(ctx context.Context, origin string, isNew bool) (*tab, error) {
	g, t, err := p.enter(ctx, origin, isNew)
	switch {
	case err != nil || t != nil && t.origin == origin:
		return t, err
	case t != nil:
		t.close() // a process is not shared by two origins
	}
	p.mu.Lock()
	p.tabs++
	name := strconv.Itoa(p.tabs)
	p.mu.Unlock()
	opening, cancel := g.clock.withTimeout(ctx, openTime, errSlow)
	defer cancel()
	if t, err = newTab(opening, g, p.proxy, name, origin); err == nil {
		return t, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer g.leave()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	// A tab that opens slowly says nothing about the others, unless it is the only one.
	if !errors.Is(err, errSlow) || g.open == 1 {
		p.failLocked(g)
	}
	return nil, fmt.Errorf("%w: opening a tab: %w", errGone, err)
}

// failLocked retires a process that failed, which counts once for all its pages.
func (p *pool) failLocked(g *generation) {
	if !g.failed {
		g.failed = true
		p.failures++
	}
	g.retire()
}

// enter begins a page in the current generation, and returns a tab if one is free and the page needs no new one: one
// of the origin, if possible.
func (p *pool) enter(ctx context.Context, origin string, isNew bool) (*generation, *tab, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.current.isWorn() {
		if g := p.current; g.open > 0 {
			p.mu.Unlock()
			select {
			case <-g.idle:
			case <-ctx.Done():
			}
			p.mu.Lock()
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			continue
		}
		if err := p.restart(ctx); err != nil {
			return nil, nil, err
		}
	}
	if p.closed || p.failures >= maxFailures {
		return nil, nil, render.ErrNoRenderer
	}
	g := p.current
	g.open++
	g.pages++
	if len(g.free) == 0 || isNew {
		return g, nil, nil
	}
	i := max(0, slices.IndexFunc(g.free, func(t *tab) bool { return t.origin == origin }))
	t := g.free[i]
	g.free = slices.Delete(g.free, i, i+1)
	return g, t, nil
}

// isWorn reports whether a browser has to be started again, after its last page.
func (g *generation) isWorn() bool {
	select {
	case <-g.gone:
		g.retire()
	default:
		if g.pages >= maxPages {
			g.retire()
		}
	}
	return g.old
}

// restart replaces a process in which no page is open.
func (p *pool) restart(ctx context.Context) error {
	if p.closed || p.failures >= maxFailures {
		return render.ErrNoRenderer
	}
	p.current.process.close()
	for {
		err := p.start(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.failures++; p.failures >= maxFailures {
			return fmt.Errorf("%w: %w", render.ErrNoRenderer, err)
		}
	}
}

// giveBack takes a tab back after a page, which may have failed.
func (p *pool) giveBack(ctx context.Context, t *tab, v *visit, failure error) {
	g := t.browser
	t.pages++
	keep := failure == nil && !v.leavesTraces() && t.pages < maxTabPages
	if keep {
		ctx, cancel := g.clock.withTimeout(context.WithoutCancel(ctx), answerTime, errSlow)
		keep = t.clear(ctx) == nil
		cancel()
	}
	ended := keep || t.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	defer g.leave()
	if keep {
		g.free = append(g.free, t)
	}
	if !ended {
		g.retire()
	}
	switch {
	case failure == nil:
		p.failures = 0
		p.rendered++
	case errors.Is(failure, errGone):
		p.failLocked(g)
	}
}

// countRendered returns how many pages have been rendered.
func (p *pool) countRendered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rendered
}

// close ends the browser and removes what it wrote.
func (p *pool) close() error {
	p.mu.Lock()
	before, g := p.closed, p.current
	p.closed = true
	p.mu.Unlock()
	if before {
		return nil
	}
	g.process.close()
	<-g.watched
	return errors.Join(p.proxy.close(), p.folder.remove())
}
