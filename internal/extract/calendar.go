package extract

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// capitalCalendar are the months and weekdays of languages that write them with a
// capital: English, German.
var capitalCalendar = []string{
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
	"january", "february", "march", "april", "june", "july", "august", "september", "october",
	"november", "december",
	"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",

	"januar", "jänner", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember",
	"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag",
}

// smallCalendar are those of languages that write them without: French, Spanish,
// Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Polish.
var smallCalendar = []string{
	"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
	"décembre",
	"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",

	"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
	"diciembre",
	"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",

	"gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre",
	"lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",

	"janeiro", "fevereiro", "março", "maio", "junho", "julho", "setembro", "outubro", "novembro", "dezembro",
	"segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira",

	"januari", "februari", "maart", "mei", "augustus",
	"maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",

	"augusti", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag",
	"marts", "maj", "desember", "mandag", "tirsdag", "lørdag", "søndag",

	"stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia", "września", "października",
	"listopada", "grudnia", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela",
}

// A calendar is a set of months and weekdays.
type calendar struct {
	names *names
	// hints has a bit at the hash of the first three bytes of every name with a
	// capital, of every one of smallCalendar without, and at few others.
	hints [1 << calendarBits / 64]uint64
}

// allCalendars has the months and weekdays of all languages.
var allCalendars = func() *calendar {
	c := &calendar{names: newNames(slices.Concat([]string{""}, capitalCalendar, smallCalendar))}
	for _, name := range c.names.list[1:] {
		if isLetter(name[0]) {
			capital := append([]byte{name[0] - 'a' + 'A'}, name[1:3]...)
			hash := calendarHash(pack(capital))
			c.hints[hash/64] |= 1 << (hash % 64)
		}
	}
	for _, name := range smallCalendar {
		hash := calendarHash(pack([]byte(name[:3])))
		c.hints[hash/64] |= 1 << (hash % 64)
	}
	return c
}()

const calendarBits = 13

// calendarHash takes the first three bytes of a packed word; the case of the
// second and third does not matter.
func calendarHash(packed uint64) uint32 {
	return (uint32(packed)&0xffffff | 0x202000) * 0x9e3779b1 >> (32 - calendarBits)
}

// mayHave reports whether a packed word may be one of the names.
func (c *calendar) mayHave(packed uint64) bool {
	hash := calendarHash(packed)
	return c.hints[hash/64]>>(hash%64)&1 != 0
}

// isEastDate reports whether what follows the digits makes them a date or a time as
// Chinese, Japanese and Korean write them: 2026年11月21日.
func isEastDate(rest []byte) bool {
	for len(rest) > 0 {
		r, size := utf8.DecodeRune(rest)
		if !isDigit(rest[0]) && !bytes.ContainsRune([]byte("年月日号時时分秒년월일시분초"), r) {
			return false
		}
		rest = rest[size:]
	}
	return true
}
