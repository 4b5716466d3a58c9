package pageset

import (
	"cmp"
	"slices"
)

// Kind is one way in which two pages of the set match.
type Kind uint8

// The kinds, in the order of the matches of a file. The page of a match is the
// later one unless the comment says otherwise.
const (
	Duplicate            Kind = iota // the page is listed before, in the same file
	DuplicateAcrossFiles             // the page is listed before, in another file of the same kind
	Equivalent                       // the page is listed before, in another spelling
	Conflict                         // the page is listed before with another date, frequency or priority
	NoReturnLink                     // the page names the other as a version; the other does not name it
	OtherLanguage                    // the page gives the other another language than that gives itself
	LanguageElsewhere                // the two give a third page, which gives itself none, different languages
	NotListed                        // a crawl found the page, and no file lists it; there is no other
	NotLinked                        // a file lists the page, and no page that a crawl found links to it
	ListedDead                       // a file lists the page, which a crawl could not get; Other.Offset is the status
	ListedRedirect                   // a file lists the page, which a crawl was redirected from
	ListedNoIndex                    // a file lists the page, which a crawl found to have noindex
	kindCount
)

// match is a match before the positions are known.
type match struct {
	kind  Kind
	at    page
	other page
}

// matches keep the first of every kind in every file and count all. Matches
// arrive in the order of hashes, so the first are known at the end.
type matches struct {
	maxEach int // kept of a kind in a file; negative for all
	groups  map[groupKey]*matchList
}

type groupKey struct {
	kind Kind
	file uint32
}

type matchList struct {
	count int
	kept  []match
}

func (m *matches) add(new match) {
	group := groupKey{new.kind, new.at.file}
	list := m.groups[group]
	if list == nil {
		list = &matchList{}
		m.groups[group] = list
	}
	list.count++
	list.keep(m.maxEach, new)
}

func (l *matchList) keep(maxEach int, new ...match) {
	l.kept = append(l.kept, new...)
	if maxEach >= 0 && len(l.kept) > 2*maxEach {
		l.cut(maxEach)
	}
}

// cut drops all but the first.
func (l *matchList) cut(maxEach int) {
	slices.SortFunc(l.kept, compareMatches)
	if maxEach >= 0 && len(l.kept) > maxEach {
		l.kept = l.kept[:maxEach]
	}
}

func compareMatches(a, b match) int {
	return cmp.Or(comparePages(a.at, b.at), comparePages(a.other, b.other))
}

// merge takes the matches of other partitions.
func (m *matches) merge(other *matches) {
	for group, list := range other.groups {
		if own := m.groups[group]; own != nil {
			own.count += list.count
			own.keep(m.maxEach, list.kept...)
		} else {
			m.groups[group] = list
		}
	}
}

// sorted returns the groups by file, then by kind, each cut to what is kept.
func (m *matches) sorted() (groups []groupKey) {
	for group, list := range m.groups {
		list.cut(m.maxEach)
		groups = append(groups, group)
	}
	slices.SortFunc(groups, func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.kind, b.kind))
	})
	return groups
}
