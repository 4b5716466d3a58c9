package store

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// kinds are the usual elements, by the number that stands for them in the
// file. The order is part of the schema: new ones go to the end.
var kinds = [...]string{
	"", "a", "area", "link", "img", "script", "iframe", "source", "video", "audio",
	"form", "meta", "base", "embed", "object", "track", "frame", "use", "input", "blockquote",
}

var kindNumber = func() map[string]uint64 {
	numbers := make(map[string]uint64, len(kinds))
	for i, kind := range kinds {
		numbers[kind] = uint64(i)
	}
	return numbers
}()

// An edge is: the difference of its target to that of the edge before, as a
// zigzag varint; a varint of flags with the kind's number above them; and,
// each with its length before it, those of kind, fragment and text that the
// flags name.
const (
	flagNofollow = 1 << iota
	flagFragment
	flagText
	flagKind // the kind is spelled out
	flagBits = iota
)

func appendEdges(dst []byte, edges []crawl.Edge) []byte {
	dst = slices.Grow(dst, 8*len(edges))
	var before crawl.ID
	kind, number, usual := "", uint64(0), true // of most edges, that of the one before
	for i := range edges {
		e := &edges[i]
		dst = binary.AppendVarint(dst, int64(e.To-before))
		before = e.To
		if e.Kind != kind {
			kind = e.Kind
			number, usual = kindNumber[kind]
		}
		flags := number << flagBits
		flags |= flag(e.Nofollow, flagNofollow) | flag(e.Fragment != "", flagFragment)
		flags |= flag(e.Text != "", flagText) | flag(!usual, flagKind)
		dst = binary.AppendUvarint(dst, flags)
		if !usual {
			dst = appendString(dst, e.Kind)
		}
		if e.Fragment != "" {
			dst = appendString(dst, e.Fragment)
		}
		if e.Text != "" {
			dst = appendString(dst, e.Text)
		}
	}
	return dst
}

func flag(set bool, bit uint64) uint64 {
	if set {
		return bit
	}
	return 0
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// An edgeReader takes edges from a blob one after another.
type edgeReader struct {
	text   string // the blob; the edges' strings are parts of it
	before crawl.ID
	failed bool
}

// next returns the next edge, or false at the end and at damage.
func (r *edgeReader) next() (crawl.Edge, bool) {
	if r.text == "" || r.failed {
		return crawl.Edge{}, false
	}
	r.before += crawl.ID(unzigzag(r.uvarint()))
	flags := r.uvarint()
	e := crawl.Edge{To: r.before, Nofollow: flags&flagNofollow != 0}
	switch number := flags >> flagBits; {
	case flags&flagKind != 0:
		e.Kind = r.string()
	case number < uint64(len(kinds)):
		e.Kind = kinds[number]
	default:
		r.failed = true
	}
	if flags&flagFragment != 0 {
		e.Fragment = r.string()
	}
	if flags&flagText != 0 {
		e.Text = r.string()
	}
	return e, !r.failed
}

// err tells whether next ended at damage.
func (r *edgeReader) err() error {
	if r.failed {
		return fmt.Errorf("%w: a list of links", ErrDamaged)
	}
	return nil
}

func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

func (r *edgeReader) uvarint() uint64 {
	var n uint64
	for i := 0; i < len(r.text) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(r.text[i]&0x7f) << (7 * i)
		if r.text[i] < 0x80 {
			r.text = r.text[i+1:]
			return n
		}
	}
	r.failed = true
	return 0
}

func (r *edgeReader) string() string {
	length := r.uvarint()
	if length > uint64(len(r.text)) {
		r.failed = true
		return ""
	}
	s := r.text[:length]
	r.text = r.text[length:]
	return s
}

// readEdges returns all edges of a blob.
func readEdges(blob []byte) ([]crawl.Edge, error) {
	reader := edgeReader{text: string(blob)}
	var edges []crawl.Edge
	for e, ok := reader.next(); ok; e, ok = reader.next() {
		edges = append(edges, e)
	}
	return edges, reader.err()
}

// Anchors are hashes, so nothing is smaller than their four bytes each.
func appendAnchors(dst []byte, anchors []uint32) []byte {
	dst = slices.Grow(dst, 4*len(anchors))
	for _, anchor := range anchors {
		dst = binary.LittleEndian.AppendUint32(dst, anchor)
	}
	return dst
}

func readAnchors(blob []byte) []uint32 {
	if len(blob) < 4 {
		return nil
	}
	anchors := make([]uint32, 0, len(blob)/4)
	for ; len(blob) >= 4; blob = blob[4:] {
		anchors = append(anchors, binary.LittleEndian.Uint32(blob))
	}
	return anchors
}
