package report

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// Limits of the lists of duplicates.
const (
	maxGroups  = 1000
	maxMembers = 50
)

// hashIndex finds pages with the same hash of some text.
type hashIndex struct {
	pages []hashedPage
}

type hashedPage struct {
	hash uint64
	id   crawl.ID
}

// grow allocates space for more pages.
func (l *hashIndex) grow(pages int) { l.pages = slices.Grow(l.pages, pages) }

func (l *hashIndex) add(hash uint64, id crawl.ID) {
	l.pages = append(l.pages, hashedPage{hash, id})
}

var textSeed = maphash.MakeSeed()

func hashText(text string) uint64 { return maphash.String(textSeed, text) }

// pageGroup is a set of pages with the same hash.
type pageGroup struct {
	total   int
	members []crawl.ID // first of the pages
}

// groups returns the groups of at least two pages, largest first, and the number of
// pages in all groups. It empties the index.
func (l *hashIndex) groups() (groups []pageGroup, pages int) {
	slices.SortFunc(l.pages, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	for rest := l.pages; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].hash == rest[0].hash {
			end++
		}
		if end > 1 {
			g := pageGroup{total: end}
			for _, page := range rest[:min(end, maxMembers)] {
				g.members = append(g.members, page.id)
			}
			groups = append(groups, g)
			pages += end
		}
		rest = rest[end:]
	}
	l.pages = nil
	slices.SortFunc(groups, func(a, b pageGroup) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.members[0], b.members[0]))
	})
	return groups, pages
}
