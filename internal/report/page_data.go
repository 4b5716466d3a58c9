package report

import (
	"bufio"
	"strconv"

	"github.com/mapatools/mapa/internal/format"
)

// dataWriter writes JSON in parts. The buffered writer keeps the first error.
type dataWriter struct {
	out  *bufio.Writer
	rest bool // the object already has a member
	line []byte
}

func (d *dataWriter) member(name string) {
	if d.rest {
		d.out.WriteByte(',')
	}
	d.rest = true
	d.out.WriteString("\n\"" + name + "\":")
}

// value writes a small value for the script of the HTML report.
func (d *dataWriter) value(name string, v any) error {
	text, err := format.AppendScriptJSON(nil, v)
	if err != nil {
		return err
	}
	d.member(name)
	d.out.Write(text)
	return nil
}

// lines writes texts as one string, each on a line.
func (d *dataWriter) lines(name string, lines []string) {
	d.member(name)
	d.out.WriteByte('"')
	for i, line := range lines {
		if i > 0 {
			d.out.WriteString(`\n`)
		}
		d.line = format.AppendScriptString(d.line[:0], line)
		d.out.Write(d.line)
	}
	d.out.WriteByte('"')
}

// columns writes the columns of the table of URLs.
func (d *dataWriter) columns(columns []*column) error {
	d.member("columns")
	before := byte('[')
	for _, c := range columns {
		head, err := format.AppendScriptJSON(nil, c)
		if err != nil {
			return err
		}
		d.out.WriteByte(before)
		d.out.Write(head[:len(head)-1]) // the object goes on
		d.pack(c)
		d.out.WriteByte('}')
		before = ','
	}
	d.out.WriteByte(']')
	return nil
}

// pack writes the values of a column: numbers, URLs without the prefix that each shares with the one before and the
// lengths of these prefixes, or other texts as numbers of a [textTable]. Prefixes are ASCII, where a byte is one of
// the units that JavaScript counts.
func (d *dataWriter) pack(c *column) {
	numbers, lines := c.numbers, []string(nil)
	switch c.Kind {
	case "url":
		before := ""
		for _, url := range c.texts {
			shared := sharedPrefix(before, url)
			numbers, lines, before = append(numbers, int64(shared)), append(lines, url[shared:]), url
		}
	case "text":
		var table textTable
		for _, text := range c.texts {
			numbers = append(numbers, int64(table.number(text)))
		}
		lines = table.lines
	}
	d.member("numbers")
	d.out.WriteByte('[')
	for i, n := range numbers {
		if i > 0 {
			d.out.WriteByte(',')
		}
		d.line = strconv.AppendInt(d.line[:0], n, 10)
		d.out.Write(d.line)
	}
	d.out.WriteByte(']')
	if c.texts != nil {
		d.lines("lines", lines)
	}
}

// textTable numbers texts: 0 is the empty text, 1 the next text in the table, and any other number one more than that
// of a text that was used before, from 1. The zero table is ready to use.
type textTable struct {
	numbers map[string]int
	lines   []string
	limit   int // bytes of all texts, beyond which a new text is 0; no limit if 0
	size    int
}

func (t *textTable) number(text string) int {
	if text == "" {
		return 0
	}
	if number, known := t.numbers[text]; known {
		return number + 1
	}
	if t.limit > 0 && t.size+len(text) > t.limit {
		return 0
	}
	if t.numbers == nil {
		t.numbers = map[string]int{}
	}
	t.size += len(text)
	t.lines = append(t.lines, text)
	t.numbers[text] = len(t.lines)
	return 1
}
