package compare

import (
	"time"

	"github.com/mapatools/mapa/internal/format"
)

// Change is a URL that changed, or the same change of many pages. Old is nil for a URL that is new, New for one that
// only the old side has.
type Change struct {
	Kind  Kind         `json:"change"`
	URL   string       `json:"url,omitempty"`
	Facts []FactChange `json:"facts,omitempty"`
	Old   *State       `json:"old,omitempty"`
	New   *State       `json:"new,omitempty"`
	// MovedTo is the address of a page that moved.
	MovedTo string `json:"moved_to,omitempty"`
	Updated bool   `json:"updated,omitempty"`
	// Returned says that the page was lost in an earlier crawl, and is back.
	Returned bool `json:"returned,omitempty"`
	// Time is when the new side requested the URL, or zero.
	Time time.Time `json:"time,omitzero"`

	// Template is the pattern of the URLs of Pages of Of pages on which the facts changed alike. They have no URL, Old and
	// New then: Examples are some of the pages, and the values are those of the first.
	Template string   `json:"template,omitempty"`
	Pages    int      `json:"pages,omitempty"`
	Of       int      `json:"of,omitempty"`
	Examples []string `json:"examples,omitempty"`
}

// Plain removes from all texts what acts on a display.
func (c *Change) Plain() {
	texts := []*string{&c.URL, &c.MovedTo, &c.Template}
	for _, state := range []*State{c.Old, c.New} {
		if state != nil {
			texts = append(texts, &state.Decision, &state.Target, &state.LastMod, &state.Title)
		}
	}
	lists := [][]string{c.Examples}
	for i := range c.Facts {
		fact := &c.Facts[i]
		texts = append(texts, &fact.Fact, &fact.Old, &fact.New)
		lists = append(lists, fact.Added, fact.Removed)
	}
	for _, list := range lists {
		for i := range list {
			texts = append(texts, &list[i])
		}
	}
	for _, text := range texts {
		*text = format.Plain(*text)
	}
}

// Counts are the numbers of URLs that changed, by kind. Every URL counts once.
type Counts struct {
	NewlyBroken    int `json:"newly_broken"`
	LeftSitemap    int `json:"left_sitemap"`
	Removed        int `json:"removed"`
	Fixed          int `json:"fixed"`
	Moved          int `json:"moved"`
	EnteredSitemap int `json:"entered_sitemap"`
	New            int `json:"new"`
	Changed        int `json:"changed"`
	Unchanged      int `json:"unchanged"` // URLs that both sides know and that do not differ
	// Returned are how many of the URLs that are fixed or entered the sitemap were losses, by kind.
	Returned map[string]int `json:"returned,omitempty"`
	// Updated is how many of the changed pages are updated.
	Updated int `json:"updated"`
	// Losses are how many of the URLs are losses, by kind: those that the old side lists, and those that the new side
	// has as a loss of an earlier crawl.
	Losses map[string]int `json:"losses,omitempty"`
	// LeftBy are the URLs that left the sitemap by the decision about them, ChangedBy those of the kind changed by fact.
	LeftBy    map[string]int `json:"left_by,omitempty"`
	ChangedBy map[string]int `json:"changed_by,omitempty"`
	// Facts are the URLs of all kinds by the facts that changed, and Lost those that had a value and have none, or no
	// longer one of their own.
	Facts map[string]int `json:"facts,omitempty"`
	Lost  map[string]int `json:"lost,omitempty"`
	// Unseen are URLs that a side did not reach. LeftOut are pages that the old side listed and that options of the new
	// one leave out, by decision.
	Unseen  int            `json:"unseen,omitempty"`
	LeftOut map[string]int `json:"left_out,omitempty"`
}

// Of returns the number of URLs of a kind.
func (c *Counts) Of(kind Kind) *int {
	switch kind {
	case KindNewlyBroken:
		return &c.NewlyBroken
	case KindLeftSitemap:
		return &c.LeftSitemap
	case KindRemoved:
		return &c.Removed
	case KindFixed:
		return &c.Fixed
	case KindMoved:
		return &c.Moved
	case KindEnteredSitemap:
		return &c.EnteredSitemap
	case KindNew:
		return &c.New
	}
	return &c.Changed
}

// SameSitemap reports whether the sitemap lists the same pages with the same dates, as far as the counts say.
func (c *Counts) SameSitemap() bool {
	changed := c.LeftSitemap + c.Removed + c.Moved + c.EnteredSitemap + c.New + c.NewlyBroken + c.Fixed + c.Updated
	return changed == 0 && len(c.LeftOut) == 0
}

// Total is how many URLs changed.
func (c *Counts) Total() (total int) {
	for _, kind := range Kinds {
		total += *c.Of(kind)
	}
	return total
}
