package storetest

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// testIteratorsStop leaves every iterator at its first item, after which the store
// must answer the next call.
func testIteratorsStop(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	ctx := t.Context()
	for name, items := range iterators(s, ctx) {
		count := 0
		for err := range items {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			count++
			break
		}
		if count != 1 {
			t.Errorf("%s yields nothing", name)
		}
	}
	s.append(crawl.Commit{Found: []crawl.Link{{ID: 8, URL: "https://example.com/8"}}})
}

// testIteratorsContext cancels the context before, and while, every iterator runs.
func testIteratorsContext(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	for name, items := range iterators(s, canceled(t)) {
		var errs []error
		for err := range items {
			errs = append(errs, err)
		}
		if len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
			t.Errorf("%s yields the errors %v with a canceled context", name, errs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	for _, err := range s.Pages(ctx) {
		if last = err; err == nil {
			cancel()
		}
	}
	cancel()
	if !errors.Is(last, context.Canceled) {
		t.Errorf("pages end with error %v after the context", last)
	}
	if _, err := s.Summary(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("summary: error %v of a canceled context", err)
	}
}

// iterators returns the errors that each iterator of a store yields with its items.
func iterators(s Store, ctx context.Context) map[string]iter.Seq[error] {
	return map[string]iter.Seq[error]{
		"Pages":    errorsOf(s.Pages(ctx)),
		"ByReason": errorsOf(s.Pages(ctx, crawl.ReasonListed)),
		"Listed":   errorsOf(s.Listed(ctx)),
	}
}

func errorsOf[T any](items iter.Seq2[T, error]) iter.Seq[error] {
	return func(yield func(error) bool) {
		for _, err := range items {
			if !yield(err) {
				return
			}
		}
	}
}
