package report

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// A dataWriter writes the JSON that the script of the HTML report reads: lists
// by column, since a name for every value would double their size. The first
// error sticks to the writer below.
type dataWriter struct {
	out  *bufio.Writer
	rest bool // a member of the object came before
}

func (d *dataWriter) member(name string) {
	if d.rest {
		d.out.WriteByte(',')
	}
	d.rest = true
	d.out.WriteString("\n\"" + name + "\":")
}

// value writes anything small.
func (d *dataWriter) value(name string, v any) error {
	text, err := format.AppendScriptJSON(nil, v)
	if err != nil {
		return err
	}
	d.member(name)
	d.out.Write(text)
	return nil
}

// text writes a string piece by piece.
func (d *dataWriter) text(name string, pieces func(yield func(string))) {
	d.member(name)
	d.out.WriteByte('"')
	var line []byte
	pieces(func(piece string) {
		line, _ = format.AppendScriptJSON(line[:0], piece) // a string cannot fail
		d.out.Write(line[1 : len(line)-1])
	})
	d.out.WriteByte('"')
}

func (d *dataWriter) numbers(name string, count int, number func(i int) int) {
	d.member(name)
	d.out.WriteByte('[')
	var digits []byte
	for i := range count {
		if i > 0 {
			d.out.WriteByte(',')
		}
		digits = strconv.AppendInt(digits[:0], int64(number(i)), 10)
		d.out.Write(digits)
	}
	d.out.WriteByte(']')
}

// urls writes the addresses one a line, without what each shares with the one
// before it, and how many characters that is. Only ASCII is shared: there, bytes
// and the units that JavaScript counts are the same.
func (d *dataWriter) urls(rows []row) {
	shared := func(i int) int {
		if i == 0 {
			return 0
		}
		return rows[i-1].shares(&rows[i])
	}
	d.numbers("shared", len(rows), shared)
	d.text("urls", func(yield func(string)) {
		for i := range rows {
			if i > 0 {
				yield("\n")
			}
			yield(rows[i].url[shared(i):])
		}
	})
}

// words writes a column of texts that repeat: each text once, one a line, and
// for each row its number from 1; 0 is none, and -1 one that was not met before.
func (d *dataWriter) words(name string, count int, text func(i int) string) {
	known := map[string]int{"": 0}
	var lines []string
	d.numbers(name, count, func(i int) int {
		number, there := known[text(i)]
		if there {
			return number
		}
		lines = append(lines, text(i))
		known[text(i)] = len(lines)
		return -1
	})
	d.text(name+"s", func(yield func(string)) {
		yield(strings.Join(lines, "\n"))
	})
}

// rows writes the table of addresses. Values that are rows count from 1.
func (d *dataWriter) rows(s *shelf, reasons []crawl.Reason) {
	number := make(map[crawl.Reason]int, len(reasons))
	for i, reason := range reasons {
		number[reason] = i
	}
	rows := s.rows
	d.urls(rows)
	d.words("title", len(rows), func(i int) string { return rows[i].title })
	d.words("conflict", len(rows), func(i int) string { return rows[i].conflict })
	d.words("detail", len(rows), func(i int) string { return rows[i].detail })
	for _, column := range []struct {
		name  string
		value func(r *row) int
	}{
		{"reason", func(r *row) int { return number[r.reason] }},
		{"status", func(r *row) int { return int(r.status) }},
		{"depth", func(r *row) int { return int(r.depth) }},
		{"linked", func(r *row) int { return int(r.linked) }},
		{"took", func(r *row) int { return int(r.took.Milliseconds()) }},
		{"size", func(r *row) int { return int(r.size) }},
		{"target", func(r *row) int { return s.number(r.target) }},
		{"kind", kindOf},
		{"given", func(r *row) int { return int(r.given) }},
	} {
		d.numbers(column.name, len(rows), func(i int) int { return column.value(&rows[i]) })
	}
}

// kindOf is 0 for a page in HTML, 1 for another address of the site, 2 for one
// of another site.
func kindOf(r *row) int {
	switch {
	case r.role == crawl.RoleExternal || r.reason == crawl.ReasonOutOfScope:
		return 2
	case r.role == crawl.RoleAsset || !r.html:
		return 1
	}
	return 0
}

// number returns the row of an address, or 0.
func (s *shelf) number(id crawl.ID) int {
	if id <= 0 || int(id) >= len(s.at) {
		return 0
	}
	return int(s.at[id])
}

// groups writes likenesses: how many are alike, then their rows.
func (d *dataWriter) groups(name string, groups []group, s *shelf) error {
	lists := make([][]int, 0, len(groups))
	for _, g := range groups[:min(len(groups), mostGroups)] {
		list := []int{g.total}
		for _, id := range g.members {
			list = append(list, s.number(id))
		}
		lists = append(lists, list)
	}
	return d.value(name, lists)
}

// ends writes broken links: row, fragment, why, number of links, and of some of
// them page and text in turn.
func (d *dataWriter) ends(name string, ends []*deadEnd, s *shelf) error {
	lists := make([][]any, 0, len(ends))
	for _, end := range ends {
		list := []any{s.number(end.target), end.fragment, end.why, end.total}
		for _, source := range end.sources {
			list = append(list, s.number(source.page), source.text)
		}
		lists = append(lists, list)
	}
	return d.value(name, lists)
}

// languages writes the faults of language versions: row, fault, row of the
// version, language.
func (d *dataWriter) languages(name string, findings []languageFinding, s *shelf) error {
	lists := make([][]any, 0, len(findings))
	for _, f := range findings {
		lists = append(lists, []any{s.number(f.page), int(f.fault), s.number(f.other), format.Truncate(format.Plain(f.language), 40)})
	}
	return d.value(name, lists)
}

// tree writes the folders: level, name and figures.
func (d *dataWriter) tree(name string, branches []branch) error {
	lists := make([][]any, 0, len(branches))
	for _, b := range branches {
		lists = append(lists, []any{b.Level, b.Name, b.Total, b.Listed, b.Broken})
	}
	return d.value(name, lists)
}
