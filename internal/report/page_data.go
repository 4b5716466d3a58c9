package report

import (
	"bufio"
	"hash/maphash"
	"strconv"

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
		line = format.AppendScriptString(line[:0], piece)
		d.out.Write(line)
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

// texts writes a column of texts as numbers of a [textTable]. Texts of few values are
// found wherever they occurred before.
func (d *dataWriter) texts(name string, count int, few bool, text func(i int) string) {
	table := textTable{few: few}
	d.numbers(name, count, func(i int) int { return table.number(text(i)) })
	d.text(name+"Texts", table.each)
}

var textSeed = maphash.MakeSeed()

// textTable numbers texts: 0 is the empty text, 1 the next text in the table, and any
// other number one more than that of a text that was used before, from 1. The texts are
// written one per line. The zero table is ready to use.
type textTable struct {
	few     bool             // the texts have few values; otherwise only the last is used again
	numbers map[uint64]int32 // of few values, by their hashes, which are smaller than the texts
	lines   []string
	limit   int // bytes of all texts, beyond which a new text is 0; no limit if 0
	size    int
}

func (t *textTable) number(text string) int {
	last := len(t.lines)
	switch {
	case text == "":
		return 0
	case last > 0 && t.lines[last-1] == text:
		return last + 1
	}
	var hash uint64
	if t.few {
		hash = maphash.String(textSeed, text)
		if number, found := t.numbers[hash]; found {
			return int(number) + 1
		}
	}
	if t.limit > 0 && t.size+len(text) > t.limit {
		return 0
	}
	t.size += len(text)
	t.lines = append(t.lines, text)
	if t.few {
		if t.numbers == nil {
			t.numbers = map[uint64]int32{}
		}
		t.numbers[hash] = int32(last + 1)
	}
	return 1
}

// each yields the texts.
func (t *textTable) each(yield func(string)) {
	for i, line := range t.lines {
		if i > 0 {
			yield("\n")
		}
		yield(line)
	}
}

// rows writes the table of URLs. Row numbers count from 1.
func (d *dataWriter) rows(s *rowTable, reasons []crawl.Reason) {
	number := make(map[crawl.Reason]int, len(reasons))
	for i, reason := range reasons {
		number[reason] = i
	}
	rows := s.rows
	d.urls(rows)
	for _, column := range []struct {
		name string
		few  bool
		text func(r *row) string
	}{
		{"title", false, func(r *row) string { return r.title }},
		{"conflict", true, func(r *row) string { return r.conflict }},
		{"detail", true, func(r *row) string { return r.detail }},
		{"description", false, func(r *row) string { return r.facts.Description }},
		{"heading", false, func(r *row) string { return r.facts.H1 }},
		{"ogType", true, func(r *row) string { return r.facts.OpenGraphType }},
		{"jsonLD", true, func(r *row) string { return r.facts.JSONLD }},
		{"media", true, func(r *row) string { return r.mediaType }},
		{"rendered", true, func(r *row) string { return r.rendered }},
		{"language", true, func(r *row) string { return r.language }},
		{"lastMod", false, func(r *row) string { return r.lastMod }},
		{"lastModSource", true, func(r *row) string { return r.lastModSource }},
		{"etag", false, func(r *row) string { return r.etag }},
		{"modified", false, func(r *row) string { return r.lastModified }},
	} {
		d.texts(column.name, len(rows), column.few, func(i int) string { return column.text(&rows[i]) })
	}
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
		{"previous", func(r *row) int { return s.number(r.previous) }},
		{"titleLength", func(r *row) int { return int(r.titleLength) }},
		{"descriptionLength", func(r *row) int { return int(r.descriptionLength) }},
		{"wordCount", func(r *row) int { return int(r.words) }},
		{"time", func(r *row) int { return int(r.time) }},
		{"reused", func(r *row) int { return number1(r.reused) }},
		{"hasFacts", func(r *row) int { return number1(r.hasFacts) }},
		{"images", func(r *row) int { return r.facts.ImagesWithoutAlt }},
		{"openGraph", func(r *row) int { return int(r.facts.OpenGraph) }},
		{"links", func(r *row) int { return int(r.links) }},
	} {
		d.numbers(column.name, len(rows), func(i int) int { return column.value(&rows[i]) })
	}
}

// kindOtherSite is the kind of the URLs of other sites.
const kindOtherSite = 2

// kindOf returns 0 for an HTML page, 1 for another URL of the site, or kindOtherSite.
func kindOf(r *row) int {
	switch {
	case r.role == crawl.RoleExternal || r.reason == crawl.ReasonOutOfScope:
		return kindOtherSite
	case r.role == crawl.RoleAsset || !r.html:
		return 1
	}
	return 0
}

// number1 returns 1 for true.
func number1(is bool) int {
	if is {
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

// tree writes the folders: level, name and figures.
func (d *dataWriter) tree(name string, branches []branch) error {
	lists := make([][]any, 0, len(branches))
	for _, b := range branches {
		lists = append(lists, []any{b.Level, b.Name, b.Total, b.Listed, b.Broken})
	}
	return d.value(name, lists)
}
