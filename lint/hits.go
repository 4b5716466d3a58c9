package lint

import (
	"cmp"
	"slices"
)

// A hit is a breach of a rule about the set, before it is put into words.
type hit struct {
	rule  *Rule
	at    pageAt
	other pageAt
}

// A pageAt is an entry of a file, both by number.
type pageAt struct{ file, entry uint32 }

func comparePages(a, b pageAt) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.entry, b.entry))
}

// hits keeps the first of every rule in every file and counts all. They come in
// the order of hashes, so the first are known only in the end.
type hits struct {
	each   int // kept of a rule in a file; negative for all
	groups map[hitGroup]*hitList
}

func newHits(each int) *hits { return &hits{each: each, groups: map[hitGroup]*hitList{}} }

type hitGroup struct {
	rule *Rule
	file uint32
}

type hitList struct {
	count int
	kept  []hit
}

func (h *hits) add(new hit) {
	group := hitGroup{new.rule, new.at.file}
	list := h.groups[group]
	if list == nil {
		list = &hitList{}
		h.groups[group] = list
	}
	list.count++
	list.keep(h.each, new)
}

func (l *hitList) keep(each int, new ...hit) {
	l.kept = append(l.kept, new...)
	if each >= 0 && len(l.kept) > 2*each {
		l.cut(each)
	}
}

// cut leaves the first.
func (l *hitList) cut(each int) {
	slices.SortFunc(l.kept, compareHits)
	if each >= 0 && len(l.kept) > each {
		l.kept = l.kept[:each]
	}
}

func compareHits(a, b hit) int {
	return cmp.Or(comparePages(a.at, b.at), comparePages(a.other, b.other))
}

// merge takes the hits of another part of the keys.
func (h *hits) merge(other *hits) {
	for group, list := range other.groups {
		if own := h.groups[group]; own != nil {
			own.count += list.count
			own.keep(h.each, list.kept...)
		} else {
			h.groups[group] = list
		}
	}
}

// sorted returns the groups by file, then by rule in the order of the
// documentation, each cut to what is told.
func (h *hits) sorted() (groups []hitGroup) {
	order := map[*Rule]int{}
	for i, r := range Rules() {
		order[r] = i
	}
	for group, list := range h.groups {
		list.cut(h.each)
		groups = append(groups, group)
	}
	slices.SortFunc(groups, func(a, b hitGroup) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(order[a.rule], order[b.rule]))
	})
	return groups
}
