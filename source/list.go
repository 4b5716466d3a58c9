package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"iter"
	"path/filepath"
	"strings"
)

// Lists yields the URLs in lists, in their order. A name is a path, or "-" for
// standard input. A nil options means the defaults. The formats, each of which may
// be compressed by gzip, are:
//
//   - text: one URL a line; blank lines and lines that begin with # are ignored;
//   - CSV, delimited by commas, semicolons or tabs: the column named url, loc,
//     address, link or page, or else the first column that holds URLs;
//   - JSONL: objects with a "url" or "loc".
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
	return read(names, options, resolver.list)
}

// failed yields only an error.
func failed(err error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", err) }
}

// list reads one list of any format.
func (r *resolver) list(in *bufio.Reader, name string, skipped *SkippedError) iter.Seq2[string, error] {
	first, _ := in.Peek(4 << 10)
	first = bytes.TrimLeft(first, " \t\r\n")
	first, _, _ = bytes.Cut(first, []byte("\n"))
	switch extension(name) {
	case ".csv", ".tsv":
		return r.csv(in, delimiterOf(first), skipped)
	case ".jsonl", ".ndjson":
		return r.json(in, skipped)
	case ".txt":
		return r.text(in, skipped)
	}
	switch {
	case bytes.HasPrefix(first, []byte("{")):
		return r.json(in, skipped)
	case isHeader(first):
		return r.csv(in, delimiterOf(first), skipped)
	}
	return r.text(in, skipped)
}

func extension(name string) string {
	name = strings.ToLower(name)
	return filepath.Ext(strings.TrimSuffix(name, ".gz"))
}

func (r *resolver) text(in *bufio.Reader, skipped *SkippedError) iter.Seq2[string, error] {
	return r.each(in, skipped, func(l line) ([]byte, error) {
		if l.text[0] == '#' {
			return nil, nil
		}
		return l.text, nil
	})
}

func (r *resolver) json(in *bufio.Reader, skipped *SkippedError) iter.Seq2[string, error] {
	return r.each(in, skipped, func(l line) ([]byte, error) {
		var object struct{ URL, Loc string }
		if json.Unmarshal(l.text, &object) != nil {
			return nil, errBrokenJSON
		}
		if object.URL == "" {
			object.URL = object.Loc
		}
		if object.URL == "" {
			return nil, ErrNoAddress
		}
		return []byte(object.URL), nil
	})
}

// each yields the URL that find returns for each line. When find returns neither a
// URL nor an error, the line is ignored.
func (r *resolver) each(
	in *bufio.Reader, skipped *SkippedError, find func(line) ([]byte, error),
) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for l, err := range lines(in) {
			switch {
			case err != nil:
				yield("", err)
				return
			case l.long:
				skipped.skip(l.number, ErrLineTooLong)
				continue
			case len(l.text) == 0:
				continue
			}
			found, err := find(l)
			if found == nil && err == nil {
				continue
			}
			var address string
			if err == nil {
				address, err = r.resolve(found)
			}
			if err != nil {
				skipped.skip(l.number, err)
			} else if !yield(address, nil) {
				return
			}
		}
	}
}
