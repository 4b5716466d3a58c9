package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// The edges of a page are one blob. Each edge is the difference of its target to
// that of the edge before, as a zigzag varint; a varint of flags with the number of
// its kind above them; the difference of its line to that of the edge before, as a zigzag
// varint, and its column; and those of fragment and text that the flags name, each with its
// length in front.
const (
	flagNofollow = 1 << iota
	flagFragment
	flagText
	flagBits = iota
)

func appendEdges(dst []byte, edges []crawl.Edge) []byte {
	dst = slices.Grow(dst, 8*len(edges))
	var before crawl.ID
	line := 0
	for i := range edges {
		e := &edges[i]
		dst = binary.AppendVarint(dst, int64(e.To-before))
		before = e.To
		flags := uint64(e.Kind)<<flagBits | flag(e.Nofollow, flagNofollow)
		flags |= flag(e.Fragment != "", flagFragment) | flag(e.Text != "", flagText)
		dst = binary.AppendUvarint(dst, flags)
		dst = binary.AppendVarint(dst, int64(e.Line-line))
		line = e.Line
		dst = binary.AppendUvarint(dst, uint64(e.Column))
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

// edgeReader reads the edges of a blob one after another.
type edgeReader struct {
	text   string // the rest of the blob; the edges' strings are parts of it
	before crawl.ID
	line   int64
	last   crawl.ID // the largest ID
	failed bool
}

// next returns the next edge, or false at the end and where the blob is damaged.
func (r *edgeReader) next() (crawl.Edge, bool) {
	if r.text == "" || r.failed {
		return crawl.Edge{}, false
	}
	r.before += crawl.ID(unzigzag(r.uvarint()))
	if r.before < 0 || r.before > r.last {
		r.failed = true
	}
	flags := r.uvarint()
	kind := flags >> flagBits
	if kind > maxKind || !crawl.EdgeKind(kind).Valid() {
		r.failed = true
	}
	e := crawl.Edge{To: r.before, Kind: crawl.EdgeKind(kind), Nofollow: flags&flagNofollow != 0}
	r.line += unzigzag(r.uvarint())
	column := r.uvarint()
	if r.line < 0 || r.line > math.MaxInt32 || column > math.MaxInt32 {
		r.failed = true
	}
	e.Line, e.Column = int(r.line), int(column)
	if flags&flagFragment != 0 {
		e.Fragment = r.string()
	}
	if flags&flagText != 0 {
		e.Text = r.string()
	}
	return e, !r.failed
}

// maxKind is the largest number that a crawl.EdgeKind holds.
const maxKind = uint64(^crawl.EdgeKind(0))

// err returns sqlite.ErrDamaged when next ended before the end of the blob.
func (r *edgeReader) err() error {
	if r.failed {
		return fmt.Errorf("%w: a list of links", sqlite.ErrDamaged)
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
func readEdges(blob []byte, last crawl.ID) ([]crawl.Edge, error) {
	reader := edgeReader{text: string(blob), last: last}
	var edges []crawl.Edge
	for e, ok := reader.next(); ok; e, ok = reader.next() {
		edges = append(edges, e)
	}
	return edges, reader.err()
}

// appendHashes encodes hashes in four bytes each, which no encoding of differences makes
// smaller.
func appendHashes(dst []byte, hashes []uint32) []byte {
	dst = slices.Grow(dst, 4*len(hashes))
	for _, hash := range hashes {
		dst = binary.LittleEndian.AppendUint32(dst, hash)
	}
	return dst
}

func readHashes(blob []byte) []uint32 {
	if len(blob) < 4 {
		return nil
	}
	hashes := make([]uint32, 0, len(blob)/4)
	for ; len(blob) >= 4; blob = blob[4:] {
		hashes = append(hashes, binary.LittleEndian.Uint32(blob))
	}
	return hashes
}
