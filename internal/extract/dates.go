package extract

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Dates are the dates on which a page or an article was published and modified, as
// written. [ParseDate] parses them.
type Dates struct{ Published, Modified []byte }

// A DateSource is a place on a page with dates. Sources are in order of trust.
type DateSource uint8

// The sources of dates.
const (
	DateJSONLD      DateSource = iota // datePublished, dateModified of JSON-LD
	DateMeta                          // article:published_time, article:modified_time, og:updated_time
	DateMicrodata                     // the same properties as itemprop
	DateTimeElement                   // time elements that the page marks as its own date
)

var dateSourceNames = [...]string{
	DateJSONLD: "json-ld", DateMeta: "meta", DateMicrodata: "microdata", DateTimeElement: "time",
}

// String returns the name of the source in lower case.
func (d DateSource) String() string { return dateSourceNames[d] }

// A Moment is a time as a page gives it. Day reports that it has no time of the day, or
// one without a zone.
type Moment struct {
	time.Time
	Day bool
}

// Modified returns the date on which the page says that it was modified, and its
// source: the most trusted one whose date is valid, has at least a day, and is
// accepted by accept. It returns false when there is none.
func (p *Page) Modified(accept func(DateSource, time.Time) bool) (Moment, DateSource, bool) {
	for i := range p.Dates {
		source := DateSource(i)
		if len(p.Dates[i].Modified) == 0 {
			continue
		}
		if at, err := ParseMoment(p.Dates[i].Modified); err == nil && accept(source, at.Time) {
			return at, source, true
		}
	}
	return Moment{}, 0, false
}

// dateLayouts are the layouts of dates on pages: those of W3C's note on date and
// time formats, the looser ones of ISO 8601 and of the HTML standard
// (section 2.3.5), and those of RFC 9110 (section 5.6.7) and RFC 5322.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04Z0700",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04",
	"20060102T150405Z0700",
	"20060102T150405",
	"2006-01",
	"2006",
	"Mon, 2 Jan 2006 15:04:05 -0700",
	"Monday, 2-Jan-06 15:04:05 -0700",
	"Mon Jan 2 15:04:05 2006",
	"2 Jan 2006 15:04:05 -0700",
	"2 Jan 2006",
	"2-Jan-2006 15:04:05 -0700",
}

// layoutsFor returns the possible layouts of a value: a failed attempt costs ten
// times as much as a successful one.
func layoutsFor(value string) []string {
	switch {
	case len(value) == len("2006-01-02") && value[4] == '-' && value[7] == '-':
		return dateLayouts[1:2]
	case len(value) >= len("2006-01-02T15:04:05Z") && value[4] == '-' && value[10] == 'T' && value[16] == ':':
		return dateLayouts
	}
	return dateLayouts[2:]
}

// zones are the time zones with a meaning in RFC 5322 (section 4.3).
var zones = [...]struct{ name, offset string }{
	{"GMT", "+0000"}, {"UT", "+0000"}, {"UTC", "+0000"}, {"Z", "+0000"},
	{"EST", "-0500"}, {"EDT", "-0400"}, {"CST", "-0600"}, {"CDT", "-0500"},
	{"MST", "-0700"}, {"MDT", "-0600"}, {"PST", "-0800"}, {"PDT", "-0700"},
}

// ParseDate parses a date, or a date and time, in one of the layouts used on the web.
// Without a zone it is UTC.
func ParseDate(text []byte) (time.Time, error) {
	at, _, err := parseDate(text)
	return at, err
}

// parseDate also returns the layout of the date.
func parseDate(text []byte) (at time.Time, layout string, err error) {
	const longest = 64
	value := strings.TrimSpace(string(text[:min(len(text), longest+1)]))
	if len(value) > longest {
		return time.Time{}, "", fmt.Errorf("parse date %q: longer than %d bytes", value, longest)
	}
	if i := strings.LastIndexByte(value, ' '); i >= 0 {
		for _, zone := range zones {
			if value[i+1:] == zone.name {
				value = value[:i+1] + zone.offset
				break
			}
		}
	}
	for _, layout := range layoutsFor(value) {
		if at, err := time.Parse(layout, value); err == nil && at.Year() > 0 {
			return at, layout, nil
		}
	}
	return time.Time{}, "", fmt.Errorf("parse date %q: unknown layout", value)
}

var errImprecise = errors.New("it has no day")

// ParseMoment parses a date as [ParseDate] does. A date without a day is an error. Of a
// time without a zone, the day is known.
func ParseMoment(text []byte) (Moment, error) {
	at, layout, err := parseDate(text)
	switch {
	case err != nil:
		return Moment{}, err
	case layout == "2006-01" || layout == "2006":
		return Moment{}, errImprecise
	}
	hasZone := strings.Contains(layout, "Z07") || strings.Contains(layout, "-07")
	return Moment{at, !hasZone}, nil
}

// itemDate returns the date that the itemprop of the tag sets, or nil.
func (s *Scanner) itemDate() *claim {
	if !s.has(attributeItemprop) {
		return nil
	}
	dates := s.articles.dates()
	switch {
	case dates == nil:
		return nil
	case s.hasToken(attributeItemprop, "datemodified"):
		return &dates.itemModified
	case s.hasToken(attributeItemprop, "datepublished"):
		return &dates.itemPublished
	}
	return nil
}

// startTime handles a time element. Its date is the datetime attribute or else
// its text (HTML standard, section 4.5.14).
func (s *Scanner) startTime() {
	s.closeTime()
	if s.region.isTime() {
		s.digest.beginTime(trim(s.value(attributeDatetime)))
	}
	date := s.timeDate()
	if date == nil {
		return
	}
	if s.has(attributeDatetime) {
		date.add(trim(s.value(attributeDatetime)))
		return
	}
	s.openTime = date
	s.time.begin(maxTime)
}

// timeDate returns the date that the time element sets, or nil: a microdata property, or
// one that the page marks as its own by a class of the hAtom microformat, by pubdate, or by
// its place next to the title of the article. Any other time may be that of anything.
func (s *Scanner) timeDate() *claim {
	if date := s.itemDate(); date != nil {
		return date
	}
	dates := s.articles.dates()
	switch {
	case dates == nil, s.region.depth > 1, s.region.skip != nil && s.region.skip.id != elementTime:
		return nil
	case s.hasToken(attributeClass, "updated"), s.hasToken(attributeClass, "dt-updated"),
		s.hasToken(attributeClass, "modified"):
		return &dates.modified
	case s.hasToken(attributeClass, "published"), s.hasToken(attributeClass, "dt-published"), s.has(attributePubdate):
		return &dates.published
	case s.articles.header > 0 && !s.has(attributeItemprop) && !s.hasToken(attributeClass, "dt-start"):
		return &s.articles.headerTimes
	}
	return nil
}

func (s *Scanner) closeTime() {
	if s.time.open {
		s.time.open = false
		s.openTime.add(s.keep(s.time.text))
	}
}

// settleDates picks the most trusted source of each date.
func (s *Scanner) settleDates() {
	if meta := &s.page.Dates[DateMeta]; meta.Modified == nil {
		meta.Modified = s.updated
	}
	article, page := s.articles.settle()
	s.page.Dates[DateMicrodata] = Dates{
		Published: first(article.itemPublished.date(), page.itemPublished.date()),
		Modified:  first(article.itemModified.date(), page.itemModified.date()),
	}
	published := first(article.published.date(), page.published.date())
	s.page.Dates[DateTimeElement] = Dates{
		Published: published,
		Modified: first(first(article.modified.date(), page.modified.date()),
			first(published, article.header.date())),
	}
}
