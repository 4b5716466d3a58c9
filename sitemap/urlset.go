package sitemap

import "bytes"

// A field is one of the children that the protocol itself defines.
type field uint8

const (
	locField field = iota
	lastModField
	changeFreqField
	priorityField
	fields
	noField = fields
)

var fieldNames = [fields]string{"loc", "lastmod", "changefreq", "priority"}

// A value is where the text of a field lies: in the window as it was written,
// or already decoded in the reader's scratch memory.
type value struct {
	from, to int
	present  bool
	decoded  bool
	plain    bool // known to be plain
}

// An xmlReader reads url sets and indexes.
//
// Generators write one record like the other, so the reader compares what lies
// between two values with what lay there in the record before (layout) and needs
// no parsing while it is the same. Where it differs, parsing takes over in the
// middle of the record and the layout is learnt anew.
type xmlReader struct {
	*Reader
	roots      [][]byte // names of the root elements open inside each other, as written
	rootPrefix []byte
	scope      scope // declared by the outermost root
	layout     layout

	consumed  int // bytes of the window that the entry before occupied
	values    [fields]value
	order     []field // of the values in this entry
	entryAt   int
	isSitemap bool
	extension span
	tag       span
	tagScope  scope // declared by the tag; read only when somebody inspects
	regular   bool  // nothing in this entry that a layout must not repeat
	padded    bool  // white space was cut from the changefreq
	late      bool  // one of the fields stands behind an extension
	scratch   []byte
	inspected Extensions

	mixed    bool               // something else stands behind the extensions of this entry
	prefixes [known]shortPrefix // found not to be the protocol's
}

type span struct{ from, to int }

// in returns the bytes of a span, nil for the zero span.
func (s span) in(b []byte) []byte {
	if s.to == 0 {
		return nil
	}
	return b[s.from:s.to]
}

func newXMLReader(r *Reader, t token) (*xmlReader, error) {
	b := r.window.bytes()
	name := bytes.Clone(t.name(b))
	x := &xmlReader{Reader: r, roots: [][]byte{name}}
	x.rootPrefix, _ = splitName(name)
	if err := r.checkRoot(t, &x.scope); err != nil {
		return nil, err
	}
	if t.selfClosing {
		x.roots = nil
	}
	x.consumed = t.end
	return x, nil
}

// next reads entries until one has a location.
func (x *xmlReader) next() error {
	for {
		x.window.release(x.consumed)
		if x.repeat() {
			return nil
		}
		x.begin()
		at, found, err := x.read()
		if err != nil {
			return err
		}
		if !found {
			return x.epilog()
		}
		x.consumed = at
		if x.fill() {
			return nil
		}
	}
}

func (x *xmlReader) begin() {
	x.consumed = 0
	x.values = [fields]value{}
	x.order = x.order[:0]
	x.extension, x.tag, x.tagScope = span{}, span{}, x.tagScope[:0]
	x.regular, x.mixed, x.late, x.padded = true, false, false, false
	x.scratch = x.scratch[:0]
}

// read reads one entry and returns the position behind it. It finds none where
// the root element ends.
func (x *xmlReader) read() (at int, found bool, err error) {
	at, steps := x.predict()
	followed := steps > 0 && steps == len(x.layout.steps) && x.layout.whole
	switch {
	case followed && x.layout.extended:
	case followed:
		return at, true, nil
	case steps == 0:
		var t token
		if t, found, err = x.outside(); err != nil || !found {
			return 0, false, err
		}
		x.start(t)
		if t.selfClosing {
			return t.end, true, nil
		}
		at = t.end
	default:
		if at, err = x.resume(); err != nil {
			return 0, false, err
		}
	}
	if at, err = x.children(at); err != nil {
		return 0, false, err
	}
	if steps == 0 || steps < len(x.layout.steps) || x.extension.to == 0 {
		x.learn(at)
	}
	return at, true, nil
}
