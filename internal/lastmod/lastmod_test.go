package lastmod

import (
	"errors"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Unix()

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text, want string
		err        error
	}{
		{"", "", nil},
		{"2026-01-02", "2026-01-02", nil},
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", nil},
		{"2026-01-02T03:04+01:00", "2026-01-02T03:04:00+01:00", nil},
		{"2026-01-02 03:04:05.67+02", "2026-01-02T03:04:05.67+02:00", nil},
		{"2026-01-02 03:04:05+00:00", "2026-01-02T03:04:05Z", nil},
		{"2026-01-02 03:04:05 +0100", "2026-01-02T03:04:05+01:00", nil},
		{"2026-01-02 03:04:05 UTC", "2026-01-02T03:04:05Z", nil},
		{"Fri, 02 Jan 2026 03:04:05 GMT", "2026-01-02T03:04:05Z", nil},
		{"Fri, 02 Jan 2026 03:04:05 -0500", "2026-01-02T03:04:05-05:00", nil},
		{"2026-01-02T03:04:05+23:30", "2026-01-01T03:34:05Z", nil},
		// Only the day is known.
		{"2026-01-02 23:30:00", "2026-01-02", nil},
		{"2026-01-02 23:30:00.123456", "2026-01-02", nil},
		{"2026-01-02 23:30", "2026-01-02", nil},
		{"2026-01-02T23:30:00", "2026-01-02", nil},
		{"2026-01-02T23:30", "2026-01-02", nil},
		{"2026-01-02T23:30:00.5", "2026-01-02", nil},
		{"2026-01-02+13:00", "2026-01-02", nil},
		{"2026-01-02Z", "2026-01-02", nil},
		// The leeway of clocks and days.
		{"2026-03-02", "2026-03-02", nil},
		{"2026-03-03", "", ErrFuture},
		{"2026-03-01T12:09:00Z", "2026-03-01T12:09:00Z", nil},
		{"2026-03-01T12:11:00Z", "", ErrFuture},
		{"2026-03-01T23:00:00", "2026-03-01", nil},
		{"9999-01-01", "", ErrFuture},
		{"1970-01-01", "", ErrAncient},
		{"1970-01-01T00:00:00Z", "", ErrAncient},
		{"2026", "", ErrDay},
		{"2026-01", "", ErrDay},
		{"yesterday", "", sitemap.ErrDate},
		{"31/01/2026", "", sitemap.ErrDate},
		{"2026-02-30", "", sitemap.ErrDate},
		{"0000-00-00 00:00:00", "", sitemap.ErrDate},
		{"Fri, 02 Jan 2026 03:04:05 PST", "", sitemap.ErrDate},
		{"1767225600", "", sitemap.ErrDate},
	} {
		got, err := Parse([]byte(test.text), now)
		if got.String() != test.want || !errors.Is(err, test.err) {
			t.Errorf("%q: %q, %v, want %q, %v", test.text, got, err, test.want, test.err)
		}
	}
}

func TestOf(t *testing.T) {
	at := time.Date(2026, 1, 2, 23, 30, 5, 6, time.FixedZone("", -3600))
	for _, test := range []struct {
		at           time.Time
		column, want string
	}{
		{at, "TIMESTAMPTZ", "2026-01-03T00:30:05Z"},
		{at, "timestamptz", "2026-01-03T00:30:05Z"},
		{at, "TIMESTAMP", "2026-01-02"},
		{at, "DATETIME", "2026-01-02"},
		{at, "DATE", "2026-01-02"},
		{time.Time{}, "DATETIME", ""},
	} {
		if got, err := Of(test.at, test.column, now); err != nil || got.String() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.column, got, err, test.want)
		}
	}
	if _, err := Of(time.Unix(now+86400, 0), "TIMESTAMPTZ", now); err != ErrFuture {
		t.Errorf("tomorrow: %v", err)
	}
}

// FuzzParse checks that every date that is returned is one that all search engines read,
// and is read again as it is.
func FuzzParse(f *testing.F) {
	f.Add("2026-01-02 03:04:05.67+02")
	f.Add("2026-01-02T24:00:00-14:30")
	f.Fuzz(func(t *testing.T, text string) {
		date, err := Parse([]byte(text), now)
		if err != nil || date.IsZero() {
			return
		}
		written, err := sitemap.ParseDate(date.String())
		const all = sitemap.DialectW3C | sitemap.DialectXSD | sitemap.DialectGoogle
		if err != nil || written.Dialects() != all || written.Unix() != date.Unix() {
			t.Errorf("%q is %q: %v", text, date, err)
		}
		if again, err := Check(written, now); err != nil || again != written {
			t.Errorf("%q is %q again: %v", written, again, err)
		}
	})
}
