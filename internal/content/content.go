// Package content has the sums over what a page says, by which a crawl finds that a page changed, and what differs
// between two crawls. docs/changes.md says what counts as a change.
package content

import (
	"math/bits"
	"unsafe"

	"github.com/mapatools/mapa/internal/extract"
)

// Version is the version of the sums of [Sums] and of crawl.Page.Digest: those of different versions are not
// compared. It is raised when the same page has other ones.
const Version = 1

// Sums are sums over what a page says, by which a change of it is found: each is the sum of the hashes of
// different items, so that their order does not count and equal differences are the same change. Version 0 means that
// they are not known. docs/changes.md says what is in each, and [extract.Content] what the first four are.
type Sums struct {
	Version                                                            uint8
	Text, Numbers, Places, Today, Pictures, Files, Links, Data, Prices uint64
}

// Parts is a set of parts of a page that can differ between two crawls.
type Parts uint8

// The parts.
const (
	PartText        Parts = 1 << iota // the blocks of the main text, without numbers
	PartNumbers                       // the numbers, times and dates in each of them
	PartPictures                      // addresses and alternative texts of images, videos and frames
	PartLinks                         // targets of links, of other hosts the hosts; and texts of lists of links
	PartData                          // JSON-LD
	PartPrices                        // prices in JSON-LD
	PartTitle                         // the whole title
	PartDescription                   // of the meta element

	contentParts = 8
)

// Index returns the place of a single part in lists of all.
func (p Parts) Index() int { return bits.TrailingZeros8(uint8(p)) }

// All yields the parts of the set.
func (p Parts) All(yield func(Parts) bool) {
	for rest := p; rest != 0; rest &= rest - 1 {
		if !yield(1 << bits.TrailingZeros8(uint8(rest))) {
			return
		}
	}
}

// Minus returns the differences of the parts to those of an earlier answer. They are 0 where the sums of one are
// not known. A date does not differ that was, or is, the one of an answer. Numbers that changed places count as
// numbers.
func (c *Sums) Minus(earlier *Sums) (sums [6]uint64) {
	if c.Version == 0 || c.Version != earlier.Version {
		return sums
	}
	numbers := c.Numbers - earlier.Numbers
	switch numbers {
	case earlier.Today, -c.Today, earlier.Today - c.Today:
		numbers = 0
	}
	if numbers == 0 && c.Text == earlier.Text {
		numbers = c.Places - earlier.Places
	}
	return [...]uint64{
		c.Text - earlier.Text, numbers, c.Pictures - earlier.Pictures, c.Links - earlier.Links, c.Data - earlier.Data,
		c.Prices - earlier.Prices,
	}
}

// Differs returns the parts that differ from those of an earlier answer. Without the sums of both, none does.
func (c *Sums) Differs(earlier *Sums) (parts Parts) {
	for i, sum := range c.Minus(earlier) {
		if sum != 0 {
			parts |= 1 << i
		}
	}
	return parts
}

// A Difference is what differs between a page and what an earlier crawl found at its URL. Whether the
// page is updated is not known before the end: a difference that many pages share is one of their
// template.
type Difference struct {
	// Sums are the differences of the parts, 0 for an equal part. The one of the title is a hash of the changed text.
	Sums [contentParts]uint64 `json:"sums"`
	// Noise are parts that differ between two answers in a row, for this page or others of its template.
	Noise Parts `json:"noise,omitempty"`
	// Dated says that the page gives a date as its own, Moved that the date appeared or is another one, and Fresh that it
	// was less than a day old at the time of the answer.
	Dated bool `json:"dated,omitempty"`
	Moved bool `json:"moved,omitempty"`
	Fresh bool `json:"fresh,omitempty"`
	// Old are the dates of the page if it is not updated, New those if it is.
	Old Dates `json:"old"`
	New Dates `json:"new"`
	// Updated and Template are the decision at the end: whether the page is updated, and which parts differ as on other
	// pages of its template.
	Updated  bool  `json:"updated,omitempty"`
	Template Parts `json:"template,omitempty"`
}

// Dates are the date of a page in the sitemap with its source, and the date that the page gives.
type Dates struct {
	LastMod string `json:"lastmod,omitempty"`
	Source  string `json:"source,omitempty"`
	Given   string `json:"given,omitempty"`
}

// Changed returns the parts that differ.
func (d *Difference) Changed() (parts Parts) {
	for i, sum := range d.Sums {
		if sum != 0 {
			parts |= 1 << i
		}
	}
	return parts
}

// Sum returns the difference of a part.
func (d *Difference) Sum(part Parts) uint64 { return d.Sums[part.Index()] }

// IsStampLike reports whether the date of the page moved although nothing else changed, apart from some parts: it may
// be the time at which all pages were built.
func (d *Difference) IsStampLike(ignored Parts) bool {
	return d.Moved && d.Changed()&^ignored == 0
}

// Decide returns whether the page is updated, if some parts do not count, and its dates. isStamp says that many pages
// whose content is the same got about the same date.
func (d *Difference) Decide(ignored Parts, isStamp bool) (updated bool, dates Dates) {
	changed := d.Changed() &^ ignored
	switch {
	case changed&(PartText|PartTitle|PartDescription) != 0, changed != 0 && (d.Moved || !d.Dated),
		d.Moved && !d.Fresh && !isStamp:
		return true, d.New
	}
	dates = d.Old
	if !d.Fresh { // otherwise it counts in a later crawl
		dates.Given = d.New.Given
	}
	return false, dates
}

// Weight is about how many bytes of memory the difference takes.
func (d *Difference) Weight() int {
	if d == nil {
		return 0
	}
	return int(unsafe.Sizeof(*d)) + len(d.Old.LastMod) + len(d.Old.Given) + len(d.New.LastMod) + len(d.New.Given)
}

// IsDoubtful reports whether another answer may differ in the parts that changed.
func (d *Difference) IsDoubtful() bool {
	const doubtful = PartNumbers | PartPictures | PartLinks | PartData | PartPrices
	changed := d.Changed()
	return !d.Dated && changed != 0 && changed&^doubtful == 0
}

// OwnLink returns what a sum of links gains when a link to a page counts as one of the page to itself.
func OwnLink(url string) uint64 { return extract.ThisPage - extract.HashAddress([]byte(url)) }

// All returns the sums in the order in which they are stored.
func (c *Sums) All() [9]*uint64 {
	return [...]*uint64{
		&c.Text, &c.Numbers, &c.Places, &c.Today, &c.Pictures, &c.Files, &c.Links, &c.Data, &c.Prices,
	}
}

// Shown returns what identifies the pictures, videos and files of a page.
func (c *Sums) Shown() uint64 { return c.Pictures + c.Files }
