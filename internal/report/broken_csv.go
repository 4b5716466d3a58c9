package report

import (
	"context"
	"io"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

// BrokenRules are the rules about links that lead nowhere: to a broken URL, or to a missing anchor.
var BrokenRules = []string{"link-broken", "anchor-missing"}

// WriteBrokenLinks writes the broken links as CSV (RFC 4180): the broken URL, why it is broken, the page
// with the link, the link text. The rows of a URL follow each other. A table of more than limit bytes ends
// with a row that counts the rest: a few bytes of a page can be a row of some kilobytes.
func WriteBrokenLinks(ctx context.Context, file *store.File, w io.Writer, limit int64) error {
	table, further := format.NewCSV(w), 0
	write := func(cells ...string) error {
		for i := range cells {
			cells[i] = format.PlainCell(cells[i])
			limit -= int64(len(cells[i])) + 1
		}
		return table.Write(cells)
	}
	err := write("broken link", "why", "on page", "line", "text")
	for f, findErr := range insight.Read(ctx, file, insight.Filter{Rules: BrokenRules}) {
		switch {
		case err != nil || findErr != nil:
		case limit <= 0:
			further++
		case f.Other == 0:
			err = write(f.URL, whyBroken(&f), "", "", "")
		default:
			err = write(f.OtherURL, whyBroken(&f), f.URL, number(f.Line), f.Place().Text)
		}
		if findErr != nil {
			return findErr
		}
	}
	if err == nil && further > 0 {
		err = write("", format.Plural(further, "more broken link")+", not listed", "", "", "")
	}
	table.Flush()
	if err != nil {
		return err
	}
	return table.Error()
}

// whyBroken returns why the target of a link is broken, in English.
func whyBroken(f *insight.Finding) string {
	if f.Rule.ID == BrokenRules[0] {
		return f.Why().In(english())
	}
	return english().Detail("missing-anchor", nil)
}
