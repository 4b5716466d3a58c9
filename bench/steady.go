package main

import (
	"runtime"
	"strconv"

	"github.com/mapatools/mapa/sitemap"
)

// readSteady counts what a file costs once its reader is under way.
func (b *bench) readSteady() error {
	allocations, err := steadyAllocations(newStream(plainRecord, 0, b.size.many))
	if err != nil {
		return err
	}
	b.table.add(line{
		name:     "allocations in steady state",
		required: "0",
		measured: strconv.FormatUint(allocations, 10),
		passed:   passedText(1, allocations == 0),
	})
	return b.peak("resident memory, reading", taskRead, 16)
}

// steadyAllocations returns the allocations between a reader's thousandth entry
// and its last. The runtime's own housekeeping is less than one in 10,000
// entries and does not count.
func steadyAllocations(s *stream) (perTenThousand uint64, err error) {
	const warm = 1000
	var did work
	var before, after runtime.MemStats
	for entry, err := range sitemap.NewReader(s, unbounded).Entries() {
		if err != nil {
			return 0, err
		}
		if err := did.note(entry); err != nil {
			return 0, err
		}
		if did.urls == warm {
			runtime.ReadMemStats(&before)
		}
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) * 10_000 / uint64(did.urls), nil
}

// unbounded reads more than a file may hold.
var unbounded = &sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Bytes: 1 << 40}}
