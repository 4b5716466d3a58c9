package sitemap

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// A Precision is how much of a [Date] was written.
type Precision uint8

// The precisions, in increasing order. A fraction of a second belongs to
// PrecisionSecond.
const (
	PrecisionNone Precision = iota
	PrecisionYear
	PrecisionMonth
	PrecisionDay
	PrecisionMinute
	PrecisionSecond
)

// A Dialect is a set of the date grammars that consumers accept in a lastmod.
type Dialect uint8

// The grammars.
const (
	DialectW3C    Dialect = 1 << iota // https://www.w3.org/TR/NOTE-datetime, which the protocol names
	DialectXSD                        // xsd:date or xsd:dateTime, which sitemap.xsd requires
	DialectGoogle                     // what Google documents: the W3C note, a time only with a zone
)

// A Date is a lastmod with the precision and the zone it was written with. The
// zero value is an absent date. Dates are plain values; compare them by Time.
type Date struct {
	seconds int64 // since 1970, in UTC; a date without zone is taken for UTC
	nanos   int32
	zone    int16 // minutes east of UTC, or one of the constants below
	shape   shape
}

// A shape says how a date was written, in one field: a struct of four fields is
// passed in registers, one of six is not, and every URL has a date.
type shape uint16

func (s shape) dialects() Dialect    { return Dialect(s & 0xf) }
func (s shape) precision() Precision { return Precision(s >> 4 & 0xf) }
func (s shape) digits() int          { return int(s >> 8) } // of the fraction, at most nine

func (s *shape) setDialects(d Dialect)    { *s = *s&^0xf | shape(d) }
func (s *shape) setPrecision(p Precision) { *s = *s&^0xf0 | shape(p)<<4 }
func (s *shape) setDigits(n int)          { *s = *s&0xff | shape(n)<<8 }

const dayShape = shape(DialectW3C|DialectXSD|DialectGoogle) | shape(PrecisionDay)<<4

const (
	noZone       = math.MinInt16 + iota
	zulu         // Z
	negativeZero // -00:00
)

// lastSecond ends the year 9999, the last with four digits.
const lastSecond = 253402300799

// ErrDate is wrapped by every error of [ParseDate].
var ErrDate = errors.New("not a date")

// DateOf returns t as a date with seconds, a fraction if t has one, and t's zone.
func DateOf(t time.Time) Date {
	d := DayOf(t)
	_, offset := t.Zone()
	d.seconds, d.nanos = t.Unix(), int32(t.Nanosecond())
	d.shape.setPrecision(PrecisionSecond)
	d.zone = int16(offset / 60)
	if offset == 0 {
		d.zone = zulu
	}
	if d.nanos != 0 {
		digits := 9
		for n := d.nanos; n%10 == 0; n /= 10 {
			digits--
		}
		d.shape.setDigits(digits)
	}
	return d
}

// DayOf returns the calendar day of t, in t's zone, without a time.
func DayOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{
		seconds: daysSince1970(year, int(month), day) * 86400,
		zone:    noZone,
		shape:   dayShape,
	}
}

// IsZero reports whether d is absent.
func (d Date) IsZero() bool { return d.shape.precision() == PrecisionNone }

// Unix returns the seconds since 1970 in UTC. What was not written counts as the
// earliest moment it may mean, and a missing zone as UTC.
func (d Date) Unix() int64 { return d.seconds }

// Time returns the moment, by the rule of [Date.Unix], in the zone that was
// written. For the zero value it is 1970.
func (d Date) Time() time.Time {
	t := time.Unix(d.seconds, int64(d.nanos)).UTC()
	if d.zone > negativeZero && d.zone != 0 {
		return t.In(time.FixedZone("", int(d.zone)*60))
	}
	return t
}

// after compares moments; any date is after an absent one.
func (d Date) after(other Date) bool {
	switch {
	case d.IsZero() || other.IsZero():
		return !d.IsZero()
	case d.seconds != other.seconds:
		return d.seconds > other.seconds
	}
	return d.nanos > other.nanos
}

// Precision returns how much was written.
func (d Date) Precision() Precision { return d.shape.precision() }

// HasZone reports whether a zone was written.
func (d Date) HasZone() bool { return !d.IsZero() && d.zone != noZone }

// Dialects returns the grammars that accept the date as it was written. None of
// them accepts a space in place of the T or a zone without a colon, though
// [ParseDate] understands both.
func (d Date) Dialects() Dialect { return d.shape.dialects() }

// ParseDate reads a lastmod: the forms of the W3C note and of XSD, and two common
// mistakes, a space for the T and a zone without a colon. The error wraps
// [ErrDate].
func ParseDate[T string | []byte](text T) (Date, error) {
	if d, ok := parseUsualDate([]byte(text)); ok {
		return d, nil
	}
	d, ok := parseDate(text)
	if !ok {
		return Date{}, fmt.Errorf("%w: %q", ErrDate, excerpt([]byte(text)))
	}
	return d, nil
}

// parseDate is a parser of its own because every URL has a date, and time.Parse
// costs as much as all the rest of a URL.
func parseDate[T string | []byte](s T) (Date, bool) {
	d := Date{zone: noZone}
	if len(s) < 4 {
		return d, false
	}
	year, ok := number(s, 0, 4)
	if !ok || year == 0 {
		return d, false
	}
	month, day := 1, 1
	rest := 4
	d.shape.setPrecision(PrecisionYear)
	if len(s) >= 7 && s[4] == '-' {
		if month, ok = number(s, 5, 2); !ok || month < 1 || month > 12 {
			return d, false
		}
		rest = 7
		d.shape.setPrecision(PrecisionMonth)
		if len(s) >= 10 && s[7] == '-' {
			if day, ok = number(s, 8, 2); !ok || day < 1 || day > daysIn(year, month) {
				return d, false
			}
			rest = 10
			d.shape.setPrecision(PrecisionDay)
		}
	}
	d.seconds = daysSince1970(year, month, day) * 86400
	if rest == len(s) {
		d.shape.setDialects(DialectW3C | DialectGoogle)
		if d.shape.precision() == PrecisionDay {
			d.shape.setDialects(DialectW3C | DialectGoogle | DialectXSD)
		}
		return d, true
	}
	if d.shape.precision() < PrecisionDay {
		return d, false
	}
	return parseClock(d, s, rest)
}

// parseClock reads what follows the day: a time, a zone, or both.
func parseClock[T string | []byte](d Date, s T, at int) (Date, bool) {
	strict := true
	midnight := false
	if c := s[at]; c == 'T' || c == 't' || c == ' ' {
		strict = c == 'T'
		hour, ok1 := number(s, at+1, 2)
		minute, ok2 := number(s, at+4, 2)
		if !ok1 || !ok2 || s[at+3] != ':' || hour > 24 || minute > 59 {
			return d, false
		}
		at += 6
		d.shape.setPrecision(PrecisionMinute)
		second := 0
		if at < len(s) && s[at] == ':' {
			var ok bool
			if second, ok = number(s, at+1, 2); !ok || second > 59 {
				return d, false
			}
			at += 3
			d.shape.setPrecision(PrecisionSecond)
			if at, ok = parseFraction(&d, s, at); !ok {
				return d, false
			}
		}
		if midnight = hour == 24; midnight && (minute != 0 || second != 0 || d.nanos != 0) {
			return d, false
		}
		d.seconds += int64(hour*3600 + minute*60 + second)
		if d.seconds > lastSecond {
			return d, false
		}
	}
	colon, ok := parseZone(&d, s, at)
	if !ok {
		return d, false
	}
	if strict && colon {
		d.shape.setDialects(d.clockDialects(midnight))
	}
	return d, true
}

// clockDialects returns the dialects of a date that has a time or a zone. Only XSD
// knows the hour 24 (XML Schema part 2, 3.2.7) and a day with a zone; it limits
// zones to 14 hours and requires seconds.
func (d Date) clockDialects(midnight bool) Dialect {
	var set Dialect
	if d.shape.precision() > PrecisionDay && d.HasZone() && !midnight {
		set = DialectW3C | DialectGoogle
	}
	if d.shape.precision() != PrecisionMinute && (d.zone <= negativeZero || d.zone >= -14*60 && d.zone <= 14*60) {
		set |= DialectXSD
	}
	return set
}

// parseFraction reads any number of digits after a point and keeps nine.
func parseFraction[T string | []byte](d *Date, s T, at int) (int, bool) {
	if at >= len(s) || s[at] != '.' {
		return at, true
	}
	start := at + 1
	unit := int32(100_000_000)
	for at = start; at < len(s) && s[at]-'0' <= 9; at++ {
		d.nanos += int32(s[at]-'0') * unit
		unit /= 10
	}
	d.shape.setDigits(min(at-start, 9))
	return at, at > start
}

// parseZone reads the rest of the date; colon is false when a zone lacks it or
// is a lower-case z.
func parseZone[T string | []byte](d *Date, s T, at int) (colon, ok bool) {
	rest := len(s) - at
	if rest == 0 {
		return true, true
	}
	switch s[at] {
	case 'Z', 'z':
		d.zone = zulu
		return s[at] == 'Z', rest == 1
	case '+', '-':
	default:
		return false, false
	}
	colon = rest == 6 && s[at+3] == ':'
	if !colon && rest != 5 {
		return false, false
	}
	hours, ok1 := number(s, at+1, 2)
	minutes, ok2 := number(s, len(s)-2, 2)
	if !ok1 || !ok2 || hours > 23 || minutes > 59 {
		return false, false
	}
	zone := hours*60 + minutes
	if s[at] == '-' {
		zone = -zone
	}
	d.zone = int16(zone)
	if zone == 0 && s[at] == '-' {
		d.zone = negativeZero
	}
	d.seconds -= int64(zone) * 60
	return colon, true
}

// number reads n decimal digits at an index that may be outside s.
func number[T string | []byte](s T, at, n int) (value int, ok bool) {
	if at+n > len(s) {
		return 0, false
	}
	for i := at; i < at+n; i++ {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		value = value*10 + int(digit)
	}
	return value, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts days in the proleptic Gregorian calendar, with years
// that begin in March so that the leap day comes last. It has no branch, since
// processors predict the months of dates badly.
func daysSince1970(year, month, day int) int64 {
	const eras = 1 << 30 // of 400 years each, so that no year is before the first
	y := uint64(int64(year)+400*eras) - uint64(month-3)>>63
	century := y / 100
	return int64(y*1461>>2-century+century>>2) + int64(daysBeforeMonth[month&15]) + int64(day) - 719469 - eras*146097
}

// daysBeforeMonth counts from the first of March.
var daysBeforeMonth = [16]uint16{1: 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275}
