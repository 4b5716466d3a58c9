package main

import (
	"runtime"
	"runtime/debug"
)

// gcPercent bounds the memory that is waiting to be collected to half of what is in
// use. Little is kept from one file or page to the next, so this costs almost nothing.
const gcPercent = 50

// boundGarbage sets gcPercent after the first collection, which comes at 4 MB. Many
// commands end before it: a collection touches 1.3 MB that they do not need otherwise.
func boundGarbage() {
	collected := new([16]byte)
	runtime.AddCleanup(collected, func(percent int) { debug.SetGCPercent(percent) }, gcPercent)
}
