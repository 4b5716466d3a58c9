package lint

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A set is what a run remembers of all files for the rules about them together.
type set struct {
	seeds hashSeeds
	runs  runs
	spool spool
	chunk int // records in a chunk

	mutex sync.Mutex
	files []*setFile // by number
	free  []*chunk   // that no file writes to, filled in part
	err   error      // the first

	children atomic.Int64 // of all indexes, in bytes
}

// A setFile is what is remembered of a file.
type setFile struct {
	location string
	index    string // the location of what lists it
	source   string // what led to it
	reel     reel
	read     bool  // it could be opened
	failed   *Rule // what it ended with, or could not be opened for
	address  string
	format   sitemap.Format
	scope    scope
	media    traits // images, videos and news, as far as every page has them
	pages    int
	newest   time.Time // the newest plausible date of its pages
	children []childEntry
}

// A chunk collects records until they are sorted.
type chunk struct{ records, sorted []record }

func newSet(memory int64) *set {
	s := &set{seeds: newHashSeeds()}
	s.runs.room, s.spool.room = memory/4*3, memory/8
	s.chunk = int(max(min(memory/16/int64(runtime.GOMAXPROCS(0))/recordSize, 1<<16), 1<<8))
	return s
}

func (s *set) close() {
	s.runs.spill.close()
	s.spool.spill.close()
}

// number gives a file its number. Files are numbered in the order in which they
// are checked.
func (s *set) number(location string) (uint32, *setFile) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	f := &setFile{location: location, reel: reel{spool: &s.spool}}
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
	chunk   *chunk
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
			r.a = g.set.seeds.short(e.Loc)
		}
	}
	r.key = g.set.seeds.key(normal)
	g.add(r)
	if v.options.Crawled != nil && v.traits&oddQuery != 0 {
		g.listed(e.Loc, normal)
	}
	if v.traits&needsAlternates != 0 {
		g.links(v, r.key)
	}
	offset, line, column := e.Find("", 0)
	if err := g.file.reel.add(e.Loc, v.glancer.shared, offset, line, column); err != nil {
		g.set.fail(err)
	}
	g.entries++
}

// metadata puts hashes of lastmod, changefreq and priority side by side, each 0
// where the value is absent.
func (g *gatherer) metadata(e *sitemap.Entry) (m uint32) {
	if len(e.LastMod) > 0 {
		m = (g.set.seeds.short(e.LastMod)>>8 | 1) << 16
	}
	return m | smallHash(e.ChangeFreq)<<8 | smallHash(e.Priority)
}

func smallHash(value []byte) uint32 {
	if len(value) == 0 {
		return 0
	}
	h := uint32(0)
	for _, c := range value {
		h = h*31 + uint32(c)
	}
	return h%255 + 1
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
		other, language := g.set.seeds.key(g.other), g.language(a.Hreflang)
		g.add(record{key: own, origin: outRecord | g.number, entry: g.entries, a: uint32(other[1]), b: language})
		g.add(record{key: other, origin: inRecord | g.number, entry: g.entries, a: uint32(own[1]), b: language})
	}
}

// anyLanguage is what x-default stands for: a page may have it beside its own.
const anyLanguage = 0

func (g *gatherer) language(tag string) uint32 {
	lower := bytes.ToLower([]byte(tag))
	if string(lower) == "x-default" {
		return anyLanguage
	}
	return g.set.seeds.short(lower)
}

func (g *gatherer) add(r record) {
	if g.chunk == nil {
		g.chunk = g.set.take()
	}
	g.chunk.records = append(g.chunk.records, r)
	if len(g.chunk.records) == cap(g.chunk.records) {
		g.set.sort(g.chunk)
	}
}

// done gives the chunk back, to be filled up by another file.
func (g *gatherer) done() {
	if err := g.file.reel.flush(); err != nil {
		g.set.fail(err)
	}
	g.file.reel.buffer = nil
	if g.chunk != nil {
		g.set.give(g.chunk)
		g.chunk = nil
	}
}

// take returns a chunk, begun by another file or new.
func (s *set) take() *chunk {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		c := s.free[last]
		s.free = s.free[:last]
		return c
	}
	return &chunk{records: make([]record, 0, s.chunk)}
}

func (s *set) give(c *chunk) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.free = append(s.free, c)
}

// sort empties a chunk into the runs.
func (s *set) sort(c *chunk) {
	if len(c.records) > 0 {
		if cap(c.sorted) < len(c.records) {
			c.sorted = make([]record, len(c.records))
		}
		sorted := c.sorted[:len(c.records)]
		sortRecords(sorted, c.records)
		kept, err := s.runs.add(sorted)
		if err != nil {
			s.fail(err)
		}
		if kept {
			c.sorted = nil
		}
	}
	c.records = c.records[:0]
}
