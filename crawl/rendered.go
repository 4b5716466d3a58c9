package crawl

import (
	"time"
	"unsafe"
)

// Rendered is what rendering a page has cost and changed.
type Rendered struct {
	// Failure says why the page is as its site sent it although it needed rendering. Empty
	// means that the page is as its scripts made it.
	Failure Detail `json:"failure,omitempty"`
	// Lacking is a request that failed or was refused for a page that is as its scripts made it. The
	// site's own come first.
	Lacking Detail `json:"lacking,omitempty"`
	// Passing says that Lacking is of the site itself and may arrive the next time. The text of the
	// page may be about that: it shows no change, and has no new date.
	Passing  bool          `json:"passing,omitempty"`
	Duration time.Duration `json:"duration"`
	Requests int           `json:"requests,omitempty"` // for scripts and their data
	Bytes    int64         `json:"bytes,omitempty"`    // of the responses
	// Before and After are the page without and with its scripts, where these differ and
	// Failure is empty; nil otherwise.
	Before *PageState `json:"before,omitempty"`
	After  *PageState `json:"after,omitempty"`
}

// Ran reports whether a browser ran the scripts.
func (r *Rendered) Ran() bool {
	return r != nil && r.Failure != DetailMaxRender
}

// InDoubt reports whether the page, the next time, may be another one although the site has not
// changed: it is inconclusive, or something did not arrive.
func (r *Rendered) InDoubt() bool { return r != nil && (r.Failure != "" || r.Passing) }

// Inconclusive reports whether the page needed rendering and is as its site sent it.
func (r *Rendered) Inconclusive() bool { return r != nil && r.Failure != "" }

// Done reports whether the page is as its scripts made it.
func (r *Rendered) Done() bool { return r != nil && r.Failure == "" }

// A PageState is what a page says about itself, with or without its scripts.
type PageState struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Canonical   string `json:"canonical,omitempty"`
	Robots      string `json:"robots,omitempty"` // noindex and nofollow
	H1          string `json:"h1,omitempty"`
	Links       int    `json:"links,omitempty"` // a and area elements
	Words       int    `json:"words,omitempty"` // of the main text
}

// Changes returns the names of the fields that scripts change: title, description, canonical,
// robots, h1, links and words.
func (r *Rendered) Changes() (names []string) {
	if r == nil || r.Before == nil || r.After == nil {
		return nil
	}
	a, b := r.Before, r.After
	for _, field := range [...]struct {
		name    string
		differs bool
	}{
		{"title", a.Title != b.Title}, {"description", a.Description != b.Description},
		{"canonical", a.Canonical != b.Canonical}, {"robots", a.Robots != b.Robots}, {"h1", a.H1 != b.H1},
		{"links", a.Links != b.Links}, {"words", a.Words != b.Words},
	} {
		if field.differs {
			names = append(names, field.name)
		}
	}
	return names
}

// addsTo reports whether scripts add to a page: a canonical, a title, or more than a notice about
// cookies has.
func (s *PageState) addsTo(raw *PageState) bool {
	grows := func(before, after int) bool { return after > before+before/4 }
	return grows(raw.Links, s.Links) || grows(raw.Words, s.Words) ||
		s.Canonical != raw.Canonical || s.Title != raw.Title || s.Robots != raw.Robots
}

// showsMore reports whether scripts add something to a page: a link, text, a title, a canonical or a directive.
func (s *PageState) showsMore(raw *PageState) bool {
	isNew := func(before, after string) bool { return after != "" && after != before }
	return s.Links > raw.Links || s.Words > raw.Words || isNew(raw.Title, s.Title) || isNew(raw.H1, s.H1) ||
		isNew(raw.Canonical, s.Canonical) || isNew(raw.Robots, s.Robots)
}

// weight is about how many bytes of memory the result takes.
func (r *Rendered) weight() int {
	if r == nil {
		return 0
	}
	weight := int(unsafe.Sizeof(*r)) + len(r.Failure) + len(r.Lacking)
	for _, s := range [...]*PageState{r.Before, r.After} {
		if s != nil {
			weight += int(unsafe.Sizeof(*s)) + len(s.Title) + len(s.Description) + len(s.Canonical) + len(s.H1)
		}
	}
	return weight
}
