// Package lastmod reads the dates of changes as tables and databases hold them, and
// decides which of them a sitemap may list. No date is guessed: a time without a zone is
// known to its day, and a date that no page can have is none.
package lastmod

import (
	"errors"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// The reasons why a date is not listed.
var (
	ErrFuture  = errors.New("in the future")
	ErrAncient = errors.New("older than the web: a program wrote it without knowing the date")
	ErrDay     = errors.New("a date without a day")
)

// How far in the future a date may be: clocks differ, and a day begins up to 14 hours
// before it does in UTC.
const (
	clockLeeway = 10 * 60
	dayLeeway   = 14 * 3600
)

// firstPage is when the first page of the web appeared.
var firstPage = time.Date(1991, 8, 6, 0, 0, 0, 0, time.UTC).Unix()

// layouts are the forms of a time that are not those of a sitemap: as databases write it,
// with an abbreviated zone, and as HTTP does (RFC 9110, section 5.6.7).
var layouts = []string{"2006-01-02 15:04:05Z07", "2006-01-02 15:04:05 -0700", time.RFC1123, time.RFC1123Z}

// utcNames are the names of UTC after a time.
var utcNames = []string{" UTC", " GMT"}

// Parse reads a date, or a time in one of the forms of [sitemap.ParseDate], of databases
// and of HTTP, and checks it as [Check] does. Without text, the date is absent. now is in
// seconds since 1970.
func Parse(text []byte, now int64) (sitemap.Date, error) {
	if len(text) == 0 {
		return sitemap.Date{}, nil
	}
	date, err := sitemap.ParseDate(text)
	if err != nil {
		at, ok := parseOther(string(text))
		if !ok {
			return sitemap.Date{}, err
		}
		date = withSeconds(at)
	}
	return Check(date, now)
}

// parseOther reads a time in one of the layouts. Its zone is a number, or UTC: other names
// have several meanings.
func parseOther(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, name := range utcNames {
		if rest, found := strings.CutSuffix(text, name); found && len(rest) > 0 && rest[0] <= '9' {
			text = rest + " +0000"
		}
	}
	for _, layout := range layouts {
		at, err := time.Parse(layout, text)
		if err != nil || layout == time.RFC1123 && !strings.HasSuffix(text, " GMT") {
			continue
		}
		return at, true
	}
	return time.Time{}, false
}

// Of returns the date of a time that a database has returned. Only a column of the type
// timestamptz has a zone: of every other time the day is known. A zero time is absent.
func Of(at time.Time, columnType string, now int64) (sitemap.Date, error) {
	switch {
	case at.IsZero(): // as drivers return 0000-00-00
		return sitemap.Date{}, nil
	case strings.EqualFold(columnType, "TIMESTAMPTZ"):
		return Check(sitemap.DateOf(at.UTC().Truncate(time.Second)), now)
	}
	return Check(sitemap.DayOf(at), now)
}

// Check returns a date in the form that every search engine reads: its day, or a time with
// seconds and a zone. It refuses a date that no page can have: in the future, from before
// the web, or without a day. now is in seconds since 1970.
func Check(date sitemap.Date, now int64) (sitemap.Date, error) {
	var leeway int64 = clockLeeway
	switch isDay := date.Precision() == sitemap.PrecisionDay; {
	case date.IsZero():
		return date, nil
	case date.Precision() < sitemap.PrecisionDay:
		return sitemap.Date{}, ErrDay
	case isDay || !date.HasZone():
		leeway = dayLeeway
		if !isDay || date.HasZone() {
			date = sitemap.DayOf(date.Time())
		}
	case date.Dialects()&sitemap.DialectXSD == 0: // no seconds, an odd zone, or another spelling
		date = withSeconds(date.Time())
	}
	switch {
	case date.Unix() > now+leeway:
		return sitemap.Date{}, ErrFuture
	case date.Unix() < firstPage:
		return sitemap.Date{}, ErrAncient
	}
	return date, nil
}

// withSeconds returns a time in its own zone or, when no place on Earth has it, in UTC.
func withSeconds(at time.Time) sitemap.Date {
	if _, offset := at.Zone(); offset > dayLeeway || offset < -dayLeeway {
		at = at.UTC()
	}
	return sitemap.DateOf(at)
}
