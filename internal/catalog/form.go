package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// form is how a language writes numbers and dates, by the Unicode Common Locale Data
// Repository (https://cldr.unicode.org/), like Intl in browsers.
type form struct {
	thousands, decimal string
	list               byte // between the cells of a table, by the settings of Windows
	ungrouped          int  // the most digits of a number without thousands separators
	date               func(day, month, year string) string
	months             [12]string
}

var englishForm = form{
	thousands: ",", decimal: ".", list: ',', ungrouped: 3,
	date: func(day, month, year string) string { return day + " " + month + " " + year },
	months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"},
}

var spanishForm = form{
	thousands: ".", decimal: ",", list: ';', ungrouped: 4,
	date: func(day, month, year string) string { return day + " de " + month + " de " + year },
	months: [12]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
		"octubre", "noviembre", "diciembre"},
}

// Count returns n with separators between the thousands.
func (c *Catalog) Count(n int64) string { return c.group(strconv.FormatInt(n, 10)) }

// group adds separators to the digits of a number, which may begin with a minus sign.
func (c *Catalog) group(number string) string {
	digits := strings.TrimPrefix(number, "-")
	sign := number[:len(number)-len(digits)]
	if len(digits) <= c.form.ungrouped {
		return number
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + c.form.thousands + digits[i:]
	}
	return sign + digits
}

// ListSeparator returns what separates the cells of a table for spreadsheets.
func (c *Catalog) ListSeparator() byte { return c.form.list }

// CellNumber returns a number for the cell of a spreadsheet, without separators between thousands.
func (c *Catalog) CellNumber(f float64) string {
	return strings.Replace(strconv.FormatFloat(f, 'f', -1, 64), ".", c.form.decimal, 1)
}

// Decimal returns f, rounded to a number of digits after the decimal separator.
func (c *Catalog) Decimal(f float64, digits int) string {
	whole, fraction, found := strings.Cut(strconv.FormatFloat(f, 'f', digits, 64), ".")
	if !found {
		return c.group(whole)
	}
	return c.group(whole) + c.form.decimal + fraction
}

// Date returns the day of a time in the zone of the catalog.
func (c *Catalog) Date(t time.Time) string {
	t = t.In(c.zone)
	return c.form.date(strconv.Itoa(t.Day()), c.form.months[t.Month()-1], strconv.Itoa(t.Year()))
}

// Time returns the day and the minute of a time in the zone of the catalog, with its name.
func (c *Catalog) Time(t time.Time) string {
	return c.Date(t) + ", " + t.In(c.zone).Format("15:04 MST")
}

// Status returns a status of HTTP with its usual text as people read it, such as "404 Not Found".
func (c *Catalog) Status(status int, usual string) string {
	number := strconv.Itoa(status)
	if text, known := c.texts["http."+number]; known {
		return text
	}
	return strings.TrimSpace(number + " " + usual)
}

// Duration returns a duration with the two largest of its units, in the symbols that all
// languages share: a second and more to a tenth, less in milliseconds.
func (c *Catalog) Duration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return c.Count(d.Milliseconds()) + " ms"
	case d < time.Minute:
		return c.Decimal(d.Seconds(), 1) + " s"
	case d < time.Hour:
		return units(d, time.Minute, "min", time.Second, "s")
	case d < day:
		return units(d, time.Hour, "h", time.Minute, "min")
	}
	return units(d, day, "d", time.Hour, "h")
}

// units returns a duration in a large unit and a small one, which is left out at zero.
func units(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}

// Bytes returns a number of bytes in decimal units (1 KB = 1,000 B).
func (c *Catalog) Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return c.Decimal(float64(n)/1e9, 1) + " GB"
	case n >= 1e6:
		return c.Decimal(float64(n)/1e6, 1) + " MB"
	case n >= 1000:
		return c.Count((n+500)/1000) + " KB"
	}
	return c.Count(n) + " B"
}
