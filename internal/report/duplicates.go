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
// pages in all groups.
func (l *hashIndex) groups() (groups [][]hashedPage, pages int) {
	slices.SortFunc(l.pages, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	for rest := l.pages; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].hash == rest[0].hash {
			end++
		}
		if end > 1 {
			groups = append(groups, rest[:end])
			pages += end
		}
		rest = rest[end:]
	}
	slices.SortFunc(groups, func(a, b []hashedPage) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].id, b[0].id))
	})
	return groups, pages
}

// firstMembers returns groups with the first of their pages.
func firstMembers(groups [][]hashedPage) []pageGroup {
	cut := make([]pageGroup, len(groups))
	for i, group := range groups {
		cut[i].total = len(group)
		for _, page := range group[:min(len(group), maxMembers)] {
			cut[i].members = append(cut[i].members, page.id)
		}
	}
	return cut
}
