package report

import (
	"context"
	"strconv"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// Limits of the links in the HTML report. The counts are exact.
const (
	// maxPageLinks is how many links to a page, and from it, its panel shows at most.
	maxPageLinks = 50
	// maxLinkBytes limits all links, and maxLinkTexts their texts.
	maxLinkBytes, maxLinkTexts = 4 << 20, 1 << 20
	// linkSize is about how many bytes a link takes: two numbers of rows or texts.
	linkSize = 11
)

// linkLimits are the limits that are tried for the links of a page.
var linkLimits = []int64{maxPageLinks, 30, 20, 10, 5, 2, 0}

// linkLimit returns how many links to a page, and from it, the report has room for.
func (g *pageReport) linkLimit() int64 {
	if g.brief {
		return 0
	}
	for _, limit := range linkLimits {
		total := int64(0)
		for _, c := range g.columns {
			if c.Key != "linked_from" && c.Key != "links" {
				continue
			}
			for _, n := range c.numbers {
				total += min(n, limit)
			}
		}
		if total*linkSize <= maxLinkBytes {
			return limit
		}
	}
	return 0
}

// linkWriter writes links between the URLs of the report: each once, although the
// panels of both of its ends show it. It writes a list of numbers: the row of a page,
// negated, then row and text for each URL that the page links to.
type linkWriter struct {
	*dataWriter
	report  *pageReport
	rows    *rowTable
	limit   int64
	from    int      // row of the page of the last link, or 0
	shown   int64    // links from it
	written bool     // from is written
	samples []*panel // by row: the panel to add links to, or nil
	last    []int32  // by row: row of the last page that links to it
	shownTo []int64  // by row: links to it
	texts   textTable
}

// pageLinks writes links and their texts, and adds them to the samples.
func (d *dataWriter) pageLinks(ctx context.Context, g *pageReport) error {
	w := &linkWriter{
		dataWriter: d, report: g, rows: g.rows, limit: g.linkLimit(),
		last: make([]int32, len(g.rows.rows)+1), shownTo: make([]int64, len(g.rows.rows)+1),
		texts: textTable{limit: maxLinkTexts},
	}
	w.samples = make([]*panel, len(g.rows.rows)+1)
	for id, sample := range g.samples {
		w.samples[g.rows.number(id)] = sample
	}
	if err := d.value("linkLimit", w.limit); err != nil {
		return err
	}
	d.member("pageLinks")
	d.out.WriteByte('[')
	if w.limit > 0 {
		for e, err := range g.file.Edges(ctx) {
			if err != nil {
				return err
			}
			w.add(&e)
		}
	}
	d.out.WriteString("0]")
	d.lines("linkTexts", w.texts.lines)
	return nil
}

// add writes a link if one of its ends has room for it.
func (w *linkWriter) add(e *store.PageEdge) {
	from, to := w.rows.number(e.From), w.rows.number(e.To)
	if from == 0 || to == 0 || from == to || !page.IsFollowable(e.Kind) || w.last[to] == int32(from) {
		return
	}
	w.last[to] = int32(from)
	if from != w.from {
		w.from, w.shown, w.written = from, 0, false
	}
	if w.shown >= w.limit && w.shownTo[to] >= w.limit {
		return
	}
	w.shown++
	w.shownTo[to]++
	if !w.written {
		w.written = true
		w.number(-from)
	}
	text := format.Truncate(format.Plain(e.Text), maxLinkText)
	w.number(to)
	w.number(w.texts.number(text))
	if sample := w.samples[from]; sample != nil {
		addLink(sample.Out, w.report.linkToRow(to, text))
	}
	if sample := w.samples[to]; sample != nil {
		addLink(sample.In, w.report.linkToRow(from, text))
	}
}

func (w *linkWriter) number(n int) {
	w.line = append(strconv.AppendInt(w.line[:0], int64(n), 10), ',')
	w.out.Write(w.line)
}
