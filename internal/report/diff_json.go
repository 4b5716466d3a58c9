package report

import (
	"context"
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// WriteDiffJSONL writes one JSON object per change and line.
func WriteDiffJSONL(ctx context.Context, w io.Writer, d *Diff) error {
	encoder := format.NewEncoder(w)
	for change, err := range d.Rows(ctx) {
		if err == nil {
			err = encoder.Encode(change)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteDiffJSON writes one object with one change per line.
func WriteDiffJSON(ctx context.Context, w io.Writer, d *Diff) error {
	head, err := format.AppendJSON(nil, struct {
		Old    string          `json:"old"`
		New    string          `json:"new"`
		Counts *compare.Counts `json:"counts"`
	}{d.Old, d.New, &d.Counts})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `%s,"changes":[`, head[:len(head)-1])
	separator, end := "\n", "]}\n"
	for change, err := range d.Rows(ctx) {
		if err != nil {
			return err
		}
		line, err := format.AppendJSON(nil, change)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s", separator, line); err != nil {
			return err
		}
		separator, end = ",\n", "\n]}\n"
	}
	_, err = io.WriteString(w, end)
	return err
}
