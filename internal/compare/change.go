package compare

import (
	"slices"
	"time"
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
	KindChanged  Kind = "changed"  // has other main content, another title or lastmod
)

// Kinds are all kinds in order.
var Kinds = []Kind{KindAdded, KindRemoved, KindStatus, KindDecision, KindMoved, KindChanged}

// Field is a part of a [State] that can differ. The names are stable.
type Field string

// The fields in order. FieldContent is the digest.
const (
	FieldStatus   Field = "status"
	FieldDecision Field = "decision"
	FieldTarget   Field = "target"
	FieldContent  Field = "content"
	FieldTitle    Field = "title"
	FieldLastMod  Field = "lastmod"
)

// kindOf has the kind of a change by its first field.
var kindOf = map[Field]Kind{
	FieldStatus: KindStatus, FieldDecision: KindDecision, FieldTarget: KindMoved, FieldContent: KindChanged,
	FieldTitle: KindChanged, FieldLastMod: KindChanged,
}

// Change is a URL that differs between the sides. Old is nil for an added URL, New for
// a removed one.
type Change struct {
	Kind    Kind    `json:"change"`
	URL     string  `json:"url"`
	Fields  []Field `json:"fields,omitempty"` // fields that differ, if both sides know the URL
	Old     *State  `json:"old,omitempty"`
	New     *State  `json:"new,omitempty"`
	LastMod string  `json:"lastmod,omitempty"` // of New
	// Time is when the new side requested the URL, or zero.
	Time time.Time `json:"time,omitzero"`
}

func changeOf(kind Kind, old, new *State) Change {
	c := Change{Kind: kind, Old: old, New: new}
	for _, state := range []*State{old, new} {
		if state != nil {
			state.Title = "" // of a page that has no other title
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
	differs(FieldContent, old.Digest != "" && new.Digest != "" && old.Digest != new.Digest)
	samePage := sameStatus && old.Decision == new.Decision && !isVague
	differs(FieldTitle, samePage && old.Title != "" && new.Title != "" && old.Title != new.Title)
	differs(FieldLastMod, samePage && !sameDate(old.LastMod, new.LastMod))
	if len(fields) == 0 {
		return Change{}, false
	}
	oldTitle, newTitle := old.Title, new.Title
	c := changeOf(kindOf[fields[0]], old, new)
	c.Fields = fields
	if slices.Contains(fields, FieldTitle) {
		c.Old.Title, c.New.Title = oldTitle, newTitle
	}
	return c, true
}
