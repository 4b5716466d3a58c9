package main

import "testing"

func TestGarbagePercent(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 200, 1 << 20: 200, 8 << 20: 100, 60 << 20: 50, 100 << 20: 32, 200 << 20: 16, 1 << 40: 16,
	} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d MB in use: %d %%, want %d", live>>20, got, want)
		}
	}
}
