package watch

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	keySize    = 16
	digestSize = 8
	recordSize = keySize + digestSize // of Block.Keys
	perBlock   = 512                  // entries, at most on average
	maxBits    = 16
)

// A key identifies a location: 128 bits of a keyed hash, so that a site cannot make two
// locations collide.
type key [keySize]byte

// prefix returns the first 16 bits.
func (k *key) prefix() uint32 { return uint32(binary.BigEndian.Uint16(k[:])) }

// block returns the number of the block of a document with this many bits.
func (k *key) block(bits int) uint32 { return k.prefix() >> (maxBits - bits) }

// A hasher computes keys.
type hasher struct {
	secret [32]byte
	buffer []byte
}

func (h *hasher) key(loc []byte) (k key) {
	h.buffer = append(append(h.buffer[:0], h.secret[:]...), loc...)
	sum := sha256.Sum256(h.buffer)
	copy(k[:], sum[:])
	return k
}

// A record is an entry of a run while that is made.
type record struct {
	key    key
	digest uint64 // of the fields
	at     uint32 // of the encoded entry in the run's text
}

// A run is the entries of one document, sorted by key.
type run struct {
	records []record
	text    []byte // encoded entries
}

// blocks sorts the run and returns it as blocks, the number of bits of their numbers,
// and a digest of all. Of entries with the same key the first counts.
func (r *run) blocks() (all []Block, bitCount int, digest string) {
	bitCount = min(bits.Len(uint(len(r.records)/perBlock)), maxBits)
	slices.SortFunc(r.records, func(a, b record) int {
		if c := bytes.Compare(a.key[:], b.key[:]); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	r.records = slices.CompactFunc(r.records, func(a, b record) bool { return a.key == b.key })
	sum := sha256.New()
	var plain []byte
	for start := 0; start < len(r.records); {
		number := r.records[start].key.block(bitCount)
		end := start
		block := Block{Number: number}
		plain = plain[:0]
		for ; end < len(r.records) && r.records[end].key.block(bitCount) == number; end++ {
			record := &r.records[end]
			block.Keys = append(block.Keys, record.key[:]...)
			block.Keys = binary.BigEndian.AppendUint64(block.Keys, record.digest)
			plain = append(plain, r.encoded(record)...)
		}
		sum.Write(block.Keys)
		block.Entries = encoder().EncodeAll(plain, nil)
		all = append(all, block)
		start = end
	}
	return all, bitCount, hex.EncodeToString(sum.Sum(nil)[:16])
}

// encoded returns the encoded entry of a record with its length before it.
func (r *run) encoded(of *record) []byte {
	text := r.text[of.at:]
	length, n := binary.Uvarint(text)
	return text[:n+int(length)]
}

// Both are used only by EncodeAll and DecodeAll, which several goroutines may call.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false)))
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		return must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText)))
	})
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// An entry is what is kept of an entry of a sitemap.
type entry struct {
	loc, lastMod string
	position     uint32 // in its document
	fields       fieldHashes
}

// fieldHashes are hashes of the fields of an entry, 0 for an absent field.
type fieldHashes [fields]uint32

// The indexes of entry.fields.
const (
	fieldLastMod = iota
	fieldChangeFreq
	fieldPriority
	fieldImages
	fieldVideos
	fieldNews
	fieldAlternates
	fieldOther
	fields
)

var fieldNames = [fields]string{
	"lastmod", "changefreq", "priority", "images", "videos", "news", "alternates", "other",
}

// differences names the fields that differ.
func (e *entry) differences(from *entry) (names []string) {
	for i, name := range fieldNames {
		if e.fields[i] != from.fields[i] {
			names = append(names, name)
		}
	}
	return names
}

// appendEntry appends an entry in the form that decode reads.
func appendEntry(b, loc, lastMod []byte, position uint32, hashes *fieldHashes) []byte {
	b = binary.AppendUvarint(b, uint64(len(loc)))
	b = append(b, loc...)
	b = binary.AppendUvarint(b, uint64(len(lastMod)))
	b = append(b, lastMod...)
	b = binary.AppendUvarint(b, uint64(position))
	mask := byte(0)
	for i, hash := range hashes {
		if hash != 0 {
			mask |= 1 << i
		}
	}
	b = append(b, mask)
	for _, hash := range hashes {
		if hash != 0 {
			b = binary.LittleEndian.AppendUint32(b, hash)
		}
	}
	return b
}

var errBlock = errors.New("the state is damaged: a block of entries cannot be read")

// decodeBlock returns the entries of a block, in the order of its keys.
func decodeBlock(b *Block) ([]entry, error) {
	plain, err := decoder().DecodeAll(b.Entries, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBlock, err)
	}
	all := make([]entry, len(b.Keys)/recordSize)
	for i := range all {
		length, n := binary.Uvarint(plain)
		if n <= 0 || uint64(len(plain)-n) < length {
			return nil, errBlock
		}
		if !all[i].decode(plain[n : n+int(length)]) {
			return nil, errBlock
		}
		plain = plain[n+int(length):]
	}
	return all, nil
}

// decode reads what appendEntry wrote, and reports whether it can.
func (e *entry) decode(b []byte) bool {
	var ok bool
	if e.loc, b, ok = cutText(b); !ok {
		return false
	}
	if e.lastMod, b, ok = cutText(b); !ok {
		return false
	}
	position, n := binary.Uvarint(b)
	if n <= 0 || len(b) <= n {
		return false
	}
	e.position = uint32(position)
	mask := b[n]
	b = b[n+1:]
	for i := range e.fields {
		if mask&(1<<i) == 0 {
			continue
		}
		if len(b) < 4 {
			return false
		}
		e.fields[i] = binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	return len(b) == 0
}

// cutText returns a text with its length before it, and what follows.
func cutText(b []byte) (text string, rest []byte, ok bool) {
	length, n := binary.Uvarint(b)
	if n <= 0 || uint64(len(b)-n) < length {
		return "", nil, false
	}
	return string(b[n : n+int(length)]), b[n+int(length):], true
}
