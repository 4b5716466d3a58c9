package sitemaphttp

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/mapatools/mapa/sitemap"
)

const indexName = "sitemap.xml"

// A table is what one scan found.
type table struct {
	parts  []*part
	byName map[string]*part
	index  *document
	pages  int
}

// A part is a file of a section.
type part struct {
	state
	section *section
	name    string
	keys    Range
	pages   int
	size    int64 // bytes before compression
	newest  sitemap.Date
}

// A state is what identifies a version of a file.
type state struct {
	tag      string    // of the ETag
	modified time.Time // when the tag was first seen
}

// since sets when the version was first seen: now, or when the previous version was
// seen if it is the same. A later version has a later time, even if the clock was
// set back in between, with the precision of the header.
func (s *state) since(previous *state, now time.Time) {
	s.modified = now
	switch {
	case previous == nil:
	case previous.tag == s.tag:
		s.modified = previous.modified
	case s.modified.Before(previous.modified.Add(time.Second)):
		s.modified = previous.modified.Add(time.Second)
	}
}

// A document is a small file that is kept in memory.
type document struct {
	state
	plain, packed []byte
}

// newDocument returns a document; previous is the state of its previous version or
// nil.
func newDocument(content []byte, previous *state, now time.Time) *document {
	digest := sha256.New()
	digest.Write(content)
	d := &document{state: state{tag: tagOf(digest)}, plain: content}
	d.since(previous, now)
	var packed bytes.Buffer
	zip := newGzip()
	zip.Reset(&packed)
	zip.Write(content) // a bytes.Buffer takes everything
	zip.Close()
	d.packed = packed.Bytes()
	return d
}

// newGzip returns a compressor without output, at the level of package sitemap.
func newGzip() *gzip.Writer {
	zip, _ := gzip.NewWriterLevel(nil, 6) // the only error is an unknown level
	return zip
}

// newTable completes the parts of a scan.
func (h *Handler) newTable(parts []*part, previous *table, now time.Time) (*table, error) {
	if len(parts) > sitemap.MaxSitemaps {
		return nil, fmt.Errorf("%w: %d parts; increase PartSize", sitemap.ErrTooManySitemaps, len(parts))
	}
	t := &table{parts: parts, byName: make(map[string]*part, len(parts))}
	for _, p := range parts {
		if t.byName[p.name] != nil {
			return nil, fmt.Errorf("two parts are called %s", p.name)
		}
		t.byName[p.name] = p
		t.pages += p.pages
		var before *state
		if previous != nil && previous.byName[p.name] != nil {
			before = &previous.byName[p.name].state
		}
		p.since(before, now)
	}
	index, err := h.writeIndex(parts)
	if err != nil {
		return nil, err
	}
	var before *state
	if previous != nil {
		before = &previous.index.state
	}
	t.index = newDocument(index, before, now)
	return t, nil
}

// writeIndex returns the index or, without any parts, an empty url set: an index must
// list a file.
func (h *Handler) writeIndex(parts []*part) ([]byte, error) {
	options := h.writerOptions(sitemap.Limits{})
	if len(parts) > 0 {
		options.Format = sitemap.FormatIndex
	}
	var out bytes.Buffer
	w := sitemap.NewWriter(&out, options)
	for _, p := range parts {
		if err := w.Write(&sitemap.URL{Loc: h.base + p.name, LastMod: p.newest}); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
