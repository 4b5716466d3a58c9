package crawl

import (
	"context"
	"runtime"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// requester takes one URL at a time from the queue and has one request in flight. What
// the response says is read by a worker.
type requester struct {
	*state
	normalizer normalizer
	body       []byte // of the response
}

func newRequester(s *state) *requester {
	return &requester{state: s, normalizer: normalizer{site: s.site}}
}

// process is the whole path of one URL, from the queue to the pending batch. Each step
// takes what the steps before it return. Only settle changes the queues.
func (r *requester) process(ctx context.Context, next item) {
	answer, ok := r.fetch(ctx, next)
	defer answer.response.Release()
	if !ok {
		r.abandonItem(&next)
		return
	}
	if len(answer.body()) > maxBuffer {
		r.largePages <- struct{}{}
		defer func() { <-r.largePages }()
	}
	if r.options.OnPage != nil {
		r.callOnPage(&answer)
	}
	notFound := r.notFoundDigest(ctx, &answer)
	if ctx.Err() != nil {
		r.abandonItem(&next)
		return
	}
	w := r.workers.take()
	content := w.extract(&answer)
	if plan := w.planRender(&answer, &content); plan != nil {
		w.reset()
		r.workers.give(w)
		rendered := r.render(ctx, &answer, plan)
		if ctx.Err() != nil || rendered.isLeft {
			r.abandonRender(&answer, &rendered)
			return
		}
		w = r.workers.take()
		content = w.extractResult(&answer, plan, &rendered)
	}
	if content.kind == contentHTML && w.needsAnswer(&answer, &content) {
		w, content = r.askAgain(ctx, w, &answer, &content)
	}
	w.process(&answer, &content, notFound)
	r.workers.give(w)
	r.keepAnswer(&answer)
}

// worker reads one response at a time, with buffers that it uses again for every page.
// Only state is shared.
type worker struct {
	*state
	resolver linkResolver
	scanner  extract.Scanner
	dates    dateFinder
	pageURL  []byte         // of the page
	found    []resolvedLink // links of the page
	scratch  []byte         // the address of a picture
	pictures extract.Sum    // of the page, as the next two
	files    extract.Sum    // that its links lead to
	links    extract.Sum
	edges    []Edge
	targets  []earlierURL    // of edges of an earlier crawl
	expands  int             // of the URLs in the page's extensions; see expansionOf
	texts    strings.Builder // link texts of some pages
	ends     [2][]byte       // URLs of a link, without sessions, for settle
	patterns [2][]byte       // their path patterns
	month    calendarMonth   // of the page, for settle
	// isDependent says that only parameters which canonicals drop lead to the page's links, for settle.
	isDependent bool
	others      []uint64 // links of a month, for settle
}

func newWorker(s *state) *worker {
	return &worker{
		state:    s,
		resolver: linkResolver{normalizer{site: s.site}},
		dates:    dateFinder{sources: s.options.LastMod, modified: s.options.Local.LastModified},
	}
}

// process takes what was read from a response through the steps after extract. notFound is the
// digest of the page that the host shows for missing ones.
func (w *worker) process(answer *fetched, content *extracted, notFound uint64) {
	verdict := w.judge(answer, content, notFound)
	result := w.resolve(answer, content, &verdict)
	w.settle(&result)
	w.reset()
}

// maxItems is how many places for links a worker keeps for the next page.
const maxItems = 10_000

// reset empties the buffers of the page, and drops those that it has made large.
func (w *worker) reset() {
	w.resolver.reset()
	w.scanner.Release()
	clear(w.found)
	clear(w.edges)
	w.found, w.edges, w.expands = w.found[:0], w.edges[:0], 0
	if cap(w.found) > maxItems {
		w.found = nil
	}
	if cap(w.edges) > maxItems {
		w.edges = nil
	}
}

// workerPool bounds how many workers there are, and so the memory of their buffers:
// reading a page takes a processor, so more of them than processors gain nothing.
type workerPool struct {
	state *state
	idle  chan *worker // nil means that a worker can be made
}

func newWorkerPool(s *state) workerPool {
	p := workerPool{s, make(chan *worker, 2*runtime.GOMAXPROCS(0))}
	for range cap(p.idle) {
		p.idle <- nil
	}
	return p
}

// take waits for a worker.
func (p *workerPool) take() *worker {
	if w := <-p.idle; w != nil {
		return w
	}
	return newWorker(p.state)
}

func (p *workerPool) give(w *worker) { p.idle <- w }
