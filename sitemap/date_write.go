package sitemap

import (
	"encoding/binary"
	"slices"
)

// String returns the date as it is in a sitemap, with its precision and zone; for
// the zero value it is empty.
func (d Date) String() string { return string(d.AppendTo(nil)) }

// shownBytes is how many bytes of 2006-01-02T15:04:05 a precision shows.
var shownBytes = [16]uint8{PrecisionYear: 4, PrecisionMonth: 7, PrecisionDay: 10, PrecisionMinute: 16,
	PrecisionSecond: 19}

const longestDate = len("2006-01-02T15:04:05.999999999+00:00")

// AppendTo appends the text that [Date.String] returns.
func (d Date) AppendTo(dst []byte) []byte {
	days, second := d.local()
	return d.appendTo(dst, textOf(days), second)
}

// local returns the day since 1970, and the second of it, that the date has in its
// own zone.
func (d Date) local() (days, second int64) {
	local := d.seconds
	if d.zone > negativeZero {
		local += int64(d.zone) * 60
	}
	days = local / 86400
	if second = local - days*86400; second < 0 {
		return days - 1, second + 86400
	}
	return days, second
}

// A dayText is a day as 2006-01-02.
type dayText struct {
	head uint64 // 2006-01-
	tail uint16
}

func textOf(days int64) dayText {
	year, month, day := civil(days)
	head := uint64(year/100%100 | year%100<<16 | month<<40)
	return dayText{digitPairs(head, dateTens) | dateFrame, uint16(digitPairs(uint64(day), dayTens) | dayFrame)}
}

// A dayCache holds days as they are written, since the calendar takes longer than
// the rest of a date. It has room for five and a half years in a row.
type dayCache [2048]struct {
	days int32
	dayText
}

func (c *dayCache) text(days int64) dayText {
	t := &c[days&int64(len(c)-1)]
	if t.head == 0 || int64(t.days) != days {
		t.days, t.dayText = int32(days), textOf(days)
	}
	return t.dayText
}

// appendTo does the work of AppendTo for a date whose day is known.
func (d Date) appendTo(dst []byte, day dayText, second int64) []byte {
	precision := d.shape.precision()
	if precision == PrecisionNone {
		return dst
	}
	clock := uint64(second/3600 | second/60%60<<24 | second%60<<48)
	start := len(dst)
	dst = slices.Grow(dst, longestDate)[:start+longestDate]
	text := dst[start:]
	binary.LittleEndian.PutUint64(text, day.head)
	binary.LittleEndian.PutUint16(text[8:], day.tail)
	text[10] = 'T'
	binary.LittleEndian.PutUint64(text[11:], digitPairs(clock, clockTens)|clockFrame)
	dst = dst[:start+int(shownBytes[precision])]
	if d.shape.digits() > 0 {
		dst = append(dst, '.')
		for unit, i := int32(100_000_000), 0; i < d.shape.digits(); unit, i = unit/10, i+1 {
			dst = append(dst, byte('0'+d.nanos/unit%10))
		}
	}
	return d.appendZone(dst)
}

func (d Date) appendZone(dst []byte) []byte {
	switch d.zone {
	case noZone:
		return dst
	case zulu:
		return append(dst, 'Z')
	case negativeZero:
		return append(dst, "-00:00"...)
	}
	sign, zone := byte('+'), int(d.zone)
	if zone < 0 {
		sign, zone = '-', -zone
	}
	return append2(append(append2(append(dst, sign), zone/60), ':'), zone%60)
}

func append2(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

// The digits of a date are made as they are read: neighbours at once, eight
// bytes at a time.
const (
	dateFrame, dateTens   = dateHead | zeros&^dateHeadMask, 0x0f_00_00_0f_00_0f      // 0000-00-
	clockFrame, clockTens = clockTail | zeros&^clockTailMask, 0x0f_00_00_0f_00_00_0f // 00:00:00
	dayFrame, dayTens     = '0' | '0'<<8, 0x0f                                       // 00
)

// digitPairs is the inverse of pairs: byte i of numbers, below 100, becomes the
// digits i and i+1 where tens has a byte 0x0f.
func digitPairs(numbers, tens uint64) uint64 {
	tens &= numbers * 103 >> 10 // a tenth of any number below 100
	return numbers<<8 - tens*(10<<8-1)
}

// civil is the inverse of daysSince1970, in the way of Neri and Schneider,
// "Euclidean affine functions and their application to calendar algorithms"
// (2022): years begin in March, and multiplying takes the place of dividing.
func civil(days int64) (year, month, day int) {
	const eras = 1 << 30 // of 400 years each, so that no moment is before the first
	n := 4*uint64(days+719468+eras*146097) + 3
	century := n / 146097
	n = 2939745 * (n%146097 | 3)
	yearOfCentury := n >> 32
	dayOfYear := n & (1<<32 - 1) / (2939745 * 4)
	n = 2141*dayOfYear + 197913
	next := (12<<16 + 0xffff - n) >> 63 // 1 in January and February
	year = int(100*century+yearOfCentury+next) - 400*eras
	return year, int(n>>16 - 12*next), int(n&0xffff/2141) + 1
}
