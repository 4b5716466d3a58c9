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
func (l *hashIndex) groups() (groups [][]crawl.ID, pages int) {
	slices.SortFunc(l.pages, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	for rest := l.pages; len(rest) > 0; {
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
	l.pages = nil
	slices.SortFunc(groups, func(a, b []crawl.ID) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return groups, pages
}

// firstMembers returns groups with the first of their pages.
func firstMembers(groups [][]crawl.ID) []pageGroup {
	cut := make([]pageGroup, len(groups))
	for i, group := range groups {
		cut[i] = pageGroup{len(group), group[:min(len(group), maxMembers)]}
	}
	return cut
}
