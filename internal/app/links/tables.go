package links

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/source"
)

// tableEnds are the ends of the names of tables with URLs. A folder may have them for other reasons: they are read
// only if somebody names them.
var tableEnds = []string{".csv", ".tsv", ".json", ".jsonl", ".ndjson"}

func isTable(name string) bool {
	return slices.Contains(tableEnds, strings.ToLower(filepath.Ext(name)))
}

// copyTable writes the URLs of a table as a text, each on the line where the table has it. Rows without a URL that can
// be used are among what was not read.
func (r *run) copyTable(ctx context.Context, name string, to io.Writer) error {
	options := &source.RowOptions{Kind: source.KindList, Columns: map[string]string{}}
	for _, field := range source.Fields()[1:] { // a page that must not be listed may still have links to it
		options.Columns[field] = ""
	}
	out := bufio.NewWriter(to)
	line := 1
	for row, err := range source.Rows(ctx, name, options) {
		if _, isRow := errors.AsType[*source.RowError](err); isRow {
			r.result.Unread = append(r.result.Unread, err)
			continue
		}
		if err != nil {
			return err
		}
		for ; line < row.Line; line++ {
			_ = out.WriteByte('\n') // Flush returns the error
		}
		_, _ = out.WriteString(row.Loc + " ")
	}
	return out.Flush()
}
