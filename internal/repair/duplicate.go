package repair

import (
	"hash/maphash"

	"github.com/mapatools/mapa/sitemap"
)

// maxPages is the maximum number of pages that an index remembers, at about 40 bytes
// each before garbage collection.
const maxPages = 10_000_000

// A pageIndex remembers the pages of all files by a keyed hash of 128 bits. Pages are
// compared only within a scope.
type pageIndex struct {
	seeds [2]maphash.Seed
	pages map[[2]uint64]uint64
}

// An occurrence is how a page compares with earlier entries for the same URL.
type occurrence int

const (
	occurrenceFirst     occurrence = iota
	occurrenceDuplicate            // has no value that the first does not have
	occurrenceConflict             // has other values than the first
)

func newPageIndex() pageIndex {
	return pageIndex{[2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, map[[2]uint64]uint64{}}
}

// scope returns the number of a scope.
func (p *pageIndex) scope(name string) uint64 { return maphash.String(p.seeds[0], name) }

// add compares a page with earlier pages of the scope, and remembers it if it is the
// first with its URL.
func (p *pageIndex) add(scope uint64, u *sitemap.URL) occurrence {
	key := [2]uint64{maphash.String(p.seeds[0], u.Loc) ^ scope, maphash.String(p.seeds[1], u.Loc)}
	values, seen := p.pages[key]
	own := p.metadata(u)
	switch {
	case !seen:
		if len(p.pages) < maxPages {
			p.pages[key] = own
		}
		return occurrenceFirst
	case differs(values, own):
		return occurrenceConflict
	}
	return occurrenceDuplicate
}

// metadata returns hashes of lastmod, changefreq, priority and the extensions, 16 bits
// each, 0 for an absent one.
func (p *pageIndex) metadata(u *sitemap.URL) (m uint64) {
	if !u.LastMod.IsZero() {
		m |= p.short(u.LastMod.String())
	}
	if u.ChangeFreq != "" {
		m |= p.short(string(u.ChangeFreq)) << 16
	}
	if value, present := u.Priority.Value(); present {
		m |= (uint64(value*60_000) + 1) << 32
	}
	if !u.Extensions.IsZero() {
		m |= p.short(extensionsText(&u.Extensions)) << 48
	}
	return m
}

func (p *pageIndex) short(text string) uint64 {
	return maphash.String(p.seeds[0], text)&0xffff | 1
}

// differs reports whether a page has a value that the first one does not have.
func differs(first, page uint64) bool {
	for shift := 0; shift < 64; shift += 16 {
		if own := page >> shift & 0xffff; own != 0 && own != first>>shift&0xffff {
			return true
		}
	}
	return false
}
