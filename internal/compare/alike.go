package compare

import (
	"regexp"
	"slices"
	"strings"
)

const (
	// minAlike is how many pages with the same change are shown as one at least.
	minAlike = 3
	// maxPatterns is how many patterns of URLs are known at most. Pages of others are shown one by one.
	maxPatterns = 20_000
	maxExamples = 3
)

// A unit is what changes together: the answer of a URL, or one fact of its page.
type unit struct {
	Facts int `json:"facts"` // how many of the change, in order
	// Edit is equal for what was done alike, such as another end of a title, and Value for the same new value.
	Edit  uint64 `json:"edit"`
	Value uint64 `json:"value"`
}

// unitsOf returns the units of facts. Those of the answer come first.
func unitsOf(facts []FactChange) (units []unit) {
	answer := unit{}
	for i := range facts {
		switch fact := &facts[i]; fact.Fact {
		case factStatus, factDecision:
			answer.Edit = answer.Edit*31 + hashOf(fact.Fact, fact.Old, fact.New)
			answer.Value = answer.Value*31 + hashOf(fact.Fact, fact.New)
			answer.Facts++
		case factTarget:
			answer.Value = answer.Value*31 + hashOf(fact.Fact, fact.New)
			answer.Facts++
		default:
			units = append(units, unit{1, fact.edit, fact.value})
		}
	}
	if answer.Facts > 0 {
		units = slices.Insert(units, 0, answer)
	}
	return units
}

// alike finds changes that more than half of the pages of a pattern have in common. Its memory is bounded by
// maxPatterns.
type alike struct {
	totals map[uint32]int // pages that both sides have, by the pattern of their URL
	votes  map[voteKey]*vote
	won    []*vote // in the order of their first pages
}

// A voteKey is a fact of the pages of a pattern, by what was done to it or by its new value.
type voteKey struct {
	pattern uint32
	kind    Kind
	fact    string
	isValue bool
}

// A vote finds the only change that a majority can have in common (Boyer and Moore, MJRTY: A Fast Majority Vote
// Algorithm), and then counts it.
type vote struct {
	candidate uint64
	balance   int
	pages     int
	change    *Change // of all, once more than half have it
}

// addPage counts a page that both sides have.
func (a *alike) addPage(pattern uint32) {
	if _, known := a.totals[pattern]; known || len(a.totals) < maxPatterns {
		a.totals[pattern]++
	}
}

// eachUnit calls do with the units of a change, with their first fact, by their edit and by their value. Of other
// kinds than changed, only the answer counts.
func (a *alike) eachUnit(f *found, do func(u *unit, at int, key voteKey, hash uint64)) {
	if a.totals[f.Pattern] < minAlike {
		return
	}
	at := 0
	for i := range f.Units {
		u := &f.Units[i]
		if f.Kind != KindChanged && !(i == 0 && f.Facts[0].IsAnswer()) {
			return
		}
		key := voteKey{pattern: f.Pattern, kind: f.Kind, fact: f.Facts[at].Fact}
		do(u, at, key, u.Edit)
		key.isValue = true
		do(u, at, key, u.Value)
		at += u.Facts
	}
}

// vote lets a change vote for what may be that of the majority.
func (a *alike) vote(f *found) {
	a.eachUnit(f, func(_ *unit, _ int, key voteKey, hash uint64) {
		v := a.votes[key]
		if v == nil {
			v = &vote{}
			a.votes[key] = v
		}
		switch {
		case v.balance == 0:
			v.candidate, v.balance = hash, 1
		case v.candidate == hash:
			v.balance++
		default:
			v.balance--
		}
	})
}

// count counts a change if it is that which the majority may have.
func (a *alike) count(f *found) {
	a.eachUnit(f, func(_ *unit, _ int, key voteKey, hash uint64) {
		if v := a.votes[key]; v.candidate == hash {
			v.pages++
		}
	})
}

// markLost marks the facts that a page has no longer of its own.
func (a *alike) markLost(f *found) {
	own := false // whether the last unit was done alike on the others
	a.eachUnit(f, func(_ *unit, at int, key voteKey, hash uint64) {
		isShared := a.isShared(key, hash)
		if key.isValue && isShared && !own && slices.Contains(ownFacts, key.fact) {
			f.Facts[at].Lost = true
		}
		own = isShared
	})
}

// ownFacts are the facts that each page should have its own value of.
var ownFacts = []string{"title", "description", "h1"}

// isShared reports whether more than half of the pages of a pattern have a change.
func (a *alike) isShared(key voteKey, hash uint64) bool {
	return a.votes[key].candidate == hash && a.pagesOf(key) > 0
}

// pagesOf returns how many pages of a pattern changed alike, if they are more than half of them.
func (a *alike) pagesOf(key voteKey) int {
	if v := a.votes[key]; v != nil && v.pages >= minAlike && 2*v.pages > a.totals[key.pattern] {
		return v.pages
	}
	return 0
}

// isShown reports whether a change that is shared is a row: of what was done to a fact, and its new value, the one that
// more pages share.
func (a *alike) isShown(key voteKey, hash uint64) bool {
	other := key
	other.isValue = !key.isValue
	pages, others := a.pagesOf(key), a.pagesOf(other)
	return a.isShared(key, hash) && (pages > others || pages == others && !key.isValue)
}

// leave takes what many pages have in common out of a change, and reports whether something is left of it.
func (a *alike) leave(f *found) bool {
	if len(f.Units) == 0 {
		return true
	}
	taken := make([]bool, len(f.Facts))
	a.eachUnit(f, func(u *unit, at int, key voteKey, hash uint64) {
		if !a.isShown(key, hash) {
			return
		}
		a.show(a.votes[key], f, f.Facts[at:at+u.Facts])
		for i := range u.Facts {
			taken[at+i] = true
		}
	})
	if f.Kind != KindChanged {
		return !taken[0] // the answer says all
	}
	var rest []FactChange
	for i := range f.Facts {
		if !taken[i] {
			rest = append(rest, f.Facts[i])
		}
	}
	f.Facts = rest
	return len(rest) > 0
}

// show notes that the pages of a pattern have a change in common, with one of them.
func (a *alike) show(v *vote, f *found, facts []FactChange) {
	if v.change == nil {
		v.change = &Change{Kind: f.Kind, Facts: slices.Clone(facts), Template: patternText(f.URL), Of: a.totals[f.Pattern],
			Updated: f.Updated, Returned: f.Returned}
		a.won = append(a.won, v)
	}
	v.change.Pages++
	if len(v.change.Examples) < maxExamples {
		v.change.Examples = append(v.change.Examples, f.URL)
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// patternText returns the pattern of a URL for people: its last part and all numbers are stars.
func patternText(url string) string {
	path, query, hasQuery := strings.Cut(url, "?")
	host := strings.Index(path, "://") + len("://")
	host += max(strings.IndexByte(path[host:], '/'), 0)
	end := max(strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1, host)
	var out strings.Builder
	out.WriteString(path[:host])
	out.WriteString(digits.ReplaceAllLiteralString(path[host:end], "*"))
	out.WriteByte('*')
	if hasQuery {
		for i, parameter := range strings.Split(query, "&") {
			name, _, _ := strings.Cut(parameter, "=")
			out.WriteString([]string{"?", "&"}[min(i, 1)] + name + "=*")
		}
	}
	return out.String()
}
