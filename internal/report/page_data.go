package report

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// dataWriter writes the JSON that the script of the HTML report reads. Tables are
// stored by column, because a name for every value would double their size. The
// buffered writer keeps the first error.
type dataWriter struct {
	out  *bufio.Writer
	rest bool // the object already has a member
}

func (d *dataWriter) member(name string) {
	if d.rest {
		d.out.WriteByte(',')
	}
	d.rest = true
	d.out.WriteString("\n\"" + name + "\":")
}

// value writes a small value.
func (d *dataWriter) value(name string, v any) error {
	text, err := format.AppendScriptJSON(nil, v)
	if err != nil {
		return err
	}
	d.member(name)
	d.out.Write(text)
	return nil
}

// text writes a string in pieces.
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

// urls writes one URL per line without the prefix that it shares with the URL
// before, and the lengths of these prefixes. Prefixes are ASCII, where a byte is one
// of the units that JavaScript counts.
func (d *dataWriter) urls(rows []row) {
	shared := func(i int) int {
		if i == 0 {
			return 0
		}
		return rows[i-1].sharedPrefix(&rows[i])
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

// texts writes a column of repeated texts: each distinct text once, one per line,
// and for each row the number of its text from 1. 0 is the empty text and -1 the
// next text that no row had before.
func (d *dataWriter) texts(name string, count int, text func(i int) string) {
	known := map[string]int{"": 0}
	var lines []string
	d.numbers(name, count, func(i int) int {
		number, found := known[text(i)]
		if found {
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

// rows writes the table of URLs. Row numbers count from 1.
func (d *dataWriter) rows(s *rowTable, reasons []crawl.Reason) {
	number := make(map[crawl.Reason]int, len(reasons))
	for i, reason := range reasons {
		number[reason] = i
	}
	rows := s.rows
	d.urls(rows)
	d.texts("title", len(rows), func(i int) string { return rows[i].title })
	d.texts("conflict", len(rows), func(i int) string { return rows[i].conflict })
	d.texts("detail", len(rows), func(i int) string { return rows[i].detail })
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

// kindOf returns 0 for an HTML page, 1 for another URL of the site, 2 for a URL of
// another site.
func kindOf(r *row) int {
	switch {
	case r.role == crawl.RoleExternal || r.reason == crawl.ReasonOutOfScope:
		return 2
	case r.role == crawl.RoleAsset || !r.html:
		return 1
	}
	return 0
}

// number returns the row number of a URL, or 0.
func (s *rowTable) number(id crawl.ID) int {
	if id <= 0 || int(id) >= len(s.rowByID) {
		return 0
	}
	return int(s.rowByID[id])
}

// groups writes groups of pages: the number of pages, then the rows of the first.
func (d *dataWriter) groups(name string, groups []pageGroup, s *rowTable) error {
	lists := make([][]int, 0, len(groups))
	for _, g := range groups[:min(len(groups), maxGroups)] {
		list := []int{g.total}
		for _, id := range g.members {
			list = append(list, s.number(id))
		}
		lists = append(lists, list)
	}
	return d.value(name, lists)
}

// brokenTargets writes broken links: row, fragment, why, number of links, then page
// and text of some of the links.
func (d *dataWriter) brokenTargets(name string, targets []*brokenTarget, s *rowTable) error {
	lists := make([][]any, 0, len(targets))
	for _, target := range targets {
		list := []any{s.number(target.id), target.fragment, target.why, target.links}
		for _, source := range target.sources {
			list = append(list, s.number(source.page), source.text)
		}
		lists = append(lists, list)
	}
	return d.value(name, lists)
}

// hreflang writes hreflang errors: row, error, row of the version, language.
func (d *dataWriter) hreflang(name string, findings []hreflangFinding, s *rowTable) error {
	lists := make([][]any, 0, len(findings))
	for _, f := range findings {
		lists = append(lists, []any{s.number(f.page), int(f.fault), s.number(f.other),
			format.Truncate(format.Plain(f.language), 40)})
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
