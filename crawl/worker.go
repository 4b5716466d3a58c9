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
	if w.options.OnPage != nil {
		w.callOnPage(&answer)
	}
	content := w.extract(&answer)
	notFound := w.notFoundDigest(ctx, &answer, &content)
	verdict := w.judge(&answer, &content, notFound)
	result := w.resolve(&answer, &content, &verdict)
	w.settle(&result)
}

// reset empties the buffers of the page before.
func (w *worker) reset() {
	w.resolver.reset()
	w.found, w.edges = w.found[:0], w.edges[:0]
}
