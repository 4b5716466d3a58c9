package sitemap

import (
	"bytes"
	"slices"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A recordLayout is the layout of the last regular record: the bytes between its
// values. The same bytes in the same place mean the same, so they need no parsing.
type recordLayout struct {
	layout.Layout      // complete when it reaches the end of the record or, if extended,
	extended      bool // the < of its first extension, which no values follow
	entryAt       int
	isSitemap     bool
	disordered    bool // as of Entry
}

// repeat reads a record straight into the entry when its layout is that of the
// record before and its values are plain; a location may have references and
// letters outside ASCII. Nearly all records are like that. For any other it
// reports false and has changed nothing.
func (x *xmlReader) repeat() bool {
	l := &x.layout
	if !l.IsComplete() {
		return false
	}
	w := x.window
	b := w.Bytes()
	var values [layout.Fields]layout.Span
	at, clean := l.Follow(b, &values)
	if at == 0 {
		return false
	}
	loc := values[layout.Loc]
	if !isUsual(b[loc.From:loc.To]) || !clean && !x.decodeLoc(loc.From, loc.To) {
		return false
	}
	if l.extended {
		if at = x.repeatExtensions(at); at == 0 {
			return false
		}
		b = w.Bytes()
	}
	e := &x.entry
	if e.Loc = b[loc.From:loc.To]; !clean {
		e.Loc = x.scratch
		if x.inspecting() {
			x.inspectText(layout.Loc, loc.From, e.Loc)
		}
	}
	e.LastMod = values[layout.LastMod].In(b)
	e.ChangeFreq = values[layout.ChangeFreq].In(b)
	e.Priority = values[layout.Priority].In(b)
	e.at, e.offset, e.disordered, e.padded = l.entryAt, w.Offset(l.entryAt), l.disordered, false
	x.consumed, e.end = at, at
	return true
}

// repeatExtensions passes the extensions whose first < is before a position, and
// the end of the entry. It returns the position after the entry, or 0 where
// anything else follows the extensions.
func (x *xmlReader) repeatExtensions(at int) (end int) {
	if x.inspecting() {
		return 0
	}
	from, name := at-len("<"), x.layout.entryAt+1
	end, found := x.extensionsEnd(from, name)
	if !found {
		return 0
	}
	b := x.window.Bytes()
	x.entry.extension = b[from:end]
	return end + len("</>") + len(xmlscan.NameAt(b, name))
}

// predict follows the layout as far as it holds. It returns the number of steps
// that did, and a position: after the record when all of a complete layout did,
// and otherwise the start of the last step's value.
func (x *xmlReader) predict() (at, steps int) {
	b := x.window.Bytes()
	for i := range x.layout.Steps {
		s := &x.layout.Steps[i]
		end := at + len(s.Run)
		if end > len(b) || !bytes.Equal(b[at:end], s.Run) {
			break
		}
		steps++
		if s.Next == layout.None {
			at = end
			if x.layout.extended {
				at--
			}
			break
		}
		length, isPlain, found := xmltext.Measure(b[end:])
		x.values[s.Next] = value{from: end, to: end + length, present: true, plain: isPlain}
		x.order = append(x.order, s.Next)
		if !found {
			break
		}
		at = end + length
	}
	if steps > 0 {
		x.entryAt, x.isSitemap = x.layout.entryAt, x.layout.isSitemap
	}
	return at, steps
}

// resume leaves the layout at the last value it led to. The value is parsed
// again, since it may continue after the window or hold more than text.
func (x *xmlReader) resume() (int, error) {
	last := x.order[len(x.order)-1]
	from := x.values[last].from
	x.values[last] = value{}
	x.order = x.order[:len(x.order)-1]
	tagAt := bytes.LastIndexByte(x.window.Bytes()[:from], '<')
	t, err := x.token(tagAt)
	if err != nil {
		return 0, err
	}
	return x.leaf(t, last)
}

// learn keeps the layout of the record that ends at a position, up to its first
// extension.
func (x *xmlReader) learn(end int) {
	l := &x.layout
	l.Reset()
	l.extended = x.extension.To > 0
	if !x.regular {
		return
	}
	l.entryAt, l.isSitemap = x.entryAt, x.isSitemap
	l.disordered = !slices.IsSorted(x.order)
	from := 0
	for _, f := range x.order {
		v := x.values[f]
		if l.extended && v.from > x.extension.From {
			return
		}
		if !l.Add(x.window.Bytes()[from:v.from], f) {
			return
		}
		from = v.to
	}
	if l.extended {
		end = x.extension.From + len("<")
	}
	if x.values[layout.Loc].present && l.Add(x.window.Bytes()[from:end], layout.None) {
		l.Complete()
	}
}
