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
// URLs. As in listKinds, has is nil for a list that depends on all URLs.
var furtherLists = []struct {
	name string
	has  func(a *Analysis, r *crawl.Record) bool
}{
	{"listed", func(_ *Analysis, r *crawl.Record) bool { return classOf(r) == classListed }},
	{"broken", func(_ *Analysis, r *crawl.Record) bool { return DecisionOf(r).Broken() }},
	{"broken.broken-urls", func(a *Analysis, r *crawl.Record) bool { return a.broken.linked.Has(r.Link.ID) }},
	{"languages", nil},
	{"speed.slow", func(_ *Analysis, r *crawl.Record) bool {
		return classOf(r) != classOther && r.Page.Duration >= slowThreshold
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

// ownLists returns the lists that a URL belongs to, of those that depend on it alone.
func (a *Analysis) ownLists(r *crawl.Record, linked uint32) ListSet {
	of := listsOf(r, linked)
	first := len(listKinds) + len(groupLists)
	for i := range furtherLists {
		if has := furtherLists[i].has; has != nil && has(a, r) {
			of |= 1 << (first + i)
		}
	}
	return of
}

// finishLists adds the lists that depend on all URLs, and counts all lists.
func (a *Analysis) finishLists() {
	t, names := &a.totals, ListNames()
	bit := func(name string) ListSet { return 1 << slices.Index(names, name) }
	missing, languages, unlisted := bit("gaps.not-in-sitemap"), bit("languages"), bit("canonical.not-listed")
	for i, name := range groupLists {
		list := bit(name)
		for _, id := range slices.Concat(a.groups[i]...) {
			a.listSets[id] |= list
		}
	}
	for i := range a.listSets {
		of, id := &a.listSets[i], crawl.ID(i)
		if !t.gaps.hasSitemap {
			*of &^= missing
		}
		if t.languages.pages.Has(id) {
			*of |= languages
		}
		if t.unlisted.Has(id) {
			*of |= unlisted
		}
		a.lists.add(*of)
	}
}

// Lists returns the lists that a URL is in.
func (a *Analysis) Lists(id crawl.ID) ListSet { return a.listSets[id] }

// total returns the number of URLs of a list.
func (a *Analysis) total(name string) int {
	return a.lists[slices.Index(ListNames(), name)]
}
