package browser

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	maxFailures = 3       // in a row, after which nothing is rendered
	maxPages    = 500     // of one process
	maxTabPages = 15      // of a tab
	maxMemory   = 1 << 30 // bytes of one process of the system, or of all
	watchTime   = time.Second / 2
	openTime    = 10 * time.Second // that a tab takes at most on a busy machine
)

// A pool has the tabs of a browser, and starts its process again when that ended or is worn out.
type pool struct {
	options Options
	path    string
	folder  *folder
	proxy   *proxy

	mu       sync.Mutex
	current  *generation
	started  int // processes
	tabs     int // that were opened
	failures int // in a row
	closed   bool
}

// A generation is a process of the browser with its tabs.
type generation struct {
	*process
	watched chan struct{} // closed when nobody watches the memory
	free    []*tab
	pages   int // that were begun
	open    int
	old     bool          // no page begins any more
	failed  bool          // it ended or did not answer
	idle    chan struct{} // closed when it is old and no page is open
}

func newPool(ctx context.Context, path string, o Options) (_ *pool, err error) {
	p := &pool{options: o, path: path}
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
// when all of them do.
func (p *pool) watch(g *generation) {
	ticker := time.NewTicker(watchTime)
	defer ticker.Stop()
	for {
		select {
		case <-g.ended:
			return
		case <-ticker.C:
			if limitMemory(g.command.Process.Pid, maxMemory) > maxMemory {
				p.mu.Lock()
				g.retire()
				p.mu.Unlock()
			}
		}
	}
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

// take returns an empty tab for an origin. It waits for the pages of a browser that is worn out.
func (p *pool) take(ctx context.Context, origin string) (*tab, error) {
	g, t, err := p.enter(ctx, origin)
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
	opening, cancel := context.WithTimeout(ctx, openTime)
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
	p.failLocked(g)
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

// enter begins a page in the current generation, and returns a tab if one is free: one of the origin, if
// possible.
func (p *pool) enter(ctx context.Context, origin string) (*generation, *tab, error) {
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
		return nil, nil, crawl.ErrNoRenderer
	}
	g := p.current
	g.open++
	g.pages++
	if len(g.free) == 0 {
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
		return crawl.ErrNoRenderer
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
			return fmt.Errorf("%w: %w", crawl.ErrNoRenderer, err)
		}
	}
}

// giveBack takes a tab back after a page, which may have failed.
func (p *pool) giveBack(ctx context.Context, t *tab, v *visit, failure error) {
	g := t.browser
	t.pages++
	keep := failure == nil && !v.leavesTraces() && t.pages < maxTabPages
	if keep {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
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
	case ctx.Err() == nil && (errors.Is(failure, errStuck) || errors.Is(failure, errCrashed)):
		p.failures++
	case errors.Is(failure, errGone):
		p.failLocked(g)
	}
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
