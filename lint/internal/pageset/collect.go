package pageset

import (
	"bytes"
	"encoding/binary"

	"github.com/mapatools/mapa/internal/partition"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// Collector adds the pages of one file to the set. It is for one goroutine.
type Collector struct {
	set     *Set
	file    *File
	blocks  *partition.Blocks[record]
	entries uint32
	normal  []byte
	other   []byte
}

// Add adds a page. A plain location is its own normal form.
func (c *Collector) Add(e *scan.Entry) {
	if media := e.Traits & (scan.HasImages | scan.HasVideos | scan.HasNews); c.entries == 0 {
		c.file.media = media
	} else {
		c.file.media &= media
	}
	r := record{origin: pageRecord | c.file.number, entry: c.entries, b: c.metadata(e.Entry)}
	normal := e.Loc
	if !e.Traits.IsNormal() {
		var err error
		if c.normal, err = scan.NormalForm(c.normal[:0], e.Loc); err == nil {
			normal = c.normal
		}
		if !bytes.Equal(normal, e.Loc) {
			r.a = c.set.seed.short(e.Loc)
		}
	}
	r.key = c.set.seed.key(normal)
	c.add(r)
	if c.set.options.Crawled && e.Traits&scan.LocQuery != 0 {
		c.addCrawlKey(e.Loc, normal)
	}
	if e.Traits&scan.HasAlternates != 0 {
		c.addLinks(e, r.key)
	}
	if c.file.disk == nil {
		c.logPosition(e)
	}
	c.entries++
}

func (c *Collector) logPosition(e *scan.Entry) {
	var values Values
	if c.set.wanted[Conflict] {
		values = valuesOf(e.Entry)
	}
	offset, line, column := e.Source().Find("", 0)
	if err := c.file.log.add(e.Loc, offset, line, column, values); err != nil {
		c.set.fail(err)
	}
}

// metadata joins hashes of lastmod, changefreq and priority, each 0 where the
// value is absent.
func (c *Collector) metadata(e *sitemap.Entry) (m uint32) {
	if len(e.LastMod) > 0 {
		m = (c.set.seed.short(e.LastMod)>>8 | 1) << 16
	}
	return m | c.smallHash(e.ChangeFreq)<<8 | c.smallHash(e.Priority)
}

// smallHash is different for each word of changefreq and each usual priority.
func (c *Collector) smallHash(value []byte) uint32 {
	n := len(value)
	word := uint64(n)
	switch {
	case n == 0:
		return 0
	case n > 8:
		word = uint64(c.set.seed.short(value))
	case n >= 4:
		word += uint64(binary.LittleEndian.Uint32(value))<<32 | uint64(binary.LittleEndian.Uint32(value[n-4:]))
	default:
		for _, c := range value {
			word = word<<8 | uint64(c)
		}
	}
	return uint32(word*0x9e3779b97f4a7c15>>32)%255 + 1
}

// conflict reports whether two pages have different values of lastmod, changefreq
// or priority. A value that only one of them has does not conflict.
func conflict(a, b uint32) bool {
	for _, mask := range [...]uint32{0xffff0000, 0xff00, 0xff} {
		if x, y := a&mask, b&mask; x != 0 && y != 0 && x != y {
			return true
		}
	}
	return false
}

// addLinks adds the page's links to its versions in other languages, each at both
// ends.
func (c *Collector) addLinks(e *scan.Entry, own key) {
	for _, a := range e.Parsed().Alternates {
		if a.Hreflang == "" || a.Href == "" {
			continue
		}
		var err error
		if c.other, err = scan.NormalForm(c.other[:0], []byte(a.Href)); err != nil {
			continue
		}
		other, language := c.set.seed.key(c.other), c.language(a.Hreflang)
		c.add(record{key: own, origin: outRecord | c.file.number, entry: c.entries, a: other.short(), b: language})
		c.add(record{key: other, origin: inRecord | c.file.number, entry: c.entries, a: own.short(), b: language})
	}
}

// anyLanguage is the language of x-default, which a page may have as well as its
// own.
const anyLanguage = 0

func (c *Collector) language(tag string) uint32 {
	lower := bytes.ToLower([]byte(tag))
	if word := string(lower); word == "x-default" || word == "x_default" {
		return anyLanguage
	}
	return c.set.seed.short(lower)
}

func (c *Collector) add(r record) {
	if c.blocks == nil {
		c.blocks = c.set.takeBlocks()
	}
	if err := c.set.records.Add(c.blocks, uint64(r.key), r); err != nil {
		c.set.fail(err)
	}
}

// Close ends the file. Its blocks are filled up by the next one.
func (c *Collector) Close() {
	if err := c.file.log.close(); err != nil {
		c.set.fail(err)
	}
	if c.blocks != nil {
		c.set.returnBlocks(c.blocks)
		c.blocks = nil
	}
}
