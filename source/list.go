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
//     address, link or page, or by another usual name, in many languages; or else the
//     first column that holds URLs;
//   - JSON: objects with a "url" or any other of these names, one a line or in an array.
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
		return parseList(in, extension(name), nil, true)
	})
}

// failed yields only an error.
func failed(err error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", err) }
}

// parseList reads one list of any format. guess is that of [parseCSV].
func parseList(in *bufio.Reader, extension string, columns map[string]string, guess bool) iter.Seq2[*record, error] {
	first := firstLine(in)
	switch extension {
	case ".csv", ".tsv":
		return parseCSV(in, delimiterOf(first.content), columns, guess)
	case ".jsonl", ".ndjson":
		return parseJSON(in, columns, guess, true)
	case ".txt":
		return parseText(in)
	}
	switch {
	case isJSON(first.any):
		return parseJSON(in, columns, guess, false)
	case isTable(first.content, columns):
		return parseCSV(in, delimiterOf(first.content), columns, guess)
	}
	return parseText(in)
}

// isJSON reports whether a file begins as JSON does. Other texts may begin with a bracket.
func isJSON(first []byte) bool {
	if rest, found := bytes.CutPrefix(first, []byte("[")); found {
		rest = bytes.TrimLeft(rest, " \t\r")
		return len(rest) == 0 || bytes.IndexByte([]byte(`{"]`), rest[0]) >= 0
	}
	return len(first) > 0 && first[0] == '{'
}

// A firstLines has lines at the beginning of a file, without reading it.
type firstLines struct {
	any     []byte // the first one that is not blank
	content []byte // the first one that is no comment either; a header may begin with # too
}

// firstLine returns the beginning of a file.
func firstLine(in *bufio.Reader) (first firstLines) {
	text, _ := in.Peek(16 << 10)
	for len(text) > 0 && len(first.content) == 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimLeft(bytes.TrimSuffix(line, []byte("\r")), " \t"); len(line) == 0 {
			continue
		}
		if len(first.any) == 0 {
			first.any = line
		}
		if line[0] != '#' || newTable(nil).namesAddresses(splitLine(line, delimiterOf(line))) {
			first.content = line
		}
	}
	return first
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
		found.cells[fieldLoc] = cell{text: l.text, column: l.column}
		found.isText = true
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
