package extract

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// maxFigures is how many words in a row are looked at together.
const maxFigures = 12

// figures are words in a row that churn has left out of the text, because they are about numbers. What they say is
// decided at the word after them.
type figures struct {
	run    [maxFigures][]byte
	length int
}

// drop takes a word that is not part of the text.
func (d *digest) drop(word []byte) {
	f := &d.items.figures
	if f.length == len(f.run) {
		d.settleFigures(nil)
	}
	f.run[f.length] = word
	f.length++
}

// settleFigures adds the figures before a word, or before the end of the block, to the numbers of the block. Counters
// and relative times do not count.
func (d *digest) settleFigures(next []byte) {
	f := &d.items.figures
	run := f.run[:f.length]
	f.length = 0
	for run = d.withoutCounters(run, next); len(run) > 0; {
		if day, n := readDay(run); n > 0 && d.addDay(day, run[:n]...) {
			run = run[n:]
			continue
		}
		d.items.numbers.hash = mix(d.items.numbers.hash + uint64(d.block.words))
		d.items.numbers.foldWord(run[0])
		run = run[1:]
	}
}

// addDay adds a date of the block with its words. It reports whether there is room for it.
func (d *digest) addDay(found day, words ...[]byte) bool {
	if len(d.items.days) >= maxDays {
		return false
	}
	hash := uint64(0)
	for _, word := range words {
		hash = hashBytes(hash, word)
	}
	d.items.days = append(d.items.days, foundDay{found, hash, nil})
	return true
}

// A wordKind says what a word tells about a number next to it: that it is a counter, or a time from now. Such numbers
// change while the content stays the same.
type wordKind uint8

const (
	counted    wordKind = 1 << iota // 5 views
	countLabel                      // views 5
	timeUnit                        // 5 days
	beforeAge                       // hace 5 días
	afterAge                        // 5 days ago
	online                          // 5 users online
)

// wordKinds has the words of each kind.
var wordKinds = map[wordKind]string{
	counted: `view views visit visits visitor visitors like likes download downloads result results comment comments
online vista vistas comentario comentarios
visita visitas visitante visitantes visualización visualizaciones descarga descargas resultado resultados conectados`,
	countLabel: `view views visits visitors visitor likes downloads vistas visitas visitantes visitante
visualizaciones descargas conectados`,
	timeUnit: `second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years
segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses mês año años ano anos
sekunde sekunden minuten stunde stunden tag tagen woche wochen monat monaten jahr jahren
seconde secondes heure heures jour jours semaine semaines mois an ans
secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni`,
	beforeAge: "hace vor há",
	afterAge:  "ago fa atrás",
	online:    "online",
}

// figureNames are the words of all kinds, and figureKinds their kinds in the same order.
var figureNames, figureKinds = func() (*names, []wordKind) {
	list, kinds, places := []string{""}, []wordKind{0}, map[string]int{}
	for kind, words := range wordKinds {
		for word := range strings.FieldsSeq(words) {
			if places[word] == 0 {
				places[word] = len(list)
				list, kinds = append(list, word), append(kinds, 0)
			}
			kinds[places[word]] |= kind
		}
	}
	return newNames(list), kinds
}()

func kindOf(word []byte) wordKind { return figureKinds[figureNames.find(word)] }

// withoutCounters returns figures without those that are a counter or a relative time.
func (d *digest) withoutCounters(run [][]byte, next []byte) [][]byte {
	if len(run) == 0 {
		return nil
	}
	word, further := trimPunctuation(next), wordAfter(next)
	before := d.wordBefore(run[0])
	is, then, was := kindOf(word), kindOf(further), kindOf(before)
	isUnit := (is|kindOf(trimPunctuation(run[len(run)-1])))&timeUnit != 0
	isAge := is&afterAge != 0 || is&timeUnit != 0 && then&afterAge != 0 ||
		isUnit && (was&beforeAge != 0 || d.isAfterIlYA(run[0], before))
	isPhrase := then&online != 0 || equalFold(word, "me") && equalFold(further, "gusta") ||
		equalFold(word, "en") && equalFold(further, "línea")
	switch {
	case isAge && !slices.ContainsFunc(run, isDayPart):
		return nil
	case (is&counted != 0 || isPhrase) && isWholeNumber(run[len(run)-1]):
		run = run[:len(run)-1]
	case was&countLabel != 0 && isWholeNumber(run[0]) && !isYear(run[0]):
		run = run[1:]
	}
	return run
}

// isWholeNumber reports whether a figure is a whole number.
func isWholeNumber(word []byte) bool {
	shape, _ := numberShape(word)
	return shape == wholeNumber
}

// isYear reports whether a whole number may be a year of ours.
func isYear(word []byte) bool {
	return len(word) == 4 && (bytes.HasPrefix(word, []byte("19")) || bytes.HasPrefix(word, []byte("20")))
}

// isDayPart reports whether a figure is neither a whole number nor a unit.
func isDayPart(word []byte) bool {
	shape, length := numberShape(word)
	return shape == dateOrTime || shape == noNumber && allCalendars.names.find(trimPunctuation(word)) != 0 ||
		shape == wholeNumber && length >= 4
}

// isAfterIlYA reports whether the words before a figure are "il y a".
func (d *digest) isAfterIlYA(figure, before []byte) bool {
	if !equalFold(before, "a") {
		return false
	}
	return hasSuffixFold(bytes.TrimRight(d.textBefore(figure), " \t\r\n\f"), "il y a")
}

// textBefore returns the text before a figure: in its run of text or, at the beginning of that, in the run before
// it. Both are parts of the page, so that their capacities, which reach to its end, say where the figure begins.
func (d *digest) textBefore(figure []byte) []byte {
	if cap(figure) > cap(d.run) {
		return nil
	}
	text := d.run[:min(cap(d.run)-cap(figure), len(d.run))]
	if len(trimLeft(text)) == 0 {
		return d.runBefore
	}
	return text
}

// wordBefore returns the word before a figure, without punctuation.
func (d *digest) wordBefore(figure []byte) []byte {
	text := d.textBefore(figure)
	end := len(text)
	for end > 0 && isSpace[text[end-1]] {
		end--
	}
	start := end
	for start > 0 && !isSpace[text[start-1]] {
		start--
	}
	return trimPunctuation(text[start:end])
}

// wordAfter returns the word after a word of a page, without punctuation, as far as no tag is between.
func wordAfter(word []byte) []byte {
	const longest = 32
	rest := word[len(word):min(cap(word), len(word)+longest)]
	start := 0
	for start < len(rest) && isSpace[rest[start]] {
		start++
	}
	end := start
	for end < len(rest) && !isSpace[rest[end]] && rest[end] != '<' {
		end++
	}
	return trimPunctuation(rest[start:end])
}

// day is a day of a month. Its year is 0 where the text has none. Of first and second, one is the day and the other
// the month: the second is the month unless swaps says that both are possible.
type day struct {
	year          int
	first, second int
	swaps         bool
}

// is reports whether a time is on the day, in its own zone.
func (d *day) is(at time.Time) bool {
	year, month, number := at.Date()
	return (d.year == 0 || d.year == year) &&
		(d.first == number && d.second == int(month) || d.swaps && d.second == number && d.first == int(month))
}

// readDay reads a date at the beginning of figures, with its weekday and the time of the day after it. It returns of
// how many words it consists, 0 for none.
func readDay(run [][]byte) (found day, n int) {
	const shortest = len("2026年1月1日") - len("年月日")
	if len(run) == 1 && len(run[0]) < shortest {
		return day{}, 0
	}
	for n < len(run) && n < 2 && monthOfName(run[n]) == weekday {
		n++
	}
	found, length := readPlainDay(run[n:])
	if length == 0 {
		return day{}, 0
	}
	n += length
	for n < len(run) && bytes.IndexByte(run[n], ':') > 0 {
		n++
	}
	return found, n
}

// readPlainDay reads a date without its weekday: 2026-05-01, 1/5/2026, 1 May 2026, May 1, 1 de mayo.
func readPlainDay(run [][]byte) (found day, n int) {
	if len(run) == 0 {
		return day{}, 0
	}
	if found, ok := readNumericDay(run[0]); ok {
		return found, 1
	}
	if len(run) < 2 {
		return day{}, 0
	}
	if number := smallNumber(run[0]); number > 0 {
		n = 1
		for n < len(run)-1 && isOf(run[n]) {
			n++
		}
		if month := monthOfName(run[n]); month > 0 {
			year, more := readYear(run[n+1:])
			return day{year: year, first: number, second: month}, n + 1 + more
		}
		return day{}, 0
	}
	month, number := monthOfName(run[0]), smallNumber(run[1])
	if month <= 0 || number == 0 {
		return day{}, 0
	}
	year, more := readYear(run[2:])
	return day{year: year, first: number, second: month}, 2 + more
}

// readYear reads a year after the rest of a date.
func readYear(run [][]byte) (year, n int) {
	for n < len(run) && n < 2 && isOf(run[n]) {
		n++
	}
	if n == len(run) {
		return 0, 0
	}
	groups, count := numberGroups(run[n])
	if count != 1 || groups[0] < 1900 || groups[0] > 2999 {
		return 0, 0
	}
	return groups[0], n + 1
}

func isOf(word []byte) bool {
	return len(word) <= 3 && afterNumbers.find(word) != 0 && smallNumber(word) == 0
}

// smallNumber returns the day of a month that a word is, such as 1, 1st or 1., or 0.
func smallNumber(word []byte) int {
	digits := 0
	for digits < len(word) && isDigit(word[digits]) {
		digits++
	}
	switch string(word[digits:]) {
	case "", "st", "nd", "rd", "th", ".", "º":
	default:
		return 0
	}
	groups, count := numberGroups(word[:digits])
	if count != 1 || digits > 2 || groups[0] > 31 {
		return 0
	}
	return groups[0]
}

// readNumericDay reads a date of numbers only.
func readNumericDay(word []byte) (found day, ok bool) {
	groups, count := numberGroups(word)
	switch {
	case count < 3:
		return day{}, false
	case groups[0] >= 1900 && groups[0] <= 2999 && groups[1] <= 12 && groups[2] <= 31:
		return day{year: groups[0], first: groups[2], second: groups[1]}, true
	case groups[2] >= 1900 && groups[2] <= 2999 && groups[0] <= 31 && groups[1] <= 31:
		return day{year: groups[2], first: groups[0], second: groups[1], swaps: true}, true
	}
	return day{}, false
}

// numberGroups returns the first three numbers of a word that begins with one, with one separator between them, and
// how many there are.
func numberGroups(word []byte) (groups [3]int, count int) {
	for i := 0; i < len(word) && count < len(groups); {
		if !isDigit(word[i]) {
			return groups, count
		}
		for ; i < len(word) && isDigit(word[i]); i++ {
			groups[count] = min(groups[count]*10+int(word[i]-'0'), 1<<20)
		}
		count++
		switch rest := word[i:]; {
		case len(rest) == 0:
		case rest[0] == '-' || rest[0] == '/' || rest[0] == '.':
			i++
		case isEastDate(rest[:min(len(rest), len("年"))]):
			i += len("年")
		default:
			return groups, count
		}
	}
	return groups, count
}

// weekday is what monthOfName returns for a weekday.
const weekday = -1

// monthPrefixes has the beginnings of the names of months, those of several first.
var monthPrefixes = []struct {
	prefix string
	month  int
}{
	{"marts", 3}, {"mart", weekday}, {"mard", weekday}, {"maar", 3}, {"maan", weekday}, {"juil", 7}, {"mag", 5},
	{"jan", 1}, {"jän", 1}, {"ene", 1}, {"gen", 1}, {"sty", 1}, {"feb", 2}, {"fev", 2}, {"fév", 2}, {"lut", 2},
	{"mar", 3}, {"mär", 3}, {"apr", 4}, {"avr", 4}, {"abr", 4}, {"kwi", 4}, {"may", 5}, {"mai", 5}, {"maj", 5}, {"mei", 5},
	{"jun", 6}, {"jui", 6}, {"giu", 6}, {"cze", 6}, {"jul", 7}, {"lug", 7}, {"lip", 7}, {"aug", 8}, {"aoû", 8}, {"ago", 8},
	{"sie", 8}, {"sep", 9}, {"set", 9}, {"wrz", 9}, {"oct", 10}, {"okt", 10}, {"out", 10}, {"ott", 10}, {"paź", 10},
	{"nov", 11}, {"lis", 11}, {"dec", 12}, {"dez", 12}, {"déc", 12}, {"dic", 12}, {"des", 12}, {"gru", 12},
}

// monthOfName returns the number of a month, weekday for a weekday, or 0 for another word.
func monthOfName(word []byte) int {
	word = trimPunctuation(word)
	if allCalendars.names.find(word) == 0 {
		return 0
	}
	for _, p := range monthPrefixes {
		if hasPrefixFold(word, p.prefix) {
			return p.month
		}
	}
	return weekday
}

// hashBytes returns a hash of what was hashed before and of some bytes.
func hashBytes(before uint64, text []byte) uint64 {
	t := tally{hash: before}
	t.foldWord(text)
	return t.hash
}

// maxZone is the largest offset of a time zone from UTC.
const maxZone = 14 * time.Hour

// ownDays are the times on whose days a date in the text is not one of the content: those at which the page says that
// it was published or modified, and that of the answer, somewhere on Earth.
type ownDays struct{ page, answer []time.Time }

func (o *ownDays) ofPage(d *day) bool   { return slices.ContainsFunc(o.page, d.is) }
func (o *ownDays) ofAnswer(d *day) bool { return slices.ContainsFunc(o.answer, d.is) }

func (s *Scanner) ownDays() *ownDays {
	own := &ownDays{}
	for i := range s.page.Dates {
		for _, text := range [...][]byte{s.page.Dates[i].Published, s.page.Dates[i].Modified} {
			if at, err := ParseMoment(text); len(text) > 0 && err == nil {
				own.page = append(own.page, at.Time, at.UTC())
			}
		}
	}
	if now := s.options.Time.UTC(); !now.IsZero() {
		own.answer = []time.Time{now, now.Add(maxZone), now.Add(-maxZone)}
	}
	return own
}
