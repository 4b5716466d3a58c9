package repair

import (
	"hash/maphash"

	"github.com/mapatools/mapa/sitemap"
)

// mostKnown bounds the pages that are remembered, at about 40 bytes each before
// garbage collection.
const mostKnown = 10_000_000

// known remembers the pages of all files by a keyed hash of 128 bits.
type known struct {
	seeds [2]maphash.Seed
	pages map[[2]uint64]uint64
}

// A standing is what a page is to those before it.
type standing int

const (
	first       standing = iota
	repetition           // it says nothing that the first does not
	conflicting          // it says something else
)

// meet compares a page with those before it.
func (k *known) meet(u *sitemap.URL) standing {
	if k.pages == nil {
		k.seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
		k.pages = map[[2]uint64]uint64{}
	}
	key := [2]uint64{maphash.String(k.seeds[0], u.Loc), maphash.String(k.seeds[1], u.Loc)}
	said, met := k.pages[key]
	own := k.metadata(u)
	switch {
	case !met:
		if len(k.pages) < mostKnown {
			k.pages[key] = own
		}
		return first
	case adds(said, own):
		return conflicting
	}
	return repetition
}

// metadata puts hashes of lastmod, changefreq, priority and the extensions side by
// side, each 0 where there is nothing.
func (k *known) metadata(u *sitemap.URL) (m uint64) {
	if !u.LastMod.IsZero() {
		m |= k.short(u.LastMod.String())
	}
	if u.ChangeFreq != "" {
		m |= k.short(string(u.ChangeFreq)) << 16
	}
	if value, present := u.Priority.Value(); present {
		m |= (uint64(value*60_000) + 1) << 32
	}
	if !u.Extensions.IsZero() {
		m |= k.short(textOf(&u.Extensions)) << 48
	}
	return m
}

func (k *known) short(text string) uint64 {
	return maphash.String(k.seeds[0], text)&0xffff | 1
}

// adds reports whether a page says something that the first one does not say.
func adds(first, page uint64) bool {
	for shift := 0; shift < 64; shift += 16 {
		if own := page >> shift & 0xffff; own != 0 && own != first>>shift&0xffff {
			return true
		}
	}
	return false
}
