package sitemap_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

const (
	note   = sitemap.DialectW3C | sitemap.DialectGoogle
	every  = sitemap.DialectW3C | sitemap.DialectXSD | sitemap.DialectGoogle
	schema = sitemap.DialectXSD
)

// TestParseDate judges dates by the three grammars: the W3C note, XML Schema
// part 2 (3.2.7, 3.2.9) and what Google documents. A date that is written in one
// of them comes back as it was.
func TestParseDate(t *testing.T) {
	for _, c := range []struct {
		text      string
		dialects  sitemap.Dialect
		precision sitemap.Precision
		moment    string // RFC 3339
		again     string // empty when as written
	}{
		{"2024-01-08", every, sitemap.PrecisionDay, "2024-01-08T00:00:00Z", ""},
		{"1997", note, sitemap.PrecisionYear, "1997-01-01T00:00:00Z", ""},
		{"1997-07", note, sitemap.PrecisionMonth, "1997-07-01T00:00:00Z", ""},
		{"2024-01-08T00:00:00", schema, sitemap.PrecisionSecond, "2024-01-08T00:00:00Z", ""},
		{"2024-01-08T00:00:00.5", schema, sitemap.PrecisionSecond, "2024-01-08T00:00:00.5Z", ""},
		{"2024-01-08T07:05", 0, sitemap.PrecisionMinute, "2024-01-08T07:05:00Z", ""},
		{"2015-12-22T05:31-01:00", note, sitemap.PrecisionMinute, "2015-12-22T06:31:00Z", ""},
		{"2015-12-22T05:31Z", note, sitemap.PrecisionMinute, "2015-12-22T05:31:00Z", ""},
		{"2024-01-08T10:11:59.752706Z", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59.752706Z", ""},
		{"2024-01-08T10:11:59Z", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", ""},
		{"2024-01-08T10:11:59.000Z", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", ""},
		{"2024-01-08T10:11:59+00:00", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", ""},
		{"2024-01-08T10:11:59-00:00", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", ""},
		{"2024-01-01T00:11:59.1+14:00", every, sitemap.PrecisionSecond, "2023-12-31T10:11:59.1Z", ""},
		{"2024-12-31T23:11:59-14:00", every, sitemap.PrecisionSecond, "2025-01-01T13:11:59Z", ""},
		{"2024-01-08T10:11:59+14:01", note, sitemap.PrecisionSecond, "2024-01-07T20:10:59Z", ""},
		{"2024-01-08T10:11:59-23:59", note, sitemap.PrecisionSecond, "2024-01-09T10:10:59Z", ""},
		{"2024-01-01Z", schema, sitemap.PrecisionDay, "2024-01-01T00:00:00Z", ""},
		{"2024-01-01+02:00", schema, sitemap.PrecisionDay, "2023-12-31T22:00:00Z", ""},
		{"2024-01-01T24:00:00Z", schema, sitemap.PrecisionSecond, "2024-01-02T00:00:00Z", "2024-01-02T00:00:00Z"},
		{"2023-12-31T24:00:00.0", schema, sitemap.PrecisionSecond, "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.0"},
		{"2024-01-08 10:11:59Z", 0, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", "2024-01-08T10:11:59Z"},
		{"2024-01-08t10:11:59z", 0, sitemap.PrecisionSecond, "2024-01-08T10:11:59Z", "2024-01-08T10:11:59Z"},
		{"2024-01-08T10:11:59+0130", 0, sitemap.PrecisionSecond, "2024-01-08T08:41:59Z", "2024-01-08T10:11:59+01:30"},
		{"2024-02-29", every, sitemap.PrecisionDay, "2024-02-29T00:00:00Z", ""},
		{"2000-02-29", every, sitemap.PrecisionDay, "2000-02-29T00:00:00Z", ""},
		{"0001-01-01", every, sitemap.PrecisionDay, "0001-01-01T00:00:00Z", ""},
		{"1969-12-31T23:59:59.25Z", every, sitemap.PrecisionSecond, "1969-12-31T23:59:59.25Z", ""},
		{"9999-12-31T23:59:59.999999999Z", every, sitemap.PrecisionSecond, "9999-12-31T23:59:59.999999999Z", ""},
		{"2024-01-08T10:11:59.1234567891Z", every, sitemap.PrecisionSecond, "2024-01-08T10:11:59.123456789Z",
			"2024-01-08T10:11:59.123456789Z"},
	} {
		date, err := sitemap.ParseDate(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if date.Dialects() != c.dialects || date.Precision() != c.precision {
			t.Errorf("%s: dialects %03b, precision %d, want %03b, %d", c.text, date.Dialects(), date.Precision(), c.dialects,
				c.precision)
		}
		if got := date.Time().UTC().Format(time.RFC3339Nano); got != c.moment || date.Unix() != date.Time().Unix() {
			t.Errorf("%s is %s (%d), want %s", c.text, got, date.Unix(), c.moment)
		}
		if again := date.String(); again != c.again && (c.again != "" || again != c.text) {
			t.Errorf("%s is written %s", c.text, again)
		}
		if ofBytes, err := sitemap.ParseDate([]byte(c.text)); err != nil || ofBytes != date {
			t.Errorf("%s: another date of bytes", c.text)
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	for _, text := range []string{
		"", "x", "199", "19970", "0000", "0000-01-01", "-2024-01-01", "+2024-01-01", "12024-01-01", " 2024-01-08",
		"2024-01-08 ",
		"2024-1-8", "2024/01/08", "08-01-2024", "20240108", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32",
		"2024-04-31",
		"2023-02-29", "1900-02-29", "2024-02-30", "1997Z", "1997-07Z", "1997-07T10:00Z", "2024-01-08T", "2024-01-08T10",
		"2024-01-08T10Z",
		"2024-01-08T10:1Z", "2024-01-08T24:00:01Z", "2024-01-08T24:01Z", "2024-01-08T24:00:00.1Z", "9999-12-31T24:00:00Z",
		"2024-01-08T25:00Z", "2024-01-08T10:60Z", "2024-01-08T10:11:60Z", "2024-01-08T10:11:59.Z", "2024-01-08T10:11:59,5Z",
		"2024-01-08T10:11:59ZZ", "2024-01-08T10:11:59 Z", "2024-01-08T10:11:59+1:00", "2024-01-08T10:11:59+01",
		"2024-01-08T10:11:59+01:60",
		"2024-01-08T10:11:59+24:00", "2024-01-08T10:11:59+01:0", "2024-01-08T10:11:59 +01:00", "2024-01-08T10:11:59CET",
		"2024-01-08T10:11:59+01:000", "2024-01-08T10:11:59+01-00", "Mon, 08 Jan 2024 10:11:59 GMT", "２０２４-01-08", "now",
	} {
		if date, err := sitemap.ParseDate(text); !errors.Is(err, sitemap.ErrDate) || !date.IsZero() {
			t.Errorf("%q is %q (%v)", text, date, err)
		}
	}
}

// TestDateOf makes dates of moments, in every precision of a fraction.
func TestDateOf(t *testing.T) {
	zone := time.FixedZone("", -(3*3600 + 30*60))
	for want, moment := range map[string]time.Time{
		"2024-01-08T10:11:12Z":           time.Date(2024, 1, 8, 10, 11, 12, 0, time.UTC),
		"2024-01-08T10:11:12-03:30":      time.Date(2024, 1, 8, 10, 11, 12, 0, zone),
		"2024-01-08T10:11:12.5Z":         time.Date(2024, 1, 8, 10, 11, 12, 500_000_000, time.UTC),
		"2024-01-08T10:11:12.000000001Z": time.Date(2024, 1, 8, 10, 11, 12, 1, time.UTC),
		"1907-01-08T10:11:12.01-03:30":   time.Date(1907, 1, 8, 10, 11, 12, 10_000_000, zone),
	} {
		date := sitemap.DateOf(moment)
		if date.String() != want || !date.Time().Equal(moment) || date.Dialects() != every || !date.HasZone() {
			t.Errorf("%v is %q with %03b, want %q", moment, date, date.Dialects(), want)
		}
	}
	day := sitemap.DayOf(time.Date(2024, 1, 8, 23, 11, 12, 0, zone))
	if day.String() != "2024-01-08" || day.HasZone() || day.Dialects() != every {
		t.Errorf("the day is %q", day)
	}
	var none sitemap.Date
	if none.String() != "" || !none.IsZero() || none.HasZone() || none.Dialects() != 0 {
		t.Errorf("no date is %q", none)
	}
}

// xsdDate is the lexical space of xsd:date and xsd:dateTime for years of four
// digits (XML Schema part 2, 3.2.7.1 and 3.2.9.1); days are checked by package
// time.
var xsdDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(T(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?|24:00:00(\.0+)?))?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))?$`)

// noteDate is the lexical space of the W3C note; days are checked by package time.
var noteDate = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?)?)?$`)

func parseNote(text string) (moment time.Time, ok bool) {
	if !noteDate.MatchString(text) {
		return time.Time{}, false
	}
	for _, layout := range []string{"2006", "2006-01", "2006-01-02", "2006-01-02T15:04Z07:00",
		"2006-01-02T15:04:05Z07:00"} {
		if moment, err := time.Parse(layout, text); err == nil && moment.Year() > 0 {
			return moment, true
		}
	}
	return time.Time{}, false
}

// parseSchema understands xsd:date and xsd:dateTime, midnight as 24 aside.
func parseSchema(text string) (moment time.Time, ok bool) {
	if !xsdDate.MatchString(text) {
		return time.Time{}, false
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"} {
		if moment, err := time.Parse(layout, text); err == nil && moment.Year() > 0 {
			return moment, true
		}
	}
	return time.Time{}, false
}

// longFraction has more digits than the nine that a Date keeps.
var longFraction = regexp.MustCompile(`\.\d{10}`)

// FuzzParseDate holds the parser against package time and the lexical space of
// XML Schema.
func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"2024", "2024-02", "2024-02-29", "2024-02-29T10:11Z", "2024-02-29T10:11:12.5-00:30",
		"2024-02-29Z", "2024-02-29T24:00:00", "2024-02-29 10:11+0100"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, err := sitemap.ParseDate(text)
		moment, isNote := parseNote(text)
		if inNote := date.Dialects()&sitemap.DialectW3C != 0; inNote != isNote {
			t.Fatalf("%q is of the note: %v, want %v (%v)", text, inNote, isNote, err)
		}
		if isNote && !date.Time().Equal(moment) {
			t.Fatalf("%q is %v, want %v", text, date.Time(), moment)
		}
		midnight := strings.Contains(text, "T24:")
		moment, isSchema := parseSchema(text)
		if inSchema := date.Dialects()&sitemap.DialectXSD != 0; inSchema != isSchema && !midnight {
			t.Fatalf("%q is of the schema: %v, want %v (%v)", text, inSchema, isSchema, err)
		}
		if isSchema && !date.Time().Equal(moment) {
			t.Fatalf("%q is %v, want %v", text, date.Time(), moment)
		}
		if err != nil {
			return
		}
		again, err := sitemap.ParseDate(date.String())
		if err != nil || again.Unix() != date.Unix() || again.String() != date.String() ||
			again.Precision() != date.Precision() || again.HasZone() != date.HasZone() {
			t.Fatalf("%q is written %q, read again as %q (%v)", text, date, again, err)
		}
		if date.Dialects() != 0 && !midnight && !longFraction.MatchString(text) && date.String() != text {
			t.Fatalf("%q is written %q", text, date)
		}
	})
}
