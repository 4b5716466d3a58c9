package sitemap

import (
	"bytes"
	"slices"
)

// longestRun is how many bytes between two values a layout remembers.
const longestRun = 256

// A layout is what lay between the values of the last regular record, in order.
// The same bytes in the same place mean the same, so they need no parsing.
type layout struct {
	steps     []step
	pieces    []piece // of all steps, when whole
	whole     bool    // the last step reaches the end of the record, or
	extended  bool    // the < of its first extension, behind which are no values
	entryAt   int
	isSitemap bool
	disorder  bool // what Entry.Ordered denies
}

// A step is the bytes up to the next value, or to the end of the record.
type step struct {
	run  []byte
	next field // noField at the end of the record
}

// repeat reads a record whose layout is that of the record before and whose
// values are plain, a location's references and foreign letters aside, straight
// into the entry: nearly all are. It reports false, and has changed nothing, for
// any other.
func (x *xmlReader) repeat() bool {
	l := &x.layout
	if !l.whole {
		return false
	}
	w := x.window
	b := w.bytes()
	var values [fields]span
	at, clean := follow(b, l.pieces, &values)
	if at == 0 {
		return false
	}
	loc := values[locField]
	if !isUsual(b[loc.from:loc.to]) || !clean && !x.decodeLoc(loc.from, loc.to) {
		return false
	}
	if l.extended {
		if at = x.repeatExtensions(at); at == 0 {
			return false
		}
		b = w.bytes()
	}
	e := &x.entry
	if e.Loc = b[loc.from:loc.to]; !clean {
		e.Loc = x.scratch
		if x.inspecting() {
			x.inspectText(locField, loc.from, e.Loc)
		}
	}
	e.LastMod = values[lastModField].in(b)
	e.ChangeFreq = values[changeFreqField].in(b)
	e.Priority = values[priorityField].in(b)
	e.at, e.offset, e.disordered, e.padded = l.entryAt, w.at(l.entryAt), l.disorder, false
	x.consumed, e.end = at, at
	return true
}

// repeatExtensions passes the extensions whose first < is before a position, and
// the end of the entry, and returns the position behind it, or 0 where anything
// else stands.
func (x *xmlReader) repeatExtensions(at int) (behind int) {
	if x.inspecting() {
		return 0
	}
	from, name := at-len("<"), x.layout.entryAt+1
	end, found := x.extensionsEnd(from, name)
	if !found {
		return 0
	}
	b := x.window.bytes()
	x.entry.extension = b[from:end]
	return end + len("</>") + len(nameAt(b, name))
}

// predict follows the layout as far as it holds. It returns how many steps did,
// and the position behind them: behind the record when the layout is whole, at
// the start of the last step's value otherwise.
func (x *xmlReader) predict() (at, steps int) {
	b := x.window.bytes()
	for i := range x.layout.steps {
		s := &x.layout.steps[i]
		behind := at + len(s.run)
		if behind > len(b) || !bytes.Equal(b[at:behind], s.run) {
			break
		}
		steps++
		if s.next == noField {
			at = behind
			if x.layout.extended {
				at--
			}
			break
		}
		length, isPlain, found := plainText(b[behind:])
		x.values[s.next] = value{from: behind, to: behind + length, present: true, plain: isPlain}
		x.order = append(x.order, s.next)
		if !found {
			break
		}
		at = behind + length
	}
	if steps > 0 {
		x.entryAt, x.isSitemap = x.layout.entryAt, x.layout.isSitemap
	}
	return at, steps
}

// resume leaves the layout at the last value it led to: the value is read again
// by parsing, since it may go on behind the window or hold more than text.
func (x *xmlReader) resume() (int, error) {
	last := x.order[len(x.order)-1]
	from := x.values[last].from
	x.values[last] = value{}
	x.order = x.order[:len(x.order)-1]
	tagAt := bytes.LastIndexByte(x.window.bytes()[:from], '<')
	t, err := x.token(tagAt)
	if err != nil {
		return 0, err
	}
	return x.leaf(t, last)
}

// learn remembers the layout of the record that ends at a position, up to its
// first extension.
func (x *xmlReader) learn(end int) {
	x.layout.steps, x.layout.whole, x.layout.extended = x.layout.steps[:0], false, x.extension.to > 0
	if !x.regular {
		return
	}
	x.layout.entryAt, x.layout.isSitemap = x.entryAt, x.isSitemap
	x.layout.disorder = !slices.IsSorted(x.order)
	from := 0
	for _, f := range x.order {
		v := x.values[f]
		if x.extension.to > 0 && v.from > x.extension.from {
			return
		}
		if !x.layout.add(x.window.bytes()[from:v.from], f) {
			return
		}
		from = v.to
	}
	if x.layout.extended {
		end = x.extension.from + len("<")
	}
	if x.values[locField].present {
		x.layout.whole = x.layout.add(x.window.bytes()[from:end], noField)
		x.layout.pieces = x.layout.pieces[:0]
		for i := range x.layout.steps {
			x.layout.pieces = x.layout.steps[i].cut(x.layout.pieces)
		}
	}
}

// add appends a step, in memory of earlier ones.
func (l *layout) add(run []byte, next field) bool {
	if len(run) > longestRun {
		return false
	}
	n := len(l.steps)
	if n < cap(l.steps) {
		l.steps = l.steps[:n+1]
	} else {
		l.steps = append(l.steps, step{})
	}
	s := &l.steps[n]
	s.run, s.next = append(s.run[:0], run...), next
	return true
}
