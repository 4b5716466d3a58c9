package sitemap

import "encoding/binary"

// String returns the date as a sitemap writes it, with its precision and zone.
func (d Date) String() string { return string(d.AppendTo(nil)) }

// How many bytes a precision shows of 2006-01- and of 15:04:05.
var (
	headLength  = [16]uint8{Year: 4, Month: 7, Day: 8, Minute: 8, Second: 8}
	clockLength = [16]uint8{Minute: 5, Second: 8}
)

// AppendTo appends what String returns.
func (d Date) AppendTo(dst []byte) []byte {
	precision := d.shape.precision()
	if precision == NoDate {
		return dst
	}
	local := d.seconds
	if d.zone > negativeZero {
		local += int64(d.zone) * 60
	}
	days, second := local/86400, local%86400
	if second < 0 {
		days, second = days-1, second+86400
	}
	year, month, day := civil(days)
	head := uint64(year/100%100 | year%100<<16 | month<<40)
	clock := uint64(second/3600 | second/60%60<<24 | second%60<<48)
	dst = appendFirst(dst, digitPairs(head, dateTens)|dateFrame, headLength[precision])
	if precision >= Day {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(digitPairs(uint64(day), dayTens)|dayFrame))
	}
	if precision > Day {
		dst = appendFirst(append(dst, 'T'), digitPairs(clock, clockTens)|clockFrame, clockLength[precision])
	}
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

// appendFirst appends the first n bytes of a word, lowest first.
func appendFirst(dst []byte, word uint64, n uint8) []byte {
	if n == 8 {
		return binary.LittleEndian.AppendUint64(dst, word)
	}
	for ; n > 0; n-- {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst
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
	dayOfYear := n & (1<<32 - 1) / 2939745 / 4
	n = 2141*dayOfYear + 197913
	year = int(100*century+yearOfCentury) - 400*eras
	month, day = int(n>>16), int(n&0xffff/2141)+1
	if month > 12 {
		return year + 1, month - 12, day
	}
	return year, month, day
}
