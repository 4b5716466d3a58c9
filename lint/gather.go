package lint

import (
	"bytes"
	"encoding/binary"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A set is what a run remembers of all files for the rules about them together.
type set struct {
	seed    hashSeed
	records *partitions
	spool   spool

	mutex sync.Mutex
	files []*setFile // by number
	free  []*sheaf   // that no file writes to
	err   error      // the first

	children atomic.Int64 // of all indexes, in bytes
}

// A setFile is what is remembered of a file.
type setFile struct {
	location string
	index    string      // the location of what lists it
	source   string      // what led to it
	disk     os.FileInfo // of what can be read once more; nil for all else
	reel     reel        // of what cannot
	read     bool        // it could be opened
	failed   *Rule       // what it ended with, or could not be opened for
	address  string
	format   sitemap.Format
	scope    scope
	media    traits // images, videos and news, as far as every page has them
	pages    int
	newest   time.Time // the newest plausible date of its pages
	children []childEntry
}

func newSet(memory int64) *set {
	return &set{seed: newHashSeed(), records: newPartitions(memory / 8 * 7), spool: spool{room: memory / 8}}
}

func (s *set) close() {
	s.records.spill.close()
	s.spool.spill.close()
}

// number gives a file its number. Files are numbered in the order in which they
// are checked.
func (s *set) number(location string) (uint32, *setFile) {
	f := &setFile{location: location, reel: reel{spool: &s.spool}}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.files = append(s.files, f)
	return uint32(len(s.files) - 1), f
}

func (s *set) fail(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// A gatherer remembers the pages of one file.
type gatherer struct {
	set     *set
	number  uint32
	file    *setFile
	sheaf   *sheaf
	entries uint32
	normal  []byte
	other   []byte
}

// page remembers the page at hand. A plain location is its own normal form.
func (g *gatherer) page(v *visit) {
	e := v.entry
	if media := v.traits & (needsImages | needsVideos | needsNews); g.entries == 0 {
		g.file.media = media
	} else {
		g.file.media &= media
	}
	r := record{origin: pageRecord | g.number, entry: g.entries, b: g.metadata(e)}
	normal := e.Loc
	if !v.traits.isNormal() {
		var err error
		if g.normal, err = normalForm(g.normal[:0], e.Loc); err == nil {
			normal = g.normal
		}
		if !bytes.Equal(normal, e.Loc) {
			r.a = g.set.seed.short(e.Loc)
		}
	}
	r.key = g.set.seed.key(normal)
	g.add(r)
	if v.options.Crawled != nil && v.traits&oddQuery != 0 {
		g.listed(e.Loc, normal)
	}
	if v.traits&needsAlternates != 0 {
		g.links(v, r.key)
	}
	if g.file.disk == nil {
		g.spool(v)
	}
	g.entries++
}

func (g *gatherer) spool(v *visit) {
	offset, line, column := v.entry.Source().Find("", 0)
	if err := g.file.reel.add(v.entry.Loc, offset, line, column); err != nil {
		g.set.fail(err)
	}
}

// metadata puts hashes of lastmod, changefreq and priority side by side, each 0
// where the value is absent.
func (g *gatherer) metadata(e *sitemap.Entry) (m uint32) {
	if len(e.LastMod) > 0 {
		m = (g.set.seed.short(e.LastMod)>>8 | 1) << 16
	}
	return m | g.smallHash(e.ChangeFreq)<<8 | g.smallHash(e.Priority)
}

// smallHash tells apart the words of changefreq, and the priorities, in use.
func (g *gatherer) smallHash(value []byte) uint32 {
	n := len(value)
	word := uint64(n)
	switch {
	case n == 0:
		return 0
	case n > 8:
		word = uint64(g.set.seed.short(value))
	case n >= 4:
		word += uint64(binary.LittleEndian.Uint32(value))<<32 | uint64(binary.LittleEndian.Uint32(value[n-4:]))
	default:
		for _, c := range value {
			word = word<<8 | uint64(c)
		}
	}
	return uint32(word*0x9e3779b97f4a7c15>>32)%255 + 1
}

// conflict reports whether two pages say different things of lastmod, changefreq
// or priority. What only one of them says is no conflict.
func conflict(a, b uint32) bool {
	for _, mask := range [...]uint32{0xffff0000, 0xff00, 0xff} {
		if x, y := a&mask, b&mask; x != 0 && y != 0 && x != y {
			return true
		}
	}
	return false
}

// links remembers the page's links to its versions in other languages, each at
// both ends.
func (g *gatherer) links(v *visit, own pageKey) {
	for _, a := range v.extensions().Alternates {
		if a.Hreflang == "" || a.Href == "" {
			continue
		}
		var err error
		if g.other, err = normalForm(g.other[:0], []byte(a.Href)); err != nil {
			continue
		}
		other, language := g.set.seed.key(g.other), g.language(a.Hreflang)
		g.add(record{key: own, origin: outRecord | g.number, entry: g.entries, a: other.short(), b: language})
		g.add(record{key: other, origin: inRecord | g.number, entry: g.entries, a: own.short(), b: language})
	}
}

// anyLanguage is what x-default stands for: a page may have it beside its own.
const anyLanguage = 0

func (g *gatherer) language(tag string) uint32 {
	lower := bytes.ToLower([]byte(tag))
	if string(lower) == "x-default" {
		return anyLanguage
	}
	return g.set.seed.short(lower)
}

func (g *gatherer) add(r record) {
	if g.sheaf == nil {
		g.sheaf = g.set.take()
	}
	if err := g.set.records.add(g.sheaf, r); err != nil {
		g.set.fail(err)
	}
}

// done gives the sheaf back, to be filled up by another file.
func (g *gatherer) done() {
	if err := g.file.reel.done(); err != nil {
		g.set.fail(err)
	}
	if g.sheaf != nil {
		g.set.give(g.sheaf)
		g.sheaf = nil
	}
}

// take returns a sheaf, begun by another file or new.
func (s *set) take() *sheaf {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		begun := s.free[last]
		s.free = s.free[:last]
		return begun
	}
	return &sheaf{}
}

func (s *set) give(begun *sheaf) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.free = append(s.free, begun)
}

// surrender puts what the sheaves hold with the other records.
func (s *set) surrender() {
	for _, begun := range s.free {
		s.records.surrender(begun)
	}
	s.free = nil
}
