package sitemap

import (
	"bytes"
	"sync"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

var fieldNames = [layout.Fields]string{"loc", "lastmod", "changefreq", "priority"}

// A value is the position of the text of a field: in the window as it was written,
// or decoded in the reader's scratch memory.
type value struct {
	from, to int
	present  bool
	decoded  bool
	plain    bool // known to be plain
}

// An xmlReader reads url sets and indexes.
//
// Generators write every record in the same way, so the reader keeps the layout
// of the last record, the bytes between its values, and compares the next record
// with it. While they are the same it parses nothing. Where they differ, parsing
// takes over in the middle of the record, and its layout is learned:
//
//	  next ◄───────────────────────────────────────────────┐
//	   │ releases the record before                        │ no location: the record
//	   ▼                                                   │ is reported and left out
//	 repeat ─── same layout, plain values ──────► entry    │
//	   │ else                                       ▲      │
//	   ▼                                            │      │
//	predict ─── every step, no extensions ───────► fill ───┘
//	 │  │  └─── every step, then extensions ─┐      ▲
//	 │  │ some steps                         │      │
//	 │  └────► resume ── value parsed ───────┤      │
//	 │ no step                               │      │
//	 ▼                                       │      │
//	outside ── end of the root ──► epilog    │      │
//	 │ start tag                             │      │
//	 ▼                                       ▼      │
//	start ───────────────────────────────► children │
//	 │ self-closing        leaf, extend ◄───►│      │
//	 │                                       ▼      │
//	 │                          learn ◄── end tag   │
//	 └──────────────────────────► └─────────────────┘
//
// A second location in an entry begins another one, which goes from next to children.
//
// repeat writes straight into the entry, and runs alone for nearly all records of
// a file. The other states note spans, and fill decodes and trims what they hold.
// The layout of a record is learned up to its first extension, and only if the
// record is regular: it has no comments, no CDATA, no attributes, no field twice
// and no stray text.
type xmlReader struct {
	*Reader
	roots      [][]byte // names of the open root elements, as written
	open       int      // entries that ended where another began; their end tags may come later
	shared     []byte   // the name of the element that has the entry before and this one
	splits     bool     // the next entry is in the same element
	rootPrefix []byte
	scope      scope // declared by the outermost root
	layout     recordLayout

	consumed       int // bytes of the window that the entry before occupied
	values         [layout.Fields]value
	order          []layout.Field // of the values in this entry
	entryAt        int
	isSitemap      bool
	extension      layout.Span
	tag            layout.Span
	tagScope       scope // declared by the tag; used only when faults are reported
	regular        bool  // nothing in this entry that a layout must not repeat
	padded         bool  // white space was cut from the changefreq
	afterExtension bool  // one of the fields comes after an extension
	unclosed       bool  // the entry ended without its end tag
	scratch        []byte
	inspected      Extensions

	mixed    bool                       // something else follows the extensions of this entry
	prefixes [knownPrefixes]shortPrefix // found not to be the protocol's
}

// xmlReaders are those of files that were read to their end.
var xmlReaders = sync.Pool{New: func() any { return new(xmlReader) }}

func newXMLReader(r *Reader, t xmlscan.Token) (*xmlReader, error) {
	b := r.window.Bytes()
	name := bytes.Clone(t.Name(b))
	x := xmlReaders.Get().(*xmlReader)
	x.Reader, x.roots = r, [][]byte{name}
	x.rootPrefix, _ = xmlscan.SplitName(name)
	if err := r.checkRoot(t, &x.scope); err != nil {
		return nil, err
	}
	if t.SelfClosing {
		x.roots = nil
	}
	x.consumed = t.End
	return x, nil
}

// close makes the reader available for other files. It keeps the memory of its layout.
func (x *xmlReader) close() {
	x.layout.Reset()
	kept, order := x.layout.Layout, x.order[:0]
	*x = xmlReader{}
	x.layout.Layout, x.order = kept, order
	xmlReaders.Put(x)
}

// next reads entries until one has a location.
func (x *xmlReader) next() error {
	for {
		x.window.Release(x.consumed)
		if !x.splits && x.repeat() {
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
		if err := x.checkPassed(); err != nil {
			return err
		}
	}
}

func (x *xmlReader) begin() {
	x.consumed = 0
	x.values = [layout.Fields]value{}
	x.order = x.order[:0]
	x.extension, x.tag, x.tagScope = layout.Span{}, layout.Span{}, x.tagScope[:0]
	x.regular, x.mixed, x.afterExtension, x.padded, x.unclosed = true, false, false, false, false
	x.scratch = x.scratch[:0]
}

// read reads one entry and returns the position after it. found is false at the end
// of the root element.
func (x *xmlReader) read() (at int, found bool, err error) {
	if x.splits {
		x.splits, x.regular, x.entryAt = false, false, 0
		at, err = x.children(0)
		return at, err == nil, err
	}
	x.shared = nil
	at, steps := x.predict()
	followed := steps > 0 && steps == len(x.layout.Steps) && x.layout.IsComplete()
	switch {
	case followed && x.layout.extended:
	case followed:
		return at, true, nil
	case steps == 0:
		var t xmlscan.Token
		if t, found, err = x.outside(); err != nil || !found {
			return 0, false, err
		}
		x.start(t)
		if t.SelfClosing {
			return t.End, true, nil
		}
		at = t.End
	default:
		if at, err = x.resume(); err != nil {
			return 0, false, err
		}
	}
	if at, err = x.children(at); err != nil {
		return 0, false, err
	}
	if steps == 0 || steps < len(x.layout.Steps) || x.extension.To == 0 {
		x.learn(at)
	}
	return at, true, nil
}
