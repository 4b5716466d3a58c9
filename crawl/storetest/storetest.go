// Package storetest tests that a store keeps a crawl as [crawl.Store] and [crawl.Previous]
// promise, and answers what was found as [crawl.MemoryStore] does.
package storetest

import (
	"context"
	"iter"
	"reflect"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// Store is what the suite tests: everything that a crawl needs of its store, and what it reads
// of one afterwards.
type Store interface {
	crawl.Store
	crawl.Previous
	Finished() bool
	Summary(ctx context.Context) (crawl.Summary, error)
	Pages(ctx context.Context, reasons ...crawl.Reason) iter.Seq2[crawl.Record, error]
	Page(id crawl.ID) (crawl.Record, bool, error)
	PageByURL(url string) (crawl.Record, bool, error)
	Link(id crawl.ID) (crawl.Link, error)
	Listed(ctx context.Context) iter.Seq2[crawl.Record, error]
	Close() error
}

// Backend opens the stores of one implementation.
type Backend struct {
	// Create returns an empty store.
	Create func(t *testing.T) Store
	// Reopen closes a store and opens it again. It is nil when a store does not
	// outlive its process.
	Reopen func(t *testing.T, store Store) Store
}

// Run runs the suite on stores of a backend.
func Run(t *testing.T, backend Backend) {
	for name, test := range map[string]func(*testing.T, *Backend){
		"Finish":           testFinish,
		"FinishCanceled":   testFinishCanceled,
		"Replay":           testReplay,
		"ReplayStops":      testReplayStops,
		"Resume":           testResume,
		"AppendIsAtomic":   testAppendIsAtomic,
		"AppendCanceled":   testAppendCanceled,
		"ReplacePage":      testReplacePage,
		"ReplaceLink":      testReplaceLink,
		"Earlier":          testEarlier,
		"Empty":            testEmpty,
		"IteratorsStop":    testIteratorsStop,
		"IteratorsContext": testIteratorsContext,
	} {
		t.Run(name, func(t *testing.T) { test(t, &backend) })
	}
	for name, test := range map[string]func(*testing.T, Store){
		"Pages":         testPages,
		"PagesByReason": testPagesByReason,
		"Page":          testPage,
		"Link":          testLink,
		"Summary":       testSummary,
		"Listed":        testListed,
		"Lookup":        testLookup,
	} {
		t.Run(name, func(t *testing.T) { backend.inEveryState(t, test) })
	}
}

// session is a store that can be opened again. The test closes it.
type session struct {
	Store
	t       *testing.T
	backend *Backend
}

func (b *Backend) start(t *testing.T, commits ...crawl.Commit) *session {
	t.Helper()
	s := &session{b.Create(t), t, b}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.append(commits...)
	return s
}

func (s *session) append(commits ...crawl.Commit) {
	s.t.Helper()
	for _, commit := range commits {
		if err := s.Append(s.t.Context(), commit); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *session) finish() {
	s.t.Helper()
	if err := s.Finish(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) reopen() {
	s.t.Helper()
	if s.backend.Reopen != nil {
		s.Store = s.backend.Reopen(s.t, s.Store)
	}
}

// inEveryState runs a test on the sample crawl while the crawl runs, when it is
// finished and the store is still open, and when the store was opened again.
func (b *Backend) inEveryState(t *testing.T, test func(*testing.T, Store)) {
	for _, state := range []struct {
		name  string
		reach func(*session)
	}{
		{"running", func(*session) {}},
		{"finished", (*session).finish},
		{"reopened", (*session).reopen},
		{"finished and reopened", func(s *session) { s.finish(); s.reopen() }},
	} {
		t.Run(state.name, func(t *testing.T) {
			s := b.start(t, Sample()...)
			state.reach(s)
			test(t, s.Store)
		})
	}
}

// collect returns what a sequence yields.
func collect[T any](t *testing.T, sequence func(func(T, error) bool)) []T {
	t.Helper()
	var all []T
	for one, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
