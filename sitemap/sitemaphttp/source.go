package sitemaphttp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// A Row is a page and its key.
type Row struct {
	Key Key
	// URL is the page. A Loc that begins with a slash is resolved against the host
	// of the handler's base URL.
	sitemap.URL
	// Err says what the source could not read of the row, which is listed without it.
	// It is reported as an invalid row is.
	Err error
}

// A Source yields the rows of a section. Its methods are called from several
// goroutines at once.
type Source interface {
	// Rows yields the rows whose keys are in the range, in ascending order of their
	// keys, which are unique. The order of text keys is the source's own: it must
	// always be the same and agree with the bounds of the range.
	//
	// An error ends the sequence, and nothing of it is served. A row may be reused
	// for the next one. When ctx ends, so should the sequence.
	Rows(ctx context.Context, keys Range) iter.Seq2[*Row, error]
}

// A SourceFunc is a function that is a [Source].
type SourceFunc func(ctx context.Context, keys Range) iter.Seq2[*Row, error]

// Rows calls f.
func (f SourceFunc) Rows(ctx context.Context, keys Range) iter.Seq2[*Row, error] { return f(ctx, keys) }

// Slice returns a source of pages in memory, in any order. The key of a page is its
// Loc; of several pages with the same, the first counts. The slice is copied.
func Slice(pages []sitemap.URL) Source {
	rows := make([]Row, len(pages))
	for i, page := range pages {
		rows[i] = Row{Key: Text(page.Loc), URL: page}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(a.Loc, b.Loc) })
	rows = slices.CompactFunc(rows, func(a, b Row) bool { return a.Loc == b.Loc })
	return SourceFunc(func(_ context.Context, keys Range) iter.Seq2[*Row, error] {
		first, _ := slices.BinarySearchFunc(rows, keys.From, func(r Row, k Key) int { return r.Key.Compare(k) })
		return func(yield func(*Row, error) bool) {
			for i := first; i < len(rows) && keys.Contains(rows[i].Key); i++ {
				if !yield(&rows[i], nil) {
					return
				}
			}
		}
	})
}

// Seq returns a source of a sequence that yields all rows, in the order of
// [Key.Compare], every time it is iterated. It is iterated from its beginning for
// every part, so a source that can begin at a key is faster: see [SourceFunc].
func Seq(rows iter.Seq2[*Row, error]) Source {
	return SourceFunc(func(ctx context.Context, keys Range) iter.Seq2[*Row, error] {
		return func(yield func(*Row, error) bool) {
			var last Key
			for row, err := range rows {
				switch {
				case err == nil && ctx.Err() != nil:
					err = context.Cause(ctx)
				case err == nil && row.Key.Compare(last) <= 0:
					err = fmt.Errorf("%w: %q after %q", errOrder, row.Key, last)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				last = row.Key
				if !keys.Until.IsZero() && last.Compare(keys.Until) >= 0 {
					return
				}
				if keys.Contains(last) && !yield(row, nil) {
					return
				}
			}
		}
	})
}

// pageRows is how many rows are read at once.
const pageRows = 5_000

// Pages returns a source of a function that returns the first rows of a range, limit
// at most, and none when there are no more. It is called again with the last key as
// keys.From, so a page usually begins with the row that ended the page before.
func Pages(page func(ctx context.Context, keys Range, limit int) ([]Row, error)) Source {
	return SourceFunc(func(ctx context.Context, keys Range) iter.Seq2[*Row, error] {
		return func(yield func(*Row, error) bool) {
			var first Key // of the page before
			for again := false; ; again = true {
				rows, err := page(ctx, keys, pageRows)
				if err == nil && again && len(rows) > 1 && rows[0].Key == first {
					err = fmt.Errorf("%w: a page from %q begins with %q again", errOrder, keys.From, first)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if len(rows) > 0 {
					first = rows[0].Key
				}
				if again && len(rows) > 0 && first == keys.From {
					rows = rows[1:]
				}
				if len(rows) == 0 {
					return
				}
				keys.From = rows[len(rows)-1].Key
				for i := range rows {
					if !yield(&rows[i], nil) {
						return
					}
				}
			}
		}
	})
}

var (
	errOrder = errors.New("keys do not ascend")
	errNoKey = errors.New("a row has no key")
	errKinds = errors.New("both integers and texts are keys")
	errRange = errors.New("a key is outside the range that was asked for")
)

// checked yields the rows of a source and ends with an error where they break the
// rules of [Source.Rows] as far as that is known without the order of texts.
func checked(ctx context.Context, source Source, keys Range) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var last Key
		for row, err := range source.Rows(ctx, keys) {
			if err == nil {
				err = checkKey(row.Key, last, keys)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			last = row.Key
			if !yield(row, nil) {
				return
			}
		}
		if ctx.Err() != nil { // a source may end early without an error
			yield(nil, context.Cause(ctx))
		}
	}
}

func checkKey(key, last Key, keys Range) error {
	switch {
	case key.IsZero():
		return errNoKey
	case key.kind != last.kind && !last.IsZero():
		return fmt.Errorf("%w: %q after %q", errKinds, key, last)
	case key == last, key.kind == intKey && key.number < last.number && !last.IsZero():
		return fmt.Errorf("%w: %q after %q", errOrder, key, last)
	case key == keys.Until, key.kind == intKey && last.IsZero() && !keys.Contains(key),
		key.kind == intKey && keys.Until.kind == intKey && key.number > keys.Until.number:
		return fmt.Errorf("%w: %q", errRange, key)
	}
	return nil
}
