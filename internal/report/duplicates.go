package report

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
)

// Limits of the lists of duplicates.
const (
	maxGroups  = 1000
	maxMembers = 50
)

// hashIndex finds pages with the same hash of some text.
type hashIndex struct {
	hashes []uint64 // by ID; 0 for a page without the text
}

func newHashIndex(pages int) hashIndex { return hashIndex{make([]uint64, pages)} }

func (l *hashIndex) add(hash uint64, id crawl.ID) { l.hashes[id] = max(hash, 1) }

var textSeed = maphash.MakeSeed()

func hashText(text string) uint64 { return maphash.String(textSeed, text) }

// pageGroup is a set of pages with the same hash.
type pageGroup struct {
	total   int
	members []crawl.ID // first of the pages
}

// groups returns the groups of at least two pages, largest first, and the number of
// pages in all groups. It empties the index.
func (l *hashIndex) groups() (groups [][]crawl.ID, pages int) {
	for rest := l.repeated(); len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].hash == rest[0].hash {
			end++
		}
		if end > 1 {
			group := make([]crawl.ID, end)
			for i, page := range rest[:end] {
				group[i] = page.id
			}
			groups = append(groups, group)
			pages += end
		}
		rest = rest[end:]
	}
	slices.SortFunc(groups, func(a, b []crawl.ID) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return groups, pages
}

// hashedPage is a page with the hash of some text.
type hashedPage struct {
	hash uint64
	id   crawl.ID
}

func (p hashedPage) compareHash(hash uint64) int { return cmp.Compare(p.hash, hash) }

// slotsOfPage is how many slots a page has in the table that finds repeated hashes.
const slotsOfPage = 8

// repeated returns the pages whose hashes may occur again, sorted by hash and ID. Most
// texts are unique: to sort only those whose slot in a table of bits is taken twice needs
// an eighth of the memory and the time. It empties the index.
func (l *hashIndex) repeated() []hashedPage {
	var taken, again bitset.Set[crawl.ID]
	slots := uint64(len(l.hashes) * slotsOfPage)
	for _, hash := range l.hashes {
		switch slot := crawl.ID(hash % max(slots, 1)); {
		case hash == 0:
		case taken.Has(slot):
			again.Add(slot)
		default:
			taken.Add(slot)
		}
	}
	var pages []hashedPage
	for id, hash := range l.hashes {
		if hash != 0 && again.Has(crawl.ID(hash%slots)) {
			pages = append(pages, hashedPage{hash, crawl.ID(id)})
		}
	}
	l.hashes = nil
	slices.SortFunc(pages, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	return pages
}

// firstMembers returns groups with the first of their pages.
func firstMembers(groups [][]crawl.ID) []pageGroup {
	cut := make([]pageGroup, len(groups))
	for i, group := range groups {
		cut[i] = pageGroup{len(group), group[:min(len(group), maxMembers)]}
	}
	return cut
}
