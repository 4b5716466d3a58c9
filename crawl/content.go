package crawl

import (
	"bytes"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
)

// contentVersion is the version of the sums of [Content] and of Page.Digest: those of different versions are not
// compared. It is raised when the same page has other ones.
const contentVersion = 1

// Content are sums over what a page says, by which a change of it is found: each is the sum of the hashes of
// different items, so that their order does not count and equal differences are the same change. Version 0 means that
// they are not known. docs/changes.md says what is in each, and [extract.Content] what the first four are.
type Content struct {
	Version                                                            uint8
	Text, Numbers, Places, Today, Pictures, Files, Links, Data, Prices uint64
}

// ContentParts is a set of parts of a page that can differ between two crawls.
type ContentParts uint8

// The parts.
const (
	PartText        ContentParts = 1 << iota // the blocks of the main text, without numbers
	PartNumbers                              // the numbers, times and dates in each of them
	PartPictures                             // addresses and alternative texts of images, videos and frames
	PartLinks                                // targets of links, of other hosts the hosts; and texts of lists of links
	PartData                                 // JSON-LD
	PartPrices                               // prices in JSON-LD
	PartTitle                                // the whole title
	PartDescription                          // of the meta element

	contentParts = 8
)

// index returns the place of a single part in lists of all.
func (p ContentParts) index() int { return bits.TrailingZeros8(uint8(p)) }

// All yields the parts of the set.
func (p ContentParts) All(yield func(ContentParts) bool) {
	for rest := p; rest != 0; rest &= rest - 1 {
		if !yield(1 << bits.TrailingZeros8(uint8(rest))) {
			return
		}
	}
}

// minus returns the differences of the parts to those of an earlier answer. They are 0 where the sums of one are
// not known. A date does not differ that was, or is, the one of an answer. Numbers that changed places count as
// numbers.
func (c *Content) minus(earlier *Content) (sums [6]uint64) {
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
func (c *Content) Differs(earlier *Content) (parts ContentParts) {
	for i, sum := range c.minus(earlier) {
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
	Noise ContentParts `json:"noise,omitempty"`
	// Dated says that the page gives a date as its own, Moved that the date appeared or is another one, and Fresh that it
	// was less than a day old at the time of the answer.
	Dated bool `json:"dated,omitempty"`
	Moved bool `json:"moved,omitempty"`
	Fresh bool `json:"fresh,omitempty"`
	// Old are the dates of the page if it is not updated, New those if it is.
	Old PageDates `json:"old"`
	New PageDates `json:"new"`
	// Updated and Template are the decision at the end: whether the page is updated, and which parts differ as on other
	// pages of its template.
	Updated  bool         `json:"updated,omitempty"`
	Template ContentParts `json:"template,omitempty"`
}

// PageDates are the date of a page in the sitemap with its source, and the date that the page gives.
type PageDates struct {
	LastMod string        `json:"lastmod,omitempty"`
	Source  LastModSource `json:"source,omitempty"`
	Given   string        `json:"given,omitempty"`
}

// Changed returns the parts that differ.
func (d *Difference) Changed() (parts ContentParts) {
	for i, sum := range d.Sums {
		if sum != 0 {
			parts |= 1 << i
		}
	}
	return parts
}

// Sum returns the difference of a part.
func (d *Difference) Sum(part ContentParts) uint64 { return d.Sums[part.index()] }

// IsStampLike reports whether the date of the page moved although nothing else changed, apart from some parts: it may
// be the time at which all pages were built.
func (d *Difference) IsStampLike(ignored ContentParts) bool {
	return d.Moved && d.Changed()&^ignored == 0
}

// Decide returns whether the page is updated, if some parts do not count, and its dates. isStamp says that many pages
// whose content is the same got about the same date.
func (d *Difference) Decide(ignored ContentParts, isStamp bool) (updated bool, dates PageDates) {
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

// weight is about how many bytes of memory the difference takes.
func (d *Difference) weight() int {
	if d == nil {
		return 0
	}
	return int(unsafe.Sizeof(*d)) + len(d.Old.LastMod) + len(d.Old.Given) + len(d.New.LastMod) + len(d.New.Given)
}

// isDoubtful reports whether another answer may differ in the parts that changed.
func (d *Difference) isDoubtful() bool {
	const doubtful = PartNumbers | PartPictures | PartLinks | PartData | PartPrices
	changed := d.Changed()
	return !d.Dated && changed != 0 && changed&^doubtful == 0
}

// differenceOf returns what differs between a page and what an earlier crawl found. Only what both have is compared.
func differenceOf(page, earlier *Page) (d Difference) {
	if extract.IsHTML(page.MediaType) != extract.IsHTML(earlier.MediaType) {
		d.Sums[0] = 1
		return d
	}
	if !extract.IsHTML(page.MediaType) {
		if page.Body != 0 && earlier.Body != 0 {
			d.Sums[0] = page.Body - earlier.Body
		}
		return d
	}
	sums := page.Content.minus(&earlier.Content)
	copy(d.Sums[:], sums[:])
	if page.Digest != 0 && earlier.Digest != 0 && earlier.Content.Version == 0 {
		d.Sums[0] = page.Digest - earlier.Digest
	}
	d.Sums[PartTitle.index()] = titleChange(earlier.Title, page.Title)
	if page.Facts != nil && earlier.Facts != nil {
		d.Sums[PartDescription.index()] = hashOf(page.Facts.Description) - hashOf(earlier.Facts.Description)
	}
	return d
}

// titleChange returns a hash of the part of a title that is another one, 0 where none is: the name of the site, where
// that changed.
func titleChange(before, after string) uint64 {
	if before == after {
		return 0
	}
	before, after = format.Edit(before, after)
	return max(hashOf(before+"\n"+after), 1)
}

func hashOf(text string) uint64 { return hashBody([]byte(text)) }

// OwnLink returns what a sum of links gains when a link to a page counts as one of the page to itself.
func OwnLink(url string) uint64 { return extract.ThisPage - extract.HashAddress([]byte(url)) }

// sumPictures sets the sums of what was extracted, apart from the links, and what the page shows and offers.
func (w *worker) sumPictures(x *extracted) {
	content := &x.html.Content
	w.pictures.Reset()
	w.files.Reset()
	for i := range x.html.Links {
		link := &x.html.Links[i]
		switch {
		case link.Kind <= extract.KindArea && isFile(link.URL):
			w.files.Add(extract.HashAddress(w.absolute(x.base, link.URL)))
		case link.Part == extract.PartAside:
		case isPicture(link):
			if bytes.HasPrefix(link.URL, []byte("data:")) {
				w.pictures.Add(hashBody(link.URL))
				continue
			}
			if address := w.absolute(x.base, link.URL); address != nil {
				hash := extract.HashAddress(address)
				if !bytes.Equal(link.Text, link.URL) { // as generators write it where there is no text
					hash += hashBody(link.Text)
				}
				w.pictures.Add(hash)
			}
		}
	}
	x.page.Content = Content{
		Version: contentVersion, Text: content.Text, Numbers: content.Numbers, Places: content.Places,
		Today: content.Today, Pictures: w.pictures.Total, Files: w.files.Total, Data: content.Data,
		Prices: content.Prices,
	}
}

// Sums returns the sums in the order in which they are stored.
func (c *Content) Sums() [9]*uint64 {
	return [...]*uint64{
		&c.Text, &c.Numbers, &c.Places, &c.Today, &c.Pictures, &c.Files, &c.Links, &c.Data, &c.Prices,
	}
}

// shown returns what identifies the pictures, videos and files of a page.
func (c *Content) shown() uint64 { return c.Pictures + c.Files }

// isPicture reports whether a link is an image that browsers show by default, a video or a frame.
func isPicture(link *extract.Link) bool {
	switch link.Kind {
	case extract.KindImage:
		return link.Shown || link.Load == extract.LoadPassive
	case extract.KindMedia, extract.KindFrame:
		return true
	}
	return false
}

// absolute makes a link absolute in a buffer that the next call uses again.
func (w *worker) absolute(base, link []byte) []byte {
	resolver, ok := w.resolver.baseOf(base)
	if !ok {
		return nil
	}
	address, err := resolver.AppendResolve(w.scratch[:0], link)
	if err != nil {
		return nil
	}
	if w.address != nil {
		address = w.address.toPublic(address, 0, link)
	}
	w.scratch = address
	return address
}

// isFile reports whether a link leads to a file that people open apart from the page.
func isFile(link []byte) bool {
	const longest = len(".webm")
	ending := link[max(len(link)-longest, 0):]
	dot := bytes.LastIndexByte(ending, '.')
	if dot < 0 {
		return false
	}
	switch strings.ToLower(string(ending[dot+1:])) {
	case "pdf", "zip", "epub", "doc", "docx", "odt", "xls", "xlsx", "ods", "csv", "ppt", "pptx", "mp3", "mp4", "ogg",
		"webm", "gz", "exe", "dmg", "iso", "svg", "jpg", "jpeg", "png", "gif", "webp":
		return true
	}
	return false
}

// isContact reports whether a link is a telephone number or a mail address.
func isContact(link []byte) bool {
	if len(link) == 0 || link[0]|' ' != 't' && link[0]|' ' != 'm' {
		return false
	}
	for _, scheme := range [...]string{"tel:", "mailto:"} {
		if len(link) > len(scheme) && strings.EqualFold(string(link[:len(scheme)]), scheme) {
			return true
		}
	}
	return false
}

// sumLinks sets the sum of the links in the main content, which were resolved.
func (w *worker) sumLinks(x *extracted, page *Page) {
	w.links.Reset()
	part := extract.PartContent
	if x.html.InMain {
		part = extract.PartMain
	}
	own := w.resolver.key(w.pageURL)
	for i := range w.found {
		link := &w.found[i]
		if link.edge == noEdge || link.part < part || w.edges[link.edge].Kind > EdgeArea {
			continue
		}
		address := w.resolver.bytes(link.url.at)
		switch {
		case link.url.key == own:
			w.links.Add(extract.ThisPage)
		case link.detail == DetailOtherSite:
			host, _ := splitURL(address)
			w.links.Add(hashBody(host))
		case link.url.session:
			w.links.Add(extract.HashAddress([]byte(w.resolver.stripped(string(address)))))
		default:
			w.links.Add(extract.HashAddress(address))
		}
	}
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if link.Kind <= extract.KindArea && link.Part >= part && isContact(link.URL) {
			w.links.Add(hashBody(link.URL))
		}
	}
	page.Content.Links = w.links.Total + x.html.Content.LinkText
}
