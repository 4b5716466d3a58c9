package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/mapatools/mapa/crawl"
)

// maxMessage is how many bytes of a compressed commit a message carries. A server accepts
// a megabyte by default.
const maxMessage = 512 << 10

// maxCommit is how many bytes a commit may have before it is compressed: several times
// what a crawl keeps in memory of one.
const maxCommit = 64 << 20

// kind says what a record is. The numbers are part of the journal.
type kind byte

const (
	kindTakeover kind = iota + 1 // a new owner; body is its ID
	kindBegin                    // the site starts over; body is JSON of a crawl.Meta
	kindCommit                   // body is a part of a compressed commit
	kindEnd                      // the site is finished; body is JSON of a SiteEnd
)

// record is a message of the log of a group of sites.
type record struct {
	kind  kind
	nonce uint64 // identifies the record, so that its writer finds it again
	after uint64 // nonce of the record before it in the log, 0 for the first
	site  int    // number in the job
	part  int    // of parts, from 1; a commit without its last part does not count
	parts int
	body  []byte
}

// encode returns the message.
func (r *record) encode() []byte {
	b := make([]byte, 0, 40+len(r.body))
	b = append(b, recordVersion, byte(r.kind))
	b = binary.LittleEndian.AppendUint64(b, r.nonce)
	b = binary.LittleEndian.AppendUint64(b, r.after)
	for _, n := range []int{r.site, r.part, r.parts} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return append(b, r.body...)
}

// decodeRecord reads a message. The record keeps a part of it.
func decodeRecord(b []byte) (record, error) {
	if len(b) < 2 || b[0] != recordVersion {
		return record{}, fmt.Errorf("%w: a record of another version", ErrDamaged)
	}
	c, r := coder{b: b[2:], reads: true}, record{kind: kind(b[1])}
	c.fixed(&r.nonce)
	c.fixed(&r.after)
	for _, n := range []*int{&r.site, &r.part, &r.parts} {
		*n = int(c.uvarint(0) & (1<<31 - 1))
	}
	if c.bad || r.kind < kindTakeover || r.kind > kindEnd {
		return record{}, fmt.Errorf("%w: a record cannot be read", ErrDamaged)
	}
	r.body = c.b
	return r, nil
}

// A zstdCodec compresses and decompresses. Both directions may be used by several goroutines at once.
type zstdCodec struct {
	*zstd.Encoder
	*zstd.Decoder
}

var codec = sync.OnceValue(func() (c zstdCodec) {
	// Neither fails with these options.
	c.Encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
		zstd.WithWindowSize(512<<10), zstd.WithLowerEncoderMem(true))
	c.Decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxCommit))
	return c
})

// commitRecords returns the records of a commit: one, unless it is large.
func commitRecords(site int, c *crawl.Commit) ([]record, error) {
	raw, err := encodeCommit(c)
	if err != nil {
		return nil, err
	}
	compressed := codec().EncodeAll(raw, nil)
	parts := max(1, (len(compressed)+maxMessage-1)/maxMessage)
	records := make([]record, parts)
	for i := range records {
		end := min(len(compressed), (i+1)*maxMessage)
		records[i] = record{kind: kindCommit, site: site, part: i + 1, parts: parts, body: compressed[i*maxMessage : end]}
	}
	return records, nil
}

// commitReader puts commits together again.
type commitReader struct {
	site, parts int
	compressed  []byte
}

var errPart = errors.New("a part out of order")

// add adds the next record of a log. It reports whether a commit is complete. A
// record of another kind, or a first part, drops what is incomplete: its writer lost the
// log before the last part.
func (r *commitReader) add(next *record) (c crawl.Commit, complete bool, err error) {
	if next.kind != kindCommit {
		r.parts = 0
		return c, false, nil
	}
	if next.part == 1 {
		r.site, r.parts, r.compressed = next.site, 0, r.compressed[:0]
	}
	if next.site != r.site || next.part != r.parts+1 || len(r.compressed) > maxCommit {
		return c, false, fmt.Errorf("%w: %w", ErrDamaged, errPart)
	}
	r.parts++
	r.compressed = append(r.compressed, next.body...)
	if next.part < next.parts {
		return c, false, nil
	}
	r.parts = 0
	raw, err := codec().DecodeAll(r.compressed, nil)
	if err != nil {
		return c, false, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	c, err = decodeCommit(raw)
	return c, err == nil, err
}
