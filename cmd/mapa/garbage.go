package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The memory that may wait for the garbage collector: half of what is in use, but at
// least leastGarbage, and above mostGarbage no more than a sixth. Little is kept from one
// file or page to the next, so frequent collections cost little. The first one comes when
// the heap has 4 MB, before which many commands end: a collection touches 1.3 MB of memory
// that they do not need otherwise.
const (
	leastGarbage = 3 << 20
	mostGarbage  = 32 << 20
)

// boundGarbage sets the percentage of the garbage collector after every collection.
func boundGarbage() {
	collected := new([16]byte)
	runtime.AddCleanup(collected, func(live []metrics.Sample) {
		metrics.Read(live)
		debug.SetGCPercent(garbagePercent(live[0].Value.Uint64()))
		boundGarbage()
	}, []metrics.Sample{{Name: "/gc/heap/live:bytes"}})
}

// garbagePercent returns the percentage for so many bytes in use.
func garbagePercent(live uint64) int {
	garbage := max(min(live/2, mostGarbage), live/6, leastGarbage)
	return int(min(100*garbage/max(live, 1), 100))
}
