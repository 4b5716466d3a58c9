package report

import (
	"context"
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// DiffWriter writes a comparison and reports whether there was any difference.
type DiffWriter func(context.Context, io.Writer, *compare.Comparison) (differs bool, err error)

// DiffFormats are the writers of a comparison by the names of their formats.
var DiffFormats = map[string]DiffWriter{
	"text": WriteDiffText, "json": WriteDiffJSON, "jsonl": WriteDiffJSONL, "html": WriteDiffHTML,
}

// WriteDiffJSONL writes one JSON object per change and line.
func WriteDiffJSONL(ctx context.Context, w io.Writer, c *compare.Comparison) (differs bool, err error) {
	encoder := format.NewEncoder(w)
	for change, err := range c.Changes(ctx) {
		if err == nil {
			err = encoder.Encode(change)
		}
		if err != nil {
			return differs, err
		}
		differs = true
	}
	return differs, nil
}

// countChanges counts the changes by kind.
func countChanges(ctx context.Context, c *compare.Comparison) (counts map[compare.Kind]int, total int, err error) {
	counts = make(map[compare.Kind]int)
	for _, kind := range compare.Kinds {
		counts[kind] = 0
	}
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return nil, 0, err
		}
		counts[change.Kind]++
		total++
	}
	return counts, total, nil
}

// WriteDiffJSON writes one object with one change per line.
func WriteDiffJSON(ctx context.Context, w io.Writer, c *compare.Comparison) (bool, error) {
	counts, total, err := countChanges(ctx, c)
	if err != nil {
		return false, err
	}
	head, err := format.AppendJSON(nil, struct {
		Old    string               `json:"old"`
		New    string               `json:"new"`
		Counts map[compare.Kind]int `json:"counts"`
		Unseen int                  `json:"unseen"`
	}{c.Old.Location, c.New.Location, counts, c.Unseen})
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, `%s,"changes":[`, head[:len(head)-1])
	separator, end := "\n", "]}\n"
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return true, err
		}
		line, err := format.AppendJSON(nil, change)
		if err != nil {
			return true, err
		}
		if _, err := fmt.Fprintf(w, "%s%s", separator, line); err != nil {
			return true, err
		}
		separator, end = ",\n", "\n]}\n"
	}
	_, err = io.WriteString(w, end)
	return total > 0, err
}
