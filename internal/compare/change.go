package compare

import (
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// Kind is a kind of change to a URL. The names are stable.
type Kind string

// The kinds, the most important first. A URL with several changes has the first kind;
// [Change.Fields] has all changes.
const (
	KindAdded    Kind = "added"    // is new
	KindRemoved  Kind = "removed"  // is gone
	KindStatus   Kind = "status"   // has another HTTP status
	KindDecision Kind = "decision" // entered or left the sitemap, or is left out for another reason
	KindMoved    Kind = "moved"    // has another redirect or canonical target
	KindChanged  Kind = "changed"  // is updated: docs/changes.md says what that is
	KindMinor    Kind = "minor"    // differs and is not updated
)

// Kinds are all kinds in order.
var Kinds = []Kind{KindAdded, KindRemoved, KindStatus, KindDecision, KindMoved, KindChanged, KindMinor}

// Field is a part of a [State] that can differ. The names are stable.
type Field string

// The fields in order.
const (
	FieldStatus      Field = "status"
	FieldDecision    Field = "decision"
	FieldTarget      Field = "target"
	FieldWords       Field = "words"
	FieldPictures    Field = "pictures"
	FieldLinks       Field = "links"
	FieldData        Field = "data"
	FieldTitle       Field = "title"
	FieldDescription Field = "description"
	FieldLastMod     Field = "lastmod"
)

// kindOf has the kind of a change by its first field, if that is no part of the page.
var kindOf = map[Field]Kind{FieldStatus: KindStatus, FieldDecision: KindDecision, FieldTarget: KindMoved}

// Change is a URL that differs between the sides. Old is nil for an added URL, New for
// a removed one.
type Change struct {
	Kind    Kind    `json:"change"`
	URL     string  `json:"url"`
	Fields  []Field `json:"fields,omitempty"` // fields that differ, if both sides know the URL
	Old     *State  `json:"old,omitempty"`
	New     *State  `json:"new,omitempty"`
	LastMod string  `json:"lastmod,omitempty"` // of New
	// Template says that what differs is the same on many pages: a part of their template.
	Template bool `json:"template,omitempty"`
	// Time is when the new side requested the URL, or zero.
	Time time.Time `json:"time,omitzero"`
}

func changeOf(kind Kind, old, new *State) Change {
	c := Change{Kind: kind, Old: old, New: new}
	for _, state := range []*State{old, new} {
		if state != nil {
			state.Title, state.Description = "", "" // of a page that has no others
		}
	}
	if new == nil {
		c.URL = old.URL
		return c
	}
	c.URL, c.LastMod, c.Time = new.URL, new.LastMod, new.Time
	return c
}

// difference returns the change of a URL that both sides know, or false if it has not
// changed. A field that one side cannot know does not differ.
func difference(old, new *State) (Change, bool) {
	var fields []Field
	differs := func(field Field, does bool) {
		if does {
			fields = append(fields, field)
		}
	}
	sameStatus := !old.asked || !new.asked || old.Status == new.Status
	isVague := old.vague || new.vague
	differs(FieldStatus, !sameStatus)
	differs(FieldDecision, !isVague && old.Decision != new.Decision)
	differs(FieldTarget, !isVague && old.Target != new.Target)
	first := len(fields)
	samePage := sameStatus && old.Decision == new.Decision && !isVague && old.isRendered == new.isRendered
	parts := old.differs(new)
	differs(FieldWords, parts&(crawl.PartText|crawl.PartNumbers) != 0)
	differs(FieldPictures, parts&crawl.PartPictures != 0)
	differs(FieldLinks, parts&crawl.PartLinks != 0)
	differs(FieldData, parts&(crawl.PartData|crawl.PartPrices) != 0)
	differs(FieldTitle, samePage && old.Title != "" && new.Title != "" && old.Title != new.Title)
	differs(FieldDescription, samePage && !old.isListed && !new.isListed && old.Description != new.Description)
	hasMoved := samePage && !sameDate(old.LastMod, new.LastMod)
	isUpdated := isUpdate(old, new, len(fields) > first, hasMoved)
	if old.Decision != Listed && !old.isListed {
		// No date says whether a page is updated that no sitemap lists.
		isUpdated = parts&crawl.PartText != 0 || slices.Contains(fields, FieldTitle)
	}
	isFilledIn := old.LastMod == "" && !isUpdated // by a crawl that looked at more
	differs(FieldLastMod, hasMoved && !isFilledIn)
	if len(fields) == 0 {
		return Change{}, false
	}
	oldState, newState := *old, *new
	kind, isOther := kindOf[fields[0]]
	if !isOther {
		if kind = KindMinor; isUpdated {
			kind = KindChanged
		}
	}
	c := changeOf(kind, old, new)
	c.Fields = fields
	c.Template = kind == KindMinor && new.difference != nil && new.difference.Template != 0
	if slices.Contains(fields, FieldTitle) {
		c.Old.Title, c.New.Title = oldState.Title, newState.Title
	}
	if slices.Contains(fields, FieldDescription) {
		c.Old.Description, c.New.Description = oldState.Description, newState.Description
	}
	return c, true
}

// differs returns the parts of the content that differ in another state, which is the newer one.
func (s *State) differs(other *State) crawl.ContentParts {
	switch {
	case s.isRendered != other.isRendered && !s.isListed && !other.isListed:
	case s.content.Version != 0 && other.content.Version != 0:
		parts := other.content.Differs(&s.content)
		if other.difference != nil {
			parts &^= other.difference.Noise
		}
		return parts
	case s.Digest != "" && other.Digest != "" && s.Digest != other.Digest:
		return crawl.PartText
	}
	return 0
}

// isUpdate reports whether a page that both sides list is updated: its date in the sitemap moves then.
// Where neither side has one, the crawl of the new side says so, or else everything that differs counts.
// A file that is only touched is not updated.
func isUpdate(old, new *State, hasParts, hasMoved bool) bool {
	switch {
	case old.isListed || new.isListed:
		isTemplate := new.difference != nil && !new.difference.Updated
		return hasMoved || hasParts && old.LastMod == "" && new.LastMod == "" && !isTemplate
	case hasMoved:
		return hasParts || !old.isTouched || !new.isTouched
	case new.difference != nil:
		return new.difference.Updated
	}
	return hasParts && old.LastMod == "" && new.LastMod == ""
}
