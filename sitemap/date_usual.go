package sitemap

import (
	"encoding/binary"

	"github.com/mapatools/mapa/sitemap/internal/swar"
)

// Nearly every lastmod is one of three: 2006-01-02, 2006-01-02T15:04:05Z or
// 2006-01-02T15:04:05+00:00. They are read eight bytes at a time, neighbouring
// digits made into numbers in place.
const (
	zeros      = '0' * swar.Ones
	lastDigits = (0x7f - '9') * swar.Ones

	dateHead, dateHeadMask   = 0x2d_0000_2d_00000000, 0xff_0000_ff_00000000   // 2006-01-
	clockTail, clockTailMask = 0x0000_3a_0000_3a_0000, 0x0000_ff_0000_ff_0000 // 15:04:05
)

// pairs reads eight digits and separators. Byte i of the result is the number
// that the digits i and i+1 make; ok is false for anything else.
func pairs(x, separators, mask uint64) (numbers uint64, ok bool) {
	digits := x&^mask | zeros&mask
	ok = x&mask == separators && (digits|(digits+lastDigits)|(digits-zeros))&swar.HighBits == 0
	digits &= 0x0f * swar.Ones
	return digits*10 + digits>>8, ok
}

// parseUsualDate reads one of the three usual forms and no other.
func parseUsualDate(s []byte) (d Date, ok bool) {
	if len(s) < 10 {
		return d, false
	}
	head, ok := pairs(binary.LittleEndian.Uint64(s), dateHead, dateHeadMask)
	tens, ones := s[8]-'0', s[9]-'0'
	year, month, day := int(head&0xff)*100+int(head>>16&0xff), int(head>>40&0xff), int(tens)*10+int(ones)
	// The first 28 days do not depend on the month, which processors predict badly.
	if !ok || tens > 9 || ones > 9 || year == 0 || month < 1 || month > 12 || day < 1 || day > 28 &&
		day > daysIn(year, month) {
		return d, false
	}
	d.seconds = daysSince1970(year, month, day) * 86400
	if len(s) == 10 {
		d.zone, d.shape = noZone, dayShape
		return d, true
	}
	if len(s) != 20 && len(s) != 25 || s[10] != 'T' {
		return d, false
	}
	clock, ok := pairs(binary.LittleEndian.Uint64(s[11:]), clockTail, clockTailMask)
	hour, minute, second := int(clock&0xff), int(clock>>24&0xff), int(clock>>48&0xff)
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return d, false
	}
	d.seconds += int64(hour*3600 + minute*60 + second)
	d.shape = dayShape
	d.shape.setPrecision(PrecisionSecond)
	switch string(s[19:]) {
	case "Z":
		d.zone = zulu
	case "+00:00":
		d.zone = 0
	default:
		colon, ok := parseZone(&d, s, 19)
		d.shape.setDialects(d.clockDialects(false))
		return d, ok && colon
	}
	return d, true
}
