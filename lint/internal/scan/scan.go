// Package scan classifies the entries of a sitemap. One look at the bytes of an
// entry finds its [Traits], which decide what else has to be checked: nothing for
// a usual entry. One of them is whether its address is in the [Scope] of the sitemap.
package scan

import (
	"bytes"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// Scanner finds the traits of the entries of one file. It remembers values of
// the entries before, since most entries are like those before.
type Scanner struct {
	scope   *Scope
	isText  bool
	entries int

	last     []byte // the location before
	plain    int    // how many bytes of it are plain
	origin   int    // length of its scheme, host and the slash after it; 0 where that is not plain
	lastMod  []byte // the last one that was usual
	modified int64  // its time
	latest   int64  // any later time is in the future
	earliest int64
	news     Traits // HasNews where the entry before had news
}

// NewScanner returns a scanner for a file of a format and scope. A lastmod is
// unusual after now and before the site began; a zero time is an unknown start.
func NewScanner(s *Scope, format sitemap.Format, now, since time.Time) *Scanner {
	return &Scanner{
		scope:    s,
		isText:   format == sitemap.FormatText,
		latest:   now.Add(MaxZone).Unix(),
		earliest: max(since.Unix(), time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC).Unix()),
	}
}

// MaxZone is how far the clocks of a time zone can be ahead of UTC.
const MaxZone = 14 * time.Hour

// Scan makes e that of entry.
func (s *Scanner) Scan(e *Entry, entry *sitemap.Entry) {
	s.entries++
	e.Entry, e.isParsed, e.address = entry, false, nil
	t := s.locTraits(entry.Loc)
	if !s.scope.Covers(entry.Loc) {
		t |= OutOfFolder
	}
	if entry.LastMod != nil {
		if s.isUsualDate(entry) {
			e.Modified = s.modified
		} else {
			t |= UnusualLastMod
		}
	}
	if entry.ChangeFreq != nil && (entry.Source().Padded() || !IsChangeFreq(entry.ChangeFreq)) {
		t |= UnusualFreq
	}
	if entry.Priority != nil && !isUsualPriority(entry.Priority) {
		t |= UnusualPriority
	}
	if entry.IsSitemap() {
		t |= IsSitemap
	}
	if !entry.Source().Ordered() {
		t |= Unordered
	}
	if entry.HasExtensions() {
		t |= extensionTraits(e.Parsed())
	}
	if s.isText {
		t |= InText
	}
	if news := t & HasNews; news != s.news {
		if s.entries > 1 {
			t |= NewsChanges
		}
		s.news = news
	}
	e.Traits = t
}

func extensionTraits(x *sitemap.Extensions) (t Traits) {
	for _, has := range []struct {
		some  bool
		trait Traits
	}{
		{len(x.Images) > 0, HasImages},
		{len(x.Videos) > 0, HasVideos},
		{len(x.News) > 0, HasNews},
		{len(x.Alternates) > 0, HasAlternates},
		{len(x.PageMaps) > 0, HasPageMaps},
		{len(x.Other) > 0 || x.Mobile, HasOther},
	} {
		if has.some {
			t |= has.trait
		}
	}
	return t
}

// isUsualDate reports whether no rule objects to a lastmod.
func (s *Scanner) isUsualDate(e *sitemap.Entry) bool {
	if bytes.Equal(e.LastMod, s.lastMod) {
		return true
	}
	date, err := e.Date()
	const all = sitemap.DialectW3C | sitemap.DialectXSD | sitemap.DialectGoogle
	if err != nil || date.Dialects() != all || date.Unix() > s.latest || date.Unix() < s.earliest {
		return false
	}
	s.lastMod = append(s.lastMod[:0], e.LastMod...)
	s.modified = date.Unix()
	return true
}

// IsChangeFreq reports whether a value is a changefreq of the protocol.
func IsChangeFreq(value []byte) bool {
	switch string(value) {
	case "always", "hourly", "daily", "weekly", "monthly", "yearly", "never":
		return true
	}
	return false
}

// isUsualPriority accepts 0.0 to 1.0 with one digit, 0 and 1.
func isUsualPriority(value []byte) bool {
	switch len(value) {
	case 1:
		return value[0] == '0' || value[0] == '1'
	case 3:
		return value[1] == '.' && (value[0] == '0' && value[2]-'0' <= 9 || value[0] == '1' && value[2] == '0')
	}
	return false
}
