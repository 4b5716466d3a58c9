package crawl

import (
	"context"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// worker takes one page at a time through all steps. It has one request in flight,
// and buffers that it uses again for every page. Only state is shared.
type worker struct {
	*state
	resolver linkResolver
	scanner  extract.Scanner
	dates    dateFinder
	body     []byte         // of the response
	pageURL  []byte         // of the page
	found    []resolvedLink // links of the page
	edges    []Edge
	texts    strings.Builder // link texts of some pages
	patterns [2][]byte       // path patterns, for settle
	isLarge  bool            // the page has a place in largePages
}

func newWorker(s *state) *worker {
	return &worker{
		state:    s,
		resolver: linkResolver{normalizer{site: s.site}},
		dates:    dateFinder{sources: s.options.LastMod},
	}
}

// process is the whole path of one URL, from the queue to the pending batch. Each
// step takes what the steps before it return. Only settle changes the queues.
func (w *worker) process(ctx context.Context, next item) {
	w.reset()
	answer, ok := w.fetch(ctx, next)
	if !ok {
		w.abandonItem()
		return
	}
	defer w.endLargePage()
	w.limitLargePage(len(answer.body()))
	if w.options.OnPage != nil {
		w.callOnPage(&answer)
	}
	content := w.extract(&answer)
	notFound := w.notFoundDigest(ctx, &answer, &content)
	if ctx.Err() != nil {
		w.abandonItem()
		return
	}
	verdict := w.judge(&answer, &content, notFound)
	result := w.resolve(&answer, &content, &verdict)
	w.limitLargePage(len(w.resolver.arena))
	w.settle(&result)
}

// limitLargePage takes a place for the page if a part of it is large, and waits until
// there is one.
func (w *worker) limitLargePage(size int) {
	if size > maxBuffer && !w.isLarge {
		w.largePages <- struct{}{}
		w.isLarge = true
	}
}

// endLargePage drops the buffers that a large page has made large, and gives back its
// place.
func (w *worker) endLargePage() {
	if !w.isLarge {
		return
	}
	w.reset()
	w.scanner = extract.Scanner{}
	w.resolver.arena, w.found, w.edges = nil, nil, nil
	w.isLarge = false
	<-w.largePages
}

// reset empties the buffers of the page before.
func (w *worker) reset() {
	w.resolver.reset()
	w.found, w.edges = w.found[:0], w.edges[:0]
}
