package tempfile

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairs reads the pairs that were added, more than fit into memory at once, and again
// after more were added.
func TestPairs(t *testing.T) {
	t.Parallel()
	var pairs Pairs
	defer pairs.Close()
	var want [][2]int64
	random := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 1, 3*pairsBuffer + 7} {
		for range count {
			pair := [2]int64{int64(len(want) / 3), random.Int64() >> random.IntN(64)}
			if random.IntN(100) == 0 {
				pair[0] = -random.Int64()
			}
			want = append(want, pair)
			if err := pairs.Add(pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		var got [][2]int64
		err := pairs.Each(t.Context(), func(from, to int64) error {
			got = append(got, [2]int64{from, to})
			return nil
		})
		if hasFile := pairs.file.Size() > 0; hasFile != (count > 1) {
			t.Errorf("%d pairs, file: %t", len(want), hasFile)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d pairs of %d, %v", len(got), len(want), err)
		}
	}
	stop := errors.New("stop")
	if err := pairs.Each(t.Context(), func(int64, int64) error { return stop }); err != stop {
		t.Errorf("the error of the function: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pairs.Each(ended, func(int64, int64) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
