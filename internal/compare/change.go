package compare

import (
	"time"
)

// A Kind is what happened to an address. The names are stable.
type Kind string

// Of several things that happened to one address, the first of these is its
// kind; [Change.Fields] has all.
const (
	Added    Kind = "added"    // was not met before
	Removed  Kind = "removed"  // is met no more
	Status   Kind = "status"   // answers with another status
	Decision Kind = "decision" // is in the sitemap no more, or again, or left out for another reason
	Moved    Kind = "moved"    // leads to another address
	Changed  Kind = "changed"  // has another main content or lastmod
)

// Kinds are all kinds, in their order.
var Kinds = []Kind{Added, Removed, Status, Decision, Moved, Changed}

// A Field is a part of a [State] that can differ. The names are stable.
type Field string

// The fields, in their order. Content is the digest.
const (
	FieldStatus   Field = "status"
	FieldDecision Field = "decision"
	FieldTarget   Field = "target"
	FieldContent  Field = "content"
	FieldLastMod  Field = "lastmod"
)

var kindOf = map[Field]Kind{
	FieldStatus: Status, FieldDecision: Decision, FieldTarget: Moved, FieldContent: Changed, FieldLastMod: Changed,
}

// A Change is one address on which the sides differ. Old is nil for what was
// added, New for what was removed.
type Change struct {
	Kind    Kind    `json:"change"`
	URL     string  `json:"url"`
	Fields  []Field `json:"fields,omitempty"` // that differ, where both sides know the address
	Old     *State  `json:"old,omitempty"`
	New     *State  `json:"new,omitempty"`
	LastMod string  `json:"lastmod,omitempty"` // of New
	// Time is when the new side asked for the address; zero where it did not.
	Time time.Time `json:"time,omitzero"`
}

func changeOf(kind Kind, old, new *State) Change {
	c := Change{Kind: kind, Old: old, New: new}
	if new == nil {
		c.URL = old.URL
		return c
	}
	c.URL, c.LastMod, c.Time = new.URL, new.LastMod, new.Time
	return c
}

// difference returns how an address that both sides know has changed, or false
// where it has not. What one side cannot know is no difference.
func difference(old, new *State) (Change, bool) {
	var fields []Field
	differs := func(field Field, does bool) {
		if does {
			fields = append(fields, field)
		}
	}
	sameStatus := !old.asked || !new.asked || old.Status == new.Status
	differs(FieldStatus, !sameStatus)
	differs(FieldDecision, old.Decision != new.Decision)
	differs(FieldTarget, old.Target != new.Target)
	differs(FieldContent, old.Digest != "" && new.Digest != "" && old.Digest != new.Digest)
	differs(FieldLastMod, sameStatus && old.Decision == new.Decision && !sameDate(old.LastMod, new.LastMod))
	if len(fields) == 0 {
		return Change{}, false
	}
	c := changeOf(kindOf[fields[0]], old, new)
	c.Fields = fields
	return c, true
}
