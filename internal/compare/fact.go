package compare

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// A FactChange is a fact of a URL that differs. Its name is the key of the fact in the table of package page. An
// empty value means that the page has no value.
type FactChange struct {
	Fact string `json:"fact"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
	// Added and Removed are entries of a list: up to ten, and More is how many there are besides.
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	More    int      `json:"more,omitempty"`
	// Lost says that the page had a value and has none, or no longer one of its own: the pages that are like it have the
	// same now, and had others.
	Lost bool `json:"lost,omitempty"`

	// edit identifies what was done to the value, and value the new value: equal ones are the same change.
	edit, value uint64
}

// maxEntries is how many entries of a list are named.
const maxEntries = 10

// The facts that are compared in a way of their own, since a sitemap has them too, or they say how a URL answers.
const (
	factStatus   = "status"
	factDecision = "decision"
	factTarget   = "target"
	factLastMod  = "lastmod"
	factLinks    = "links"
	factWords    = "words"
)

// contentFacts are the facts of pages that are compared, apart from those.
var contentFacts = slices.DeleteFunc(page.In(page.Change), func(f *page.Fact) bool {
	return slices.Contains([]string{factStatus, factDecision, factTarget, factLastMod}, f.Key)
})

// IsAnswer reports whether the fact says how the URL answers, and not what its page says.
func (f *FactChange) IsAnswer() bool {
	return f.Fact == factStatus || f.Fact == factDecision || f.Fact == factTarget
}

// answerFacts returns which facts of the answer differ: those that one side cannot know do not.
func answerFacts(old, new *State) (facts []FactChange) {
	add := func(fact, before, after string) {
		if before != after {
			change := textChange(fact, before, after)
			change.Lost = false // another answer takes nothing from the page
			facts = append(facts, change)
		}
	}
	if old.asked && new.asked {
		add(factStatus, statusText(old.Status), statusText(new.Status))
	}
	if !old.vague && !new.vague {
		add(factDecision, old.Decision, new.Decision)
		add(factTarget, old.Target, new.Target)
	}
	return facts
}

// pageFacts returns which facts of the page differ. A fact that one side did not record does not.
func (c *Comparison) pageFacts(old, new *State) (facts []FactChange, err error) {
	if !old.isComparable(new) {
		return nil, nil
	}
	sameKind := (old.page.Page.Facts == nil) == (new.page.Page.Facts == nil)
	parts := old.differs(new)
	if !old.isIn() || !new.isIn() {
		parts &= content.PartText // what differs in any two answers is only found of listed pages
	}
	for _, fact := range contentFacts {
		before, after := fact.Value(old.page), fact.Value(new.page)
		switch {
		case !sameKind && fact.Key != "media_type":
		case fact.Parts == 0 && before != after:
			facts = append(facts, valueChange(fact, old, new, before, after))
		case fact.Parts&parts != 0 && fact.Key == factLinks:
			links, err := c.linkChange(old, new)
			if err != nil {
				return nil, err
			}
			if links == nil { // lists of links have other texts
				parts |= content.PartText
				break
			}
			facts = append(facts, *links)
		case fact.Parts&parts != 0:
			change := valueChange(fact, old, new, before, after)
			change.edit = sumChange(&old.page.Page.Content, &new.page.Page.Content)
			if change.Added == nil && change.Removed == nil { // equal numbers of words are not the same text
				change.value = change.edit
			}
			facts = append(facts, change)
		}
	}
	return facts, nil
}

// isComparable reports whether what the pages of both states say can be compared: both answered alike, were read to
// their end, and in the same way.
func (s *State) isComparable(other *State) bool {
	return s.page != nil && other.page != nil && s.page.Fetched && other.page.Fetched &&
		s.Status == other.Status && !s.vague && !other.vague && s.isRendered == other.isRendered
}

// differs returns the parts of the content that differ in another state, which is the newer one.
func (s *State) differs(other *State) content.Parts {
	old, new := &s.page.Page, &other.page.Page
	switch {
	case old.Content.Version != 0 && new.Content.Version != 0:
		parts := new.Content.Differs(&old.Content)
		if new.Difference != nil {
			parts &^= new.Difference.Noise
		}
		return parts
	case old.Digest != 0 && new.Digest != 0 && old.Digest != new.Digest:
		return content.PartText
	}
	return 0
}

// textChange returns the change of a text.
func textChange(fact, before, after string) FactChange {
	removed, added := format.Edit(before, after)
	return FactChange{Fact: fact, Old: before, New: after, Lost: before != "" && after == "",
		edit: hashOf(removed, added), value: hashOf(after)}
}

// valueChange returns the change of a fact, entry by entry where it is a list.
func valueChange(fact *page.Fact, old, new *State, before, after string) FactChange {
	entries, isList := fact.Entries(old.page)
	if !isList {
		return textChange(fact.Key, before, after)
	}
	others, _ := fact.Entries(new.page)
	change := listChange(fact.Key, entries, others)
	if change.Added == nil && change.Removed == nil { // the values of its entries differ
		change.Old, change.New = before, after
	}
	return change
}

// listChange returns what was added to a list, and what was taken away.
func listChange(fact string, before, after []string) FactChange {
	change := FactChange{Fact: fact, Lost: len(before) > 0 && len(after) == 0, value: hashOf(after...)}
	change.Added, change.Removed = without(after, before), without(before, after)
	change.edit = hashOf(strings.Join(change.Added, "\n"), strings.Join(change.Removed, "\n"))
	change.More = max(0, len(change.Added)-maxEntries) + max(0, len(change.Removed)-maxEntries)
	change.Added = change.Added[:min(len(change.Added), maxEntries)]
	change.Removed = change.Removed[:min(len(change.Removed), maxEntries)]
	return change
}

// without returns the entries that another list lacks, sorted.
func without(entries, others []string) (left []string) {
	known := make(map[string]bool, len(others))
	for _, other := range others {
		known[other] = true
	}
	for _, entry := range entries {
		if !known[entry] {
			known[entry] = true
			left = append(left, entry)
		}
	}
	slices.Sort(left)
	return left
}

// linkChange returns which URLs a page links to now, or no longer: nil where they are the same.
func (c *Comparison) linkChange(old, new *State) (*FactChange, error) {
	before, err := c.Old.linksOf(old)
	if err != nil {
		return nil, err
	}
	after, err := c.New.linksOf(new)
	if err != nil {
		return nil, err
	}
	change := listChange(factLinks, before, after)
	if change.Added == nil && change.Removed == nil {
		return nil, nil
	}
	return &change, nil
}

// linksOf returns the URLs that a page links to.
func (s *Side) linksOf(state *State) (urls []string, err error) {
	record, _, err := s.crawl.Page(state.id)
	if err != nil {
		return nil, err
	}
	for i := range record.Page.Links {
		link := &record.Page.Links[i]
		if !page.IsFollowable(link.Kind) {
			continue
		}
		url, err := s.crawl.URL(link.To)
		if err != nil {
			return nil, err
		}
		urls = append(urls, s.align(url))
	}
	return urls, nil
}

// sumChange returns a number that is equal for the same change of the content of pages.
func sumChange(old, new *content.Sums) uint64 {
	before, after := old.All(), new.All()
	h := fnv.New64a()
	for i := range after {
		_ = binary.Write(h, binary.LittleEndian, *after[i]-*before[i]) // into memory
	}
	return h.Sum64()
}

func hashOf(texts ...string) uint64 {
	h := fnv.New64a()
	for _, text := range texts {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
