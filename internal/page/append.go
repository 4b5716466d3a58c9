package page

import (
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

var (
	jsonFacts = In(JSON)
	csvFacts  = In(CSV)
)

// AppendJSON appends the facts of a page as the members of a JSON object, without its braces. What is not known is left
// out.
func (p *Page) AppendJSON(dst []byte) []byte {
	separator := byte(0)
	for _, f := range jsonFacts {
		from := len(dst)
		if separator != 0 {
			dst = append(dst, separator)
		}
		dst = append(dst, '"')
		dst = append(dst, f.Key...)
		dst = append(dst, '"', ':')
		value := len(dst)
		if dst = f.appendJSON(dst, p); len(dst) == value {
			dst = dst[:from]
			continue
		}
		separator = ','
	}
	return dst
}

// MarshalJSON writes all facts of a page.
func (p *Page) MarshalJSON() ([]byte, error) {
	return append(p.AppendJSON([]byte{'{'}), '}'), nil
}

// MarshalWith writes all facts of a page, and after them the members of a struct.
func (p *Page) MarshalWith(more any) ([]byte, error) {
	members, err := format.AppendJSON(nil, more)
	if err != nil {
		return nil, err
	}
	text := p.AppendJSON([]byte{'{'})
	if len(members) > len("{}") {
		text = append(text, ',')
	}
	return append(text, members[1:]...), nil
}

// appendJSON appends the value of a fact, or nothing where it is not known.
func (f *Fact) appendJSON(dst []byte, p *Page) []byte {
	if f.Number == nil {
		switch text := f.text(p); {
		case text == "":
		case f.Key == "joined":
			return append(dst, text...)
		default:
			dst = format.AppendString(dst, text)
		}
		return dst
	}
	n, known := f.Number(p)
	if !known {
		return dst
	}
	switch f.Kind {
	case Flag:
		return strconv.AppendBool(dst, n != 0)
	case Milliseconds, Decimal:
		return strconv.AppendFloat(dst, float64(n)/1000, 'f', -1, 64)
	case Time:
		return format.AppendString(dst, timeText(n))
	case Set:
		dst = append(dst, '[')
		for i, name := range namesOf(n, f.Names) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = format.AppendString(dst, name)
		}
		return append(dst, ']')
	}
	return strconv.AppendInt(dst, n, 10)
}

// isDivided reports whether programs read a thousandth of the number.
func (f *Fact) isDivided() bool { return f.Kind == Milliseconds || f.Kind == Decimal }

// text returns a fact that is a text for programs, details in English.
func (f *Fact) text(p *Page) string {
	if f.Detail != nil {
		return f.Detail(p).String()
	}
	return f.Text(p)
}

func timeText(milliseconds int64) string {
	return time.UnixMilli(milliseconds).UTC().Format(time.RFC3339)
}

// CSVHeader returns the keys of the facts of a row of a table, and the names of columns of joined tables, which get a
// prefix where a fact has the name.
func CSVHeader(joined ...string) (keys []string) {
	for _, f := range csvFacts {
		keys = append(keys, f.Key)
	}
	for _, name := range joined {
		for Named(name) != nil || slices.Contains(keys, name) {
			name = "joined_" + name
		}
		keys = append(keys, format.PlainCell(name))
	}
	return keys
}

// Headings returns the columns of CSVHeader with the names of the facts in a language, and the units that cells lack.
func Headings(c *catalog.Catalog, joined ...string) []string {
	names := CSVHeader(joined...)
	for i, f := range csvFacts {
		names[i] = f.Name(c)
		switch f.Kind {
		case Milliseconds:
			names[i] += " (ms)"
		case Bytes:
			names[i] += " (B)"
		}
	}
	return names
}

// AppendCells appends the cells of a row of a table, with numbers and details in a language. No cell is a formula of a
// spreadsheet.
func (p *Page) AppendCells(cells []string, c *catalog.Catalog, joined ...string) []string {
	for _, f := range csvFacts {
		cells = append(cells, f.cell(p, c))
	}
	for _, name := range joined {
		cells = append(cells, format.PlainCell(p.Figures.Joined[name]))
	}
	return cells
}

func (f *Fact) cell(p *Page, c *catalog.Catalog) string {
	switch {
	case f.Detail != nil:
		return format.PlainCell(c.Detail(f.Detail(p).Split()))
	case f.Number == nil:
		return format.PlainCell(f.text(p))
	case f.isDivided():
		if n, known := f.Number(p); known {
			return c.CellNumber(float64(n) / 1000)
		}
		return ""
	}
	return f.Value(p)
}

// Value returns the value of a fact as a text for programs, or "" where it is not known.
func (f *Fact) Value(p *Page) string {
	if f.Number == nil {
		return f.text(p)
	}
	n, known := f.Number(p)
	switch {
	case !known:
		return ""
	case f.Kind == Flag:
		return [...]string{"no", "yes"}[n]
	case f.Kind == Time:
		return timeText(n)
	case f.Kind == Set:
		return strings.Join(namesOf(n, f.Names), ",")
	}
	return strconv.FormatInt(n, 10)
}

// Entries returns the entries of a fact that is a list or a set, and false for others.
func (f *Fact) Entries(p *Page) ([]string, bool) {
	switch {
	case f.Items != nil:
		return f.Items(p), true
	case f.Kind == Set:
		n, _ := f.Number(p)
		return namesOf(n, f.Names), true
	}
	return nil, false
}

// AppendCounted appends the values of the columns of [CountedColumns]. Texts have no characters that act on a display.
func (p *Page) AppendCounted(values []driver.Value) []driver.Value {
	for _, f := range countedFacts {
		values = append(values, f.counted(p))
	}
	return values
}

var countedFacts = counted()

func (f *Fact) counted(p *Page) driver.Value {
	if f.Number == nil {
		if text := format.Plain(f.text(p)); text != "" {
			return text
		}
		return nil
	}
	if n, known := f.Number(p); known {
		return n
	}
	return nil
}
