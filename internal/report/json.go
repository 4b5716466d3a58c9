package report

import (
	"bufio"
	"context"
	"io"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

// WriteJSON writes one object: the members of an [Overview], the findings as --findings lists them, and all
// URLs. It streams the lists.
func WriteJSON(ctx context.Context, file *store.File, w io.Writer) error {
	a := &Analysis{file: file}
	err := a.read(ctx, func(pagePair) error { return nil }, func(*Entry) error { return nil })
	if err != nil {
		return err
	}
	overview, err := a.Overview(ctx, &HTMLOptions{})
	if err != nil {
		return err
	}
	text, err := format.AppendJSON(nil, overview)
	if err != nil {
		return err
	}
	d := &dataWriter{out: bufio.NewWriterSize(w, 64<<10), rest: true}
	d.out.Write(text[:len(text)-1]) // the object goes on
	if err := d.findings(ctx, file); err != nil {
		return err
	}
	if err := d.addresses(ctx, file); err != nil {
		return err
	}
	d.out.WriteString("\n}\n")
	return d.out.Flush()
}

// findings writes the findings.
func (d *dataWriter) findings(ctx context.Context, file *store.File) error {
	d.member("findings")
	before := "["
	for f, err := range insight.Group(insight.Read(ctx, file, insight.Filter{})) {
		if err == nil {
			err = d.item(&before, (&PlacedFinding{Finding: f}).json(english()))
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
