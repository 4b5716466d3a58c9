package report

import (
	"bufio"
	"context"
	"io"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

// WriteJSON writes one object: the members of an [Overview], the findings as --findings lists them, and all
// URLs. It streams the lists.
func WriteJSON(ctx context.Context, file *store.File, w io.Writer) error {
	overview, err := ReadOverview(ctx, file, &HTMLOptions{})
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
	d.member("addresses")
	if err := d.pages(file.ReadPages(ctx)); err != nil {
		return err
	}
	d.out.WriteString("\n}\n")
	return d.out.Flush()
}

// findings writes the findings.
func (d *dataWriter) findings(ctx context.Context, file *store.File) error {
	d.member("findings")
	before := "["
	for f, err := range insight.ReadGroups(ctx, file, insight.Filter{}, insight.Part{}) {
		if err == nil {
			err = d.item(&before, &f)
		}
		if err != nil {
			return err
		}
	}
	d.end(before)
	return nil
}

// pages writes URLs as a list.
func (d *dataWriter) pages(pages Pages) error {
	before := "["
	for p, err := range pages {
		if err != nil {
			return err
		}
		d.line = append(p.AppendJSON(append(d.line[:0], '{')), '}')
		d.write(&before, d.line)
	}
	d.end(before)
	return nil
}

// item writes a list element on its own line after *before, a bracket or a comma.
func (d *dataWriter) item(before *string, v any) error {
	text, err := format.AppendJSON(nil, v)
	if err == nil {
		d.write(before, text)
	}
	return err
}

func (d *dataWriter) write(before *string, text []byte) {
	d.out.WriteString(*before + "\n")
	*before = ","
	d.out.Write(text)
}

func (d *dataWriter) end(before string) {
	if before == "[" {
		d.out.WriteByte('[')
	}
	d.out.WriteString("]")
}
