package sitemap

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"

	"github.com/mapatools/mapa/sitemap/internal/window"
)

// ReaderOptions say how to read. The zero value tolerates what can be understood
// and reports nothing.
type ReaderOptions struct {
	// Base is the absolute URL of the file. With it, relative locations are resolved
	// (RFC 3986, section 5); without it they stay as they are.
	Base string
	// ContentType is the value of the HTTP header of the file. Its charset counts
	// when there is neither a byte order mark nor an XML declaration with one.
	ContentType string
	// Strict ends the reading at the first fault, even one that is usually tolerated.
	Strict bool
	// OnFault, when set, is called for every tolerated fault in the order of the
	// file, by the goroutine that reads.
	//
	// With OnFault or Strict the reader checks the extensions of every entry as
	// well, and markup in them that is not well-formed is a fault. Without, it may
	// pass them unread, and [Entry.Extensions] and [Entry.URL] return the error.
	OnFault func(*Fault)
	// Limits are the limits that the file should not exceed. Exceeding one is a
	// tolerated fault.
	Limits Limits
	// Ceilings are the limits that end the reading of a hostile file.
	Ceilings Ceilings
}

// A Reader reads one sitemap of any format in constant memory. Use [NewReader]. A
// Reader and its entries are for one goroutine.
type Reader struct {
	options        ReaderOptions
	base           *url.URL
	in             input
	src            io.Reader
	window         *window.Window
	format         Format
	body           body
	opened         bool
	err            error // what ended the reading; io.EOF when all is read
	entry          Entry
	prolog         []byte
	lateStylesheet place // of the first one after the root's start tag
	count          int
	maxEntries     int    // entries within the limits
	refused        *Fault // the first fault under Strict
	seen           [2]FaultKind
	nested         []int // where the names of the elements begin that skip is in
}

// A body reads the entries of one kind of format into the reader's entry.
type body interface{ next() error }

// NewReader returns a reader of the file r, which it does not close. It reads
// nothing before it is used. The options may be left out or nil; of several, the last
// ones count.
func NewReader(r io.Reader, options ...*ReaderOptions) *Reader {
	reader := &Reader{src: r}
	for _, o := range options {
		if o != nil {
			reader.options = *o
		}
	}
	reader.options.Limits = reader.options.Limits.withDefaults()
	reader.options.Ceilings = reader.options.Ceilings.withDefaults()
	if base, err := url.Parse(reader.options.Base); err == nil && base.IsAbs() {
		reader.base = base
	}
	return reader
}

// Format returns the format of the file, for which it reads the start of it. Its
// errors are those of [Reader.Entries].
func (r *Reader) Format() (Format, error) {
	r.open()
	if r.err != nil && r.err != io.EOF {
		return r.format, r.err
	}
	return r.format, nil
}

// Entries returns an iterator over the entries of the file, in their order. Every
// entry is the same value, overwritten by the next; Clone it to keep it. An error
// comes last, with a nil entry, after everything that could be read: a [*Fault] for
// a fault of the file, any other error from the io.Reader. A second iteration
// continues where the last one stopped.
func (r *Reader) Entries() iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		r.open()
		for r.err == nil && r.next() {
			if !yield(&r.entry, nil) {
				return
			}
		}
		if r.err != io.EOF {
			yield(nil, r.err)
			return
		}
		r.close()
	}
}

// close releases the memory of a file that was read to its end. There is no entry any
// more.
func (r *Reader) close() {
	r.entry = Entry{}
	if x, ok := r.body.(*xmlReader); ok {
		x.close()
		r.body = nil
	}
	r.in.close()
	r.window.Close()
}

// next reads the next entry, or sets err.
func (r *Reader) next() bool {
	err := r.body.next()
	if err == nil {
		if r.count++; r.count == r.maxEntries+1 {
			r.tolerate(FaultTooManyEntries, r.entry.at, "", "")
		}
	}
	if r.refused != nil {
		err = r.refused
	}
	if err != nil {
		r.err = r.explainDamage(err)
	}
	return err == nil
}

func (r *Reader) open() {
	if r.opened {
		return
	}
	r.opened = true
	r.in = input{ceilings: r.options.Ceilings, report: func(kind FaultKind, detail string) {
		r.deliver(&Fault{Kind: kind, Line: 1, Column: 1, Detail: detail})
	}}
	src, err := r.in.open(r.src, r.options.ContentType)
	if err != nil {
		r.window = window.New(failedReader{err}, 0)
		r.window.More()
		r.err = r.readError(0)
		return
	}
	r.window = window.New(src, r.options.Ceilings.Entry)
	r.window.SkipPrefix(r.in.mark)
	if r.body, r.err = r.sniff(); r.err != nil {
		r.err = r.explainDamage(r.err)
	}
	r.maxEntries = r.options.Limits.entries(r.format)
	if r.err == nil && r.refused != nil {
		r.err = r.refused
	}
}

// A failedReader is a stream that failed before its first byte.
type failedReader struct{ err error }

func (n failedReader) Read([]byte) (int, error) { return 0, n.err }

// inspecting reports whether tolerated faults are reported.
func (r *Reader) inspecting() bool { return r.options.Strict || r.options.OnFault != nil }

// tolerate reports a fault at a position in the window, or refuses the file.
func (r *Reader) tolerate(kind FaultKind, pos int, element, detail string) {
	if r.inspecting() && r.refused == nil {
		r.deliver(r.faultAt(kind, pos, element, detail))
	}
}

func (r *Reader) deliver(fault *Fault) {
	switch {
	case r.refused != nil:
	case r.options.Strict:
		r.refused = fault
	case r.options.OnFault != nil:
		r.options.OnFault(fault)
	}
}

func (r *Reader) faultAt(kind FaultKind, pos int, element, detail string) *Fault {
	offset, line, column := r.window.Place(pos)
	fault := &Fault{Kind: broaderKind(kind), Offset: offset, Line: line, Column: column, Element: element, Detail: detail}
	if fault.Kind != kind {
		fault.Narrower = kind
	}
	return fault
}

// readError returns why the window cannot grow although an entry or value at pos
// continues.
func (r *Reader) readError(pos int) error {
	err := r.window.Err()
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		offset, line, column := r.window.Place(len(r.window.Bytes()))
		placed := *fault
		placed.Offset, placed.Line, placed.Column = offset, line, column
		return &placed
	case err == io.EOF:
		fault = r.faultAt(FaultTruncated, len(r.window.Bytes()), "", "")
		fault.Err = io.ErrUnexpectedEOF
		return fault
	case err == window.ErrFull:
		return r.faultAt(FaultCeilingReached, pos, "", "one entry or value is larger than allowed")
	}
	return fmt.Errorf("reading after byte %d: %w", r.window.Offset(len(r.window.Bytes())), err)
}

// explainDamage replaces the fault of broken markup in a compressed file by the
// damage of the compressed data, if that is the cause, at the same place. The window
// stays there, for [Inspection.Line].
func (r *Reader) explainDamage(err error) error {
	var shown, damage *Fault
	if r.in.layers == 0 || !errors.As(err, &shown) || shown.Kind != FaultNotWellFormed && shown.Kind != FaultNotASitemap {
		return err
	}
	rest := r.window.Drain()
	if !errors.As(rest, &damage) || damage.Kind != FaultGzipCorrupt && damage.Kind != FaultGzipTruncated {
		return err
	}
	placed := *shown
	placed.Kind, placed.Element, placed.Detail, placed.Err = damage.Kind, "", "", damage.Err
	return &placed
}

// requireEntries reports a file without entries, at the end of its root element or text.
// A feed may be empty.
func (r *Reader) requireEntries() {
	if r.count == 0 && r.format != FormatRSS && r.format != FormatAtom {
		r.tolerate(FaultEmptySet, 0, "", "")
	}
}

// finish ends the file after its root element or last line. It reads what follows,
// so that a wrong checksum is found.
func (r *Reader) finish() error {
	for {
		r.window.Release(len(r.window.Bytes()))
		if !r.window.More() {
			break
		}
	}
	if r.window.Err() != io.EOF {
		return r.readError(0)
	}
	if r.in.trailing {
		r.tolerate(FaultGzipTrailing, 0, "", "")
	}
	if r.in.inflated > r.options.Limits.Bytes {
		r.tolerate(FaultTooLarge, 0, "", fmt.Sprintf("%d bytes", r.in.inflated))
	}
	return io.EOF
}

// once reports whether a kind that is reported only once has not been seen before.
func (r *Reader) once(kind FaultKind) bool {
	for i, seen := range r.seen {
		if seen == kind {
			return false
		}
		if seen == "" {
			r.seen[i] = kind
			break
		}
	}
	return true
}

// absolute resolves a location that comes from position pos, if there is a base. It
// returns loc itself where nothing needs to be resolved.
func (r *Reader) absolute(loc []byte, pos int, base *url.URL) []byte {
	if hasScheme(loc) {
		return loc
	}
	r.tolerate(FaultLocRelative, pos, "loc", excerpt(loc))
	if base == nil {
		return loc
	}
	resolved, err := base.Parse(string(loc))
	if err != nil {
		return loc
	}
	return []byte(resolved.String())
}

// hasScheme reports whether a reference is absolute (RFC 3986, section 3.1).
func hasScheme(loc []byte) bool {
	const usual = "http"
	if len(loc) > len(usual) && string(loc[:len(usual)]) == usual &&
		(loc[4] == ':' || loc[4] == 's' && len(loc) > 5 && loc[5] == ':') {
		return true
	}
	for i, c := range loc {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case c == ':':
			return i > 0
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}
