package figures

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A tableKind is what a table of an export has.
type tableKind uint8

const (
	tableUnknown   tableKind = iota
	tableOther               // known, and nothing in it is of pages: queries, countries, rich results
	tableMetadata            // what an export covers
	tableIndexDays           // the numbers of indexed and other pages by day
	tableDays                // numbers of something else by day, such as the pages with one reason, or clicks
	tableReasons             // the reasons with their numbers of pages
	tablePages               // the pages with one reason
	tableSearch              // clicks and impressions by page
	tableJoined              // any other table with URLs
)

// A layout is what the columns of a table have.
type layout struct {
	kind    tableKind
	byShape bool // the headings are not known
	columns map[field]int
	day     dayReader // of the first column, or of fieldCrawled
	bing    bool
}

// column returns the column of a field, or -1.
func (l *layout) column(f field) int {
	if at, known := l.columns[f]; known {
		return at
	}
	return -1
}

// A class is the form of the values of a column.
type class uint8

const (
	classEmpty class = iota
	classDay
	classURL
	classPath
	classCount
	classPercent
	classText
)

// recognize finds out what a table has, by its headings or by the form of its values.
func recognize(t *table) layout {
	l := layout{columns: map[field]int{}}
	for i, text := range t.heading {
		if f := headingOf(text); f != fieldNone {
			if _, known := l.columns[f]; !known {
				l.columns[f] = i
			}
		}
	}
	classes := make([]class, len(t.heading))
	for i := range classes {
		classes[i] = classOf(t, i)
	}
	percent := slices.Index(classes, classPercent)
	// A comparison of two times has two columns of each number, which none of the headings fit.
	isShaped := len(classes) == 5 && percent >= 0 && count(classes, classCount) >= 2
	isSearch := l.has(fieldClicks) && l.has(fieldImpressions) || isShaped
	url := l.urlColumn(t, classes)
	switch {
	case isOtherReport(t.heading):
		l.kind = tableOther
	case len(classes) > 0 && classes[0] == classDay && url < 0:
		l.recognizeDays(t, isSearch)
	case url >= 0 && isSearch && (percent >= 0 || l.has(fieldPosition) || len(classes) == 3):
		l.kind, l.columns[fieldURL] = tableSearch, url
		l.findSearch(t, classes)
	case url >= 0 && l.isPages(classes, url):
		l.kind, l.columns[fieldURL] = tablePages, url
		if !l.has(fieldCrawled) {
			l.byShape, l.columns[fieldCrawled] = true, 1
		}
		l.day = newDayReader(columnOf(t, l.column(fieldCrawled)), t.comma)
	case url >= 0:
		l.kind, l.columns[fieldURL] = tableJoined, url
	case isSearch:
		l.kind = tableOther
	case len(classes) == 4 && (classes[3] == classCount || len(t.sample) == 0) && classes[0] != classDay:
		l.kind = tableReasons
	case len(classes) == 2 && (classes[1] == classText || classes[1] == classURL):
		l.kind = tableMetadata
	case len(t.sample) == 0:
		l.kind = tableOther
	}
	return l
}

func (l *layout) has(f field) bool { return l.column(f) >= 0 }

func count(classes []class, c class) (n int) {
	for _, one := range classes {
		if one == c {
			n++
		}
	}
	return n
}

// urlColumn returns the column with the URLs of pages, or -1.
func (l *layout) urlColumn(t *table, classes []class) int {
	at := l.column(fieldURL)
	if at >= 0 && (classes[at] == classPath || slices.ContainsFunc(columnOf(t, at), urlnorm.IsHTTP)) {
		return at
	}
	// The metadata of an export of one sitemap have its URL in the second column.
	if at = slices.Index(classes, classURL); at == 0 || at > 0 && len(classes) > 2 {
		return at
	}
	return -1
}

// isPages reports whether a table has pages with the days of visits, and perhaps the state of a validation.
func (l *layout) isPages(classes []class, url int) bool {
	if url != 0 || len(classes) != 2 && len(classes) != 3 {
		return false
	}
	return l.column(fieldCrawled) == 1 || classes[1] == classDay
}

// recognizeDays sets what a table with a row for each day has.
func (l *layout) recognizeDays(t *table, isSearch bool) {
	days := columnOf(t, 0)
	for i := range days {
		days[i], _, _ = strings.Cut(days[i], " - ") // a period, as the numbers of months have it
	}
	l.kind, l.day = tableDays, newDayReader(days, t.comma)
	switch {
	case isSearch:
	case l.has(fieldNotIndexed) && l.has(fieldIndexed):
		l.kind = tableIndexDays
	case len(t.heading) >= 3 && !l.has(fieldAffected):
		l.kind, l.byShape = tableIndexDays, true
		l.columns[fieldNotIndexed], l.columns[fieldIndexed] = 1, 2
	}
}

// findSearch sets the columns with numbers. Without known headings, the clicks are the smaller ones.
func (l *layout) findSearch(t *table, classes []class) {
	percent := slices.Index(classes, classPercent)
	if !l.has(fieldClicks) || !l.has(fieldImpressions) {
		l.byShape = true
		var counts []int
		for i, c := range classes[:percent] {
			if c == classCount {
				counts = append(counts, i)
			}
		}
		if len(counts) < 2 {
			l.kind = tableJoined
			return
		}
		first, second := sumOf(t, counts[0]), sumOf(t, counts[1])
		if first > second {
			counts[0], counts[1] = counts[1], counts[0]
		}
		l.columns[fieldClicks], l.columns[fieldImpressions] = counts[0], counts[1]
	}
	if !l.has(fieldPosition) && percent >= 0 && percent+1 < len(classes) {
		l.columns[fieldPosition] = percent + 1
	}
	l.bing = l.column(fieldImpressions) < l.column(fieldClicks) // as Bing has them
}

func sumOf(t *table, column int) (sum int64) {
	for _, row := range t.sample {
		n, _ := parseCount(cell(row, column))
		sum += n
	}
	return sum
}

func columnOf(t *table, column int) (cells []string) {
	for _, row := range t.sample {
		if text := cell(row, column); text != "" {
			cells = append(cells, text)
		}
	}
	return cells
}

// classOf returns the form of most values of a column.
func classOf(t *table, column int) class {
	var counts [classText + 1]int
	cells := columnOf(t, column)
	for _, text := range cells {
		counts[classOfCell(text)]++
	}
	best := classEmpty
	for c := classEmpty + 1; c <= classText; c++ {
		if counts[c] > counts[best] {
			best = c
		}
	}
	if best != classEmpty && counts[best]*2 <= len(cells) {
		return classText
	}
	return best
}

func classOfCell(text string) class {
	first, _, isPeriod := strings.Cut(text, " - ")
	_, isCount := parseCount(text)
	_, isDecimal := parseDecimal(text)
	switch {
	case text == "":
		return classEmpty
	case urlnorm.IsHTTP(text):
		return classURL
	case strings.HasPrefix(text, "/"):
		return classPath
	case isPercent(text):
		return classPercent
	case isDay(text), isPeriod && isDay(first):
		return classDay
	case isCount, isDecimal:
		return classCount
	}
	return classText
}

// isDay reports whether a text is a day in one of the forms that are read.
func isDay(text string) bool {
	return slices.ContainsFunc(dayForms, func(form string) bool { return fits(form, []string{text}) })
}
