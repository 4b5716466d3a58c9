package report

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestLinkFile reads the pairs that were added, more than fit into memory at once, and
// again after more were added.
func TestLinkFile(t *testing.T) {
	t.Parallel()
	var file linkFile
	defer file.close()
	var want []pagePair
	random, from := rand.New(rand.NewPCG(1, 2)), crawl.ID(0)
	for _, pairs := range []int{0, 1, 3*linkBuffer + 7} {
		for range pairs {
			from += crawl.ID(random.IntN(3))
			pair := pagePair{from, crawl.ID(random.Int64N(1 << (1 + random.IntN(40))))}
			want = append(want, pair)
			if err := file.add(pair); err != nil {
				t.Fatal(err)
			}
		}
		var got []pagePair
		if err := file.each(t.Context(), func(p pagePair) { got = append(got, p) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d pairs of %d", len(got), len(want))
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := file.each(ended, func(pagePair) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
