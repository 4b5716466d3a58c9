package watch

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
)

const (
	maxBody = sitemap.MaxBytes + 1<<20
	maxText = 96 << 20 // of the entries of one document
)

var (
	// ErrTooLarge means that a document is larger than the protocol allows.
	ErrTooLarge = errors.New("larger than a sitemap may be")
	// ErrTooMany means that an index, or all of a site, lists too many sitemaps.
	ErrTooMany = errors.New("more sitemaps than can be followed")
)

// A child is a sitemap that an index lists.
type child struct{ loc, lastMod string }

// documentContents are what a document says.
type documentContents struct {
	kind     documentKind
	children []child // of an index
	run      run     // of any other
}

// A documentReader reads documents. It reuses its memory.
type documentReader struct {
	hasher     hasher
	extensions sitemap.Extensions
	scratch    []byte
	spare      run // memory for the run of the next document
}

// keptText is the most memory for entries that is kept from one document to the next.
const keptText = 16 << 20

// read parses a document. A document that cannot be read to its end is an error, and
// nothing of it counts. The contents are valid until the next call.
func (r *documentReader) read(body []byte, address, contentType string) (*documentContents, error) {
	reader := sitemap.NewReader(bytes.NewReader(body), &sitemap.ReaderOptions{
		Base: address, ContentType: contentType,
		Ceilings: sitemap.Ceilings{Bytes: maxBody},
	})
	format, err := reader.Format()
	if err != nil {
		return nil, err
	}
	c := &documentContents{kind: kindOf(format), run: run{r.spare.records[:0], r.spare.text[:0]}}
	r.spare = run{}
	defer func() {
		if cap(c.run.text) <= keptText {
			r.spare = c.run
		}
	}()
	for e, err := range reader.Entries() {
		switch {
		case err != nil:
			return nil, err
		case c.kind == kindIndex:
			err = c.addChild(e)
		case !e.IsSitemap():
			err = r.add(&c.run, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func kindOf(format sitemap.Format) documentKind {
	switch format {
	case sitemap.FormatIndex:
		return kindIndex
	case sitemap.FormatRSS, sitemap.FormatAtom:
		return kindFeed
	}
	return kindSitemap
}

func (c *documentContents) addChild(e *sitemap.Entry) error {
	if !e.IsSitemap() {
		return nil
	}
	if len(c.children) >= maxSitemaps {
		return fmt.Errorf("%w: an index may list %d", ErrTooMany, maxSitemaps)
	}
	c.children = append(c.children, child{string(format.WithoutUser(e.Loc)), string(e.LastMod)})
	return nil
}

// add appends an entry to a run.
func (r *documentReader) add(to *run, from *sitemap.Entry) error {
	if len(to.text)+len(from.Loc)+len(from.LastMod) > maxText {
		return fmt.Errorf("%w: more than %d bytes of URLs", ErrTooLarge, maxText)
	}
	hashes := fieldHashes{
		fieldLastMod: hashOf(from.LastMod), fieldChangeFreq: hashOf(from.ChangeFreq), fieldPriority: hashOf(from.Priority),
	}
	if from.HasExtensions() {
		if err := r.addExtensions(&hashes, from); err != nil {
			return err
		}
	}
	at := len(to.text)
	if at > math.MaxUint32 {
		return ErrTooLarge
	}
	loc := format.WithoutUser(from.Loc)
	r.scratch = appendEntry(r.scratch[:0], loc, from.LastMod, uint32(len(to.records)), &hashes)
	to.text = append(binary.AppendUvarint(to.text, uint64(len(r.scratch))), r.scratch...)
	to.records = append(to.records, record{r.hasher.key(loc), hashes.digest(), uint32(at)})
	return nil
}

func (r *documentReader) addExtensions(to *fieldHashes, from *sitemap.Entry) error {
	if err := from.Extensions(&r.extensions); err != nil {
		return err
	}
	x := &r.extensions
	other := sitemap.Extensions{PageMaps: x.PageMaps, Mobile: x.Mobile, Other: x.Other}
	for _, part := range []struct {
		field   int
		present bool
		value   any
	}{
		{fieldImages, len(x.Images) > 0, x.Images},
		{fieldVideos, len(x.Videos) > 0, x.Videos},
		{fieldNews, len(x.News) > 0, x.News},
		{fieldAlternates, len(x.Alternates) > 0, x.Alternates},
		{fieldOther, !other.IsZero(), &other},
	} {
		if !part.present {
			continue
		}
		text, err := json.Marshal(part.value)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", fieldNames[part.field], from.Loc, err)
		}
		to[part.field] = hashOf(text)
	}
	return nil
}

// hashOf returns a hash of a field that is not 0, or 0 for an absent field.
func hashOf(text []byte) uint32 {
	if text == nil {
		return 0
	}
	sum := fnv32(fnvOffset)
	for _, c := range text {
		sum = sum.add(c)
	}
	return max(uint32(sum), 1)
}

// fnv32 is the FNV-1a hash of 32 bits (RFC 9923).
type fnv32 uint32

const fnvOffset = 0x811c9dc5

func (f fnv32) add(c byte) fnv32 { return (f ^ fnv32(c)) * 0x01000193 }

// digest returns a hash of all fields.
func (h *fieldHashes) digest() uint64 {
	sum := uint64(0xcbf29ce484222325) // FNV-1a with 64 bits, a field at a time
	for _, field := range h {
		sum = (sum ^ uint64(field)) * 0x100000001b3
	}
	return sum
}
