// Package layout compares a record of a sitemap with the layout of the record
// before it, which is nearly always the same.
package layout

import "slices"

// A Field is a child of an entry that the protocol itself defines.
type Field uint8

// The fields, in the order of the protocol's schema.
const (
	Loc Field = iota
	LastMod
	ChangeFreq
	Priority
	Fields          // how many fields there are
	None   = Fields // no field
)

// A Span is a range of positions in the window. The zero value is an absent one.
type Span struct{ From, To int }

// In returns the bytes of a span, nil for the zero value.
func (s Span) In(b []byte) []byte {
	if s.To == 0 {
		return nil
	}
	return b[s.From:s.To]
}

// LongestRun is the number of bytes between two values that a layout can hold.
const LongestRun = 256

// A Layout is what lies between the values of a record, in order. The same bytes
// in the same place mean the same, so they need no parsing. Its memory is used
// again after Reset.
type Layout struct {
	Steps  []Step
	pieces []piece // of all steps, when complete
}

// A Step is the bytes up to the next value, or to the end of the record.
type Step struct {
	Run  []byte
	Next Field // None at the end of the record
}

// Reset removes all steps.
func (l *Layout) Reset() { l.Steps, l.pieces = l.Steps[:0], l.pieces[:0] }

// Add appends a step and reports whether its run is short enough.
func (l *Layout) Add(run []byte, next Field) bool {
	if len(run) > LongestRun {
		return false
	}
	n := len(l.Steps)
	if l.Steps == nil {
		l.Steps = make([]Step, 0, Fields+1) // what a record has at most
	}
	l.Steps = slices.Grow(l.Steps, 1)[:n+1]
	s := &l.Steps[n]
	s.Run, s.Next = append(s.Run[:0], run...), next
	return true
}

// Complete prepares the steps, whose last one reaches the end of the record,
// for Follow.
func (l *Layout) Complete() {
	l.pieces = slices.Grow(l.pieces[:0], len(l.Steps)) // most runs are one piece
	for i := range l.Steps {
		l.pieces = l.Steps[i].cut(l.pieces)
	}
}

// IsComplete reports whether Complete was called since Reset.
func (l *Layout) IsComplete() bool { return len(l.pieces) > 0 }

// Follow reads a record that b begins with by the complete layout. It sets the
// span of every value and returns the position after the record, or 0 where the
// record has another layout, a value is empty or not plain, or b ends too soon. A
// value is plain if it has only ASCII letters, digits and signs that mean
// themselves. A location need not be; clean reports whether it is. The layout must
// be complete.
func (l *Layout) Follow(b []byte, values *[Fields]Span) (end int, clean bool) {
	return follow(b, l.pieces, values)
}
