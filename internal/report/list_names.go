package report

import (
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// groupLists are the lists of groups of pages, in the order of Analysis.groups.
var groupLists = [...]string{"duplicates.same", "titles.same", "descriptions.same", "headings.same"}

// GroupLists returns the names of the lists of groups of pages.
func GroupLists() []string { return groupLists[:] }

// furtherLists are lists that the report counts and shows in other forms than a list of
// URLs.
var furtherLists = []struct {
	name string
	has  func(a *Analysis, r *crawl.Record) bool
}{
	{"listed", func(_ *Analysis, r *crawl.Record) bool { return classOf(r) == classListed }},
	{"broken", func(_ *Analysis, r *crawl.Record) bool { return decisionOf(r).Broken() }},
	{"broken.broken-urls", func(a *Analysis, r *crawl.Record) bool { return a.broken.linked.has(r.Link.ID) }},
	{"languages", func(a *Analysis, r *crawl.Record) bool { return a.totals.languages.pages.has(r.Link.ID) }},
	{"speed.slow", func(_ *Analysis, r *crawl.Record) bool {
		return classOf(r) != classOther && r.Page.Took >= slowThreshold
	}},
	{"speed.large", func(_ *Analysis, r *crawl.Record) bool {
		return classOf(r) != classOther && r.Page.Size >= largeThreshold
	}},
}

// ListNames returns the names of all lists of URLs: those of the report as
// "<section>.<list>", of groups as those of their pages, "listed" for the pages in the
// sitemap and "broken" for all broken URLs, with links or without.
func ListNames() []string {
	var names []string
	for i := range listKinds {
		names = append(names, listKinds[i].section+"."+listKinds[i].id)
	}
	names = append(names, groupLists[:]...)
	for i := range furtherLists {
		names = append(names, furtherLists[i].name)
	}
	return names
}

// addFurther adds the lists after those of listKinds.
func (a *Analysis) addFurther(r *crawl.Record, of ListSet) ListSet {
	first := len(listKinds)
	for i := range groupLists {
		if a.inGroup[i].has(r.Link.ID) {
			of |= 1 << (first + i)
		}
	}
	first += len(groupLists)
	for i := range furtherLists {
		if furtherLists[i].has(a, r) {
			of |= 1 << (first + i)
		}
	}
	return of
}

// total returns the number of URLs of a list.
func (a *Analysis) total(name string) int {
	return a.lists[slices.Index(ListNames(), name)]
}
