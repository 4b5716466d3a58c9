package source

import (
	"bufio"
	"bytes"
	"iter"
	"path/filepath"
	"strings"
)

// Lists yields the URLs in lists, in their order. A name is a path, or "-" for
// standard input. A nil options means the defaults. The formats, also compressed by
// gzip, are:
//
//   - text: one URL a line; blank lines and lines that begin with # are ignored;
//   - CSV, delimited by commas, semicolons or tabs: the column named url, loc,
//     address, link or page, or else the first column that holds URLs;
//   - JSONL: objects with a "url" or "loc", or any other of these names.
//
// The extension of the name selects the format: .txt, .csv, .tsv, .jsonl or
// .ndjson. For any other name the first line does.
//
// The error is an [*Error] for a list that cannot be opened or read to its end,
// and one that wraps a [*SkippedError] for a list with lines that were skipped;
// the iteration continues with the next list. Lists reads lazily, holds one line in
// memory, and can be iterated again unless it reads standard input. URLs are
// yielded without fragment and as often as they are listed.
func Lists(names []string, options *LineOptions) iter.Seq2[string, error] {
	if options == nil {
		options = &LineOptions{}
	}
	resolver, err := newResolver(options.Base)
	if err != nil {
		return failed(err)
	}
	return resolver.read(names, options, func(in *bufio.Reader, name string) iter.Seq2[*record, error] {
		return parseList(in, extension(name), nil)
	})
}

// failed yields only an error.
func failed(err error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", err) }
}

// parseList reads one list of any format.
func parseList(in *bufio.Reader, extension string, columns map[string]string) iter.Seq2[*record, error] {
	first := firstLine(in)
	switch extension {
	case ".csv", ".tsv":
		return parseCSV(in, delimiterOf(first), columns)
	case ".jsonl", ".ndjson":
		return parseJSON(in, columns)
	case ".txt":
		return parseText(in)
	}
	switch {
	case bytes.HasPrefix(first, []byte("{")):
		return parseJSON(in, columns)
	case isTable(first, columns):
		return parseCSV(in, delimiterOf(first), columns)
	}
	return parseText(in)
}

// firstLine returns the beginning of the first line that is not blank, without
// reading it.
func firstLine(in *bufio.Reader) []byte {
	first, _ := in.Peek(16 << 10)
	first = bytes.TrimLeft(first, " \t\r\n")
	first, _, _ = bytes.Cut(first, []byte("\n"))
	return bytes.TrimSuffix(first, []byte("\r"))
}

func extension(name string) string {
	name = strings.ToLower(name)
	return filepath.Ext(strings.TrimSuffix(name, ".gz"))
}

// parseText reads one URL a line.
func parseText(in *bufio.Reader) iter.Seq2[*record, error] {
	return eachLine(in, func(found *record, l *line) (bool, error) {
		if l.text[0] == '#' {
			return false, nil
		}
		found.cells[fieldLoc] = cell{l.text, l.column}
		return true, nil
	})
}

// eachLine yields the record that fill makes of each line that is not blank. When fill
// reports false without an error, the line is ignored.
func eachLine(in *bufio.Reader, fill func(*record, *line) (bool, error)) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		var found record
		for l, err := range lines(in) {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case l.long:
				if !yield(nil, &RowError{Line: l.number, Err: ErrLineTooLong}) {
					return
				}
				continue
			case len(l.text) == 0:
				continue
			}
			found.line = l.number
			use, err := fill(&found, &l)
			if (use || err != nil) && !yield(&found, err) {
				return
			}
		}
	}
}
