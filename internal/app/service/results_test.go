package service

import (
	"context"
	"testing"
)

// A fakeResult is a result that a query finds damaged.
type fakeResult struct{ damaged, closed bool }

func (f *fakeResult) Damaged() bool { return f.damaged }
func (f *fakeResult) Close() error  { f.closed = true; return nil }

// TestDamagedResult opens a result again after a query has found it damaged, once all who
// read it are done.
func TestDamagedResult(t *testing.T) {
	cache := newResultCache()
	var opened []*fakeResult
	open := func() func() {
		_, release, err := cache.open(t.Context(), "crawl", func(context.Context) (openResult, error) {
			opened = append(opened, &fakeResult{})
			return opened[len(opened)-1], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return release
	}
	open()()
	first, second := open(), open()
	opened[0].damaged = true
	first()
	if len(opened) != 1 || opened[0].closed {
		t.Errorf("%d results, the first closed %t", len(opened), opened[0].closed)
	}
	second()
	open()()
	if len(opened) != 2 || !opened[0].closed || opened[1].closed {
		t.Errorf("%d results, the first closed %t", len(opened), opened[0].closed)
	}
}
