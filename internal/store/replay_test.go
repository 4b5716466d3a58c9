package store

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func TestReplayInBatches(t *testing.T) {
	f, _ := create(t)
	defer closeFile(t, f)
	s := site{pages: 2*replayBatch + 1}
	if err := f.Append(t.Context(), s.commit(0)); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	next := crawl.ID(1)
	err := f.Replay(t.Context(), func(c crawl.Commit) error {
		sizes = append(sizes, len(c.Found)-len(c.Done))
		for _, l := range c.Found {
			if l != s.link(next) {
				t.Fatalf("link %+v comes where %d is due", l, next)
			}
			next++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "batches", sizes, []int{-1000, -1000, -1, 1000, 1000, 1})
}
