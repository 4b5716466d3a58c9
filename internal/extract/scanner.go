package extract

import (
	"slices"
	"time"
)

// Options configure Scan. The zero value suits a crawl.
type Options struct {
	// MaxLinks is the maximum number of links; 0 means DefaultMaxLinks.
	MaxLinks int
	// MaxText is the length in bytes at which the text of links is cut;
	// 0 means DefaultMaxText.
	MaxText int
	// Shingles asks for Page.Shingles.
	Shingles bool
	// Forms reports the addresses of forms whose method is GET.
	Forms bool
	// URL is the address of the page and Time when it was answered. They are no part of Page.Content, and may be
	// zero.
	URL  string
	Time time.Time
}

// The defaults of Options.
const (
	DefaultMaxLinks = 250_000
	DefaultMaxText  = 100
)

const (
	maxTitle       = 1024
	maxDescription = 4096
	maxTime        = 64
	// maxAnchors bounds the anchors kept of a page.
	maxAnchors = 250_000
	// maxKept and maxKeptItems bound what a Scanner keeps from one page to the
	// next: bytes in a buffer, and places in a list.
	maxKept      = 1 << 20
	maxKeptItems = 10_000
)

// A Scanner reads one page at a time and keeps its buffers between pages. The zero
// Scanner is ready to use. It is not safe for concurrent use.
type Scanner struct {
	tokenizer
	page    Page
	options Options
	refs    references
	coding  coding

	arena        []byte // values that differ from the text of the page
	json         []byte // the JSON-LD of the page
	articleDates bool   // page.Dates[DateJSONLD] are those of an article

	head      bool
	afterHead bool // the head ended, and no body has begun
	base      bool // a base element with an href was seen
	foreign   int  // open svg and math elements
	svg       int  // open svg elements
	html      int  // open foreignObject elements, which have HTML in SVG
	picture   int  // open picture elements

	anchor     int // place in page.Links of the a element that is open, or -1
	anchorText capture
	anchorName linkName
	titleText  capture
	h1, time   capture
	openTime   *claim // where the text of the open time element goes
	updated    []byte // og:updated_time
	bare       bareRefresh

	articles articles
	region   region
	place    Place
	digest   digest

	data, prices Sum
}

// Scan reads one HTML document. contentType is the value of its Content-Type header,
// used for its charset; it may be empty. Scan accepts any input: a document that is
// not HTML has no links. The document must not be changed while the result is in use,
// which ends with the next Scan or Release.
func (s *Scanner) Scan(page []byte, contentType string, options Options) *Page {
	s.reset(options)
	page, s.page.Encoding = s.coding.decode(page, contentType)
	s.tokenizer.page = slices.Clip(page)
	s.digest.wide, s.digest.shingler.on = !s.coding.ascii, options.Shingles
	s.run()
	s.closeAnchor()
	s.closeH1()
	s.closeTime()
	s.settleDates()
	s.page.Digest, s.page.Words = s.digest.sum()
	s.digest.content(&s.page.Content, s.ownDays)
	s.page.Content.Data, s.page.Content.Prices = s.data.Total, s.prices.Total
	s.page.InMain = s.digest.ofMain()
	s.settleRefresh()
	s.page.Shingles = s.digest.shingler.shingles(s.digest.ofMain())
	return &s.page
}

// Release drops the document and the result.
func (s *Scanner) Release() { s.reset(Options{}) }

func (s *Scanner) reset(options Options) {
	if options.MaxLinks <= 0 {
		options.MaxLinks = DefaultMaxLinks
	}
	if options.MaxText <= 0 {
		options.MaxText = DefaultMaxText
	}
	if s.refs == nil {
		s.refs = newReferences()
	}
	kept := Page{
		Links:   reuse(s.page.Links, maxKeptItems),
		Anchors: reuse(s.page.Anchors, maxKeptItems),
		Videos:  reuse(s.page.Videos, maxKeptItems),

		ItemTypes:    reuse(s.page.ItemTypes, maxKeptItems),
		FormTargets:  reuse(s.page.FormTargets, maxKeptItems),
		BrokenJSONLD: reuse(s.page.BrokenJSONLD, maxKeptItems),

		Robots: Robots{Bots: reuse(s.page.Robots.Bots, maxKeptItems)},
	}
	s.data.Reset()
	s.prices.Reset()
	s.digest.items.reset()
	*s = Scanner{
		page:       kept,
		options:    options,
		refs:       s.refs,
		coding:     s.coding,
		arena:      reuse(s.arena, maxKept),
		json:       reuse(s.json, maxKept),
		head:       true,
		anchor:     -1,
		anchorText: capture{text: s.anchorText.text[:0]},
		anchorName: linkName{alt: capture{text: s.anchorName.alt.text[:0]}},
		titleText:  capture{text: s.titleText.text[:0]},
		h1:         capture{text: s.h1.text[:0]},
		time:       capture{text: s.time.text[:0]},
		data:       s.data,
		prices:     s.prices,
		digest:     digest{items: s.digest.items},
	}
}

// reuse empties a buffer, so that it keeps no document in memory, or drops it when a page
// has made it very large.
func reuse[T any](buffer []T, limit int) []T {
	if cap(buffer) > limit {
		return nil
	}
	clear(buffer)
	return buffer[:0]
}

// run reads the page once.
func (s *Scanner) run() {
	page := s.tokenizer.page
	for s.pos < len(page) {
		lt := s.find('<', s.pos)
		if lt > s.pos {
			s.text(page[s.pos:lt])
		}
		s.pos = lt
		if lt+1 >= len(page) {
			return
		}
		switch c := page[lt+1]; {
		case isLetter(c):
			s.pos++
			s.tag = lt
			if e, ok := s.readTag(); ok {
				s.startTag(e)
			}
		case c == '/':
			s.endTagOpen()
		case c == '!':
			s.skipDeclaration(s.foreign > 0)
		case c == '?':
			s.skipBogus()
		default:
			s.text(page[lt : lt+1])
			s.pos++
		}
	}
}

// endTagOpen reads the markup that begins with "</" at s.pos.
func (s *Scanner) endTagOpen() {
	name := s.pos + len("</")
	if name >= len(s.tokenizer.page) || !isLetter(s.tokenizer.page[name]) {
		s.skipBogus() // "</>" too
		return
	}
	s.pos = name
	if e, ok := s.readTag(); ok {
		s.endTag(e)
	}
}

func (s *Scanner) startTag(e *element) {
	if s.seen != 0 {
		s.addAnchors(e)
	}
	switch {
	case e.traits&inHead == 0:
		s.head = false
	case e.id == elementTemplate && s.foreign == 0 && !s.hasShadowRoot():
		s.skipTemplate()
		return
	case e.id == elementNoscript && s.afterHead:
		s.head = false
	}
	if s.foreign > 0 && e.traits&breaksOut != 0 && s.html == 0 {
		s.foreign, s.svg = 0, 0
	}
	if e.traits&heading != 0 {
		s.closeH1()
	}
	if e.traits&block != 0 {
		s.breakText()
	}
	s.enterRegion(e)
	s.startElement(e)
	if e.traits&foreign != 0 && !s.selfClosing {
		s.startForeign(e)
	}
	switch {
	case e.id == elementScript:
		s.script(s.readScript())
	case e.id == elementTitle:
		s.title(s.readRawText(e.name))
	case e.id == elementNoscript:
		s.noscript(s.readRawText(e.name))
	case e.id == elementPlaintext:
		s.text(s.tokenizer.page[s.pos:])
		s.pos = len(s.tokenizer.page)
	case e.traits&rawText != 0:
		s.readRawText(e.name)
	}
}

func (s *Scanner) endTag(e *element) {
	s.leaveRegion(e)
	switch e.id {
	case elementA:
		s.closeAnchor()
	case elementTime:
		s.closeTime()
	case elementPicture:
		s.picture = max(s.picture-1, 0)
	case elementSVG, elementMath:
		s.endForeign(e)
	case elementForeignObject:
		s.html = max(s.html-1, 0)
	case elementHead:
		s.afterHead = true
	case elementBody, elementHTML, elementBr:
		s.head = false
	}
	if e.traits&heading != 0 {
		s.closeH1()
	}
	if e.traits&block != 0 {
		s.breakText()
	}
}

// startForeign and endForeign follow svg and math elements.
func (s *Scanner) startForeign(e *element) {
	s.foreign++
	if e.id == elementSVG {
		s.svg++
	}
}

func (s *Scanner) endForeign(e *element) {
	s.foreign = max(s.foreign-1, 0)
	if e.id == elementSVG && s.svg > 0 {
		if s.svg--; s.svg == 0 {
			s.html = 0
		}
	}
}

// isLate reports whether the position is after what search engines read.
func (s *Scanner) isLate() bool { return s.pos > IndexedLength }

// text handles a run of text outside raw text elements. That of SVG is a picture's.
func (s *Scanner) text(run []byte) {
	s.steps += len(run)
	if s.svg > 0 && s.html == 0 {
		return
	}
	if !s.page.HasText && len(trimLeft(run)) > 0 {
		s.head, s.page.HasText = false, true
	}
	if s.anchor >= 0 {
		s.anchorText.add(run, s.refs)
	}
	if s.h1.open {
		s.h1.add(run, s.refs)
	}
	if s.time.open {
		s.time.add(run, s.refs)
	}
	switch {
	case s.region.counts():
		s.page.HasContent = s.page.HasContent || s.anchor < 0 && len(trimLeft(run)) > 0
		s.digest.text(run)
	case s.region.isTime():
		s.digest.timeText(run)
	}
}

// breakText marks the edge of a block: words do not continue across it, and an open
// time element ends.
func (s *Scanner) breakText() {
	s.closeTime()
	s.region.leaveTime()
	s.anchorText.space = true
	s.h1.space = true
	s.digest.endBlock()
}

func (s *Scanner) addAnchors(e *element) {
	if s.has(attributeID) {
		s.addAnchor(s.value(attributeID))
	}
	if e.id == elementA && s.has(attributeName) {
		s.addAnchor(s.value(attributeName))
	}
}

func (s *Scanner) addAnchor(name []byte) {
	if len(name) > 0 && len(s.page.Anchors) < maxAnchors {
		s.page.Anchors = append(s.page.Anchors, name)
	}
}

// title handles the content of a title element. In foreign content it is the title of
// a picture.
func (s *Scanner) title(content []byte) {
	switch {
	case s.foreign > 0 && (s.anchor < 0 || len(s.anchorName.picture) > 0):
		return
	case s.foreign == 0 && s.page.Titles.Count > 1:
		s.page.Titles.Count++
		return
	}
	s.titleText.begin(maxTitle)
	s.titleText.add(content, s.refs)
	text := s.keepText(&s.titleText)
	if s.foreign > 0 {
		s.anchorName.picture = cut(text, s.options.MaxText)
		return
	}
	if s.page.Titles.add(text); s.page.Titles.Count == 1 {
		s.page.Title, s.page.LateTitle = text, s.isLate()
	}
}

func (s *Scanner) closeH1() {
	if !s.h1.open {
		return
	}
	s.h1.open = false
	text := s.keepText(&s.h1)
	if len(text) == 0 {
		return
	}
	if s.page.H1s.add(text); s.page.H1s.Count == 1 {
		s.page.H1 = text
	}
}
