package report

import (
	"bufio"
	"context"
	"io"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// WriteJSON writes one object: the crawl, its numbers, those of the URLs by decision, the broken
// links, the hreflang errors and all URLs. It streams.
func WriteJSON(ctx context.Context, file crawl.Reader, w io.Writer) error {
	summary, err := file.Summary(ctx)
	if err != nil {
		return err
	}
	broken, err := FindBrokenLinks(ctx, file)
	if err != nil {
		return err
	}
	type count struct {
		Decision    string `json:"decision"`
		Count       int    `json:"count"`
		Explanation string `json:"explanation,omitempty"`
	}
	counts := []count{}
	for _, line := range reasonCounts(summary) {
		counts = append(counts, count{DecisionName(line.Reason), line.Count, line.Plural})
	}
	d := &dataWriter{out: bufio.NewWriterSize(w, 64<<10)}
	d.out.WriteByte('{')
	meta := file.Meta()
	for _, member := range []struct {
		name  string
		value any
	}{{"start", meta.Start}, {"program", meta.Program}, {"finished", file.Finished()}, {"pages", summary.Pages},
		{"listed", summary.Listed()}, {"broken_urls", summary.Broken()}, {"decisions", counts}} {
		if err := d.value(member.name, member.value); err != nil {
			return err
		}
	}
	if err := d.broken(ctx, broken); err != nil {
		return err
	}
	languages, err := checkHreflang(ctx, file)
	if err != nil {
		return err
	}
	if err := d.hreflangRecords(file, languages); err != nil {
		return err
	}
	if err := d.addresses(ctx, file); err != nil {
		return err
	}
	d.out.WriteString("\n}\n")
	return d.out.Flush()
}

// broken writes the broken links.
func (d *dataWriter) broken(ctx context.Context, b *BrokenLinks) error {
	type link struct {
		URL    string `json:"url"`
		Why    string `json:"why"`
		Status int    `json:"status,omitempty"`
		Page   string `json:"page"`
		Text   string `json:"text,omitempty"`
	}
	d.member("broken")
	before := "["
	for l, err := range b.Links(ctx) {
		if err == nil {
			err = d.item(&before, link{l.URL, l.Why, l.Status, l.Page, l.Text})
		}
		if err != nil {
			return err
		}
	}
	d.end(before)
	return nil
}

// addresses writes the URLs in the form of WriteJSONL.
func (d *dataWriter) addresses(ctx context.Context, file crawl.Reader) error {
	d.member("addresses")
	return d.array(URLs(ctx, file))
}

// array writes URLs as a list.
func (d *dataWriter) array(urls iter.Seq2[URLRecord, error]) error {
	before := "["
	for a, err := range urls {
		if err == nil {
			err = d.item(&before, &a)
		}
		if err != nil {
			return err
		}
	}
	d.end(before)
	return nil
}

// item writes a list element on its own line after *before, a bracket or a comma.
func (d *dataWriter) item(before *string, v any) error {
	text, err := format.AppendJSON(nil, v)
	if err != nil {
		return err
	}
	d.out.WriteString(*before + "\n")
	*before = ","
	_, err = d.out.Write(text)
	return err
}

func (d *dataWriter) end(before string) {
	if before == "[" {
		d.out.WriteByte('[')
	}
	d.out.WriteString("]")
}
