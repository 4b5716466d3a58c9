package build

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/build/dedupe"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/problems"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/source"
)

// A buildRow is a page of a source.
type buildRow struct {
	publish.Page
	location string
	line     int
	isLog    bool // the source repeats pages
	dropped  []error
}

// rowBatch is how many rows in a row are valid at the same time.
const rowBatch = 32

// rowRing is where rows are kept until they are compared with those before.
type rowRing struct {
	rows [rowBatch + 1]buildRow
	at   int
}

// next returns the row that was used longest ago.
func (r *rowRing) next() *buildRow {
	r.at = (r.at + 1) % len(r.rows)
	return &r.rows[r.at]
}

// all yields the rows of all sources. A [*source.RowError] is about one row; any other
// error is final.
func (b *build) all(ctx context.Context) iter.Seq2[*buildRow, error] {
	return func(yield func(*buildRow, error) bool) {
		for _, from := range b.sources {
			is, _ := sqlite.IsDatabase(from.name) // source.Rows reports the error
			if is && from.kind == source.KindAny {
				for page, err := range crawledPages(ctx, from.name) {
					row := b.ring.next()
					*row = buildRow{location: from.name}
					if err == nil {
						row.Page = *page
					}
					if !yield(row, err) || err != nil {
						return
					}
				}
				continue
			}
			options := b.rows
			options.Kind = from.kind
			if !b.passOn(source.Rows(ctx, from.name, &options), yield) {
				return
			}
		}
		if b.database != nil {
			b.passOn(b.queried(ctx), yield)
		}
	}
}

// set copies a row of a source. Extensions, which are large, are rare.
func (r *buildRow) set(found *source.Row) {
	r.Loc, r.LastMod, r.ChangeFreq, r.Priority = found.Loc, found.LastMod, found.ChangeFreq, found.Priority
	if !found.Extensions.IsZero() || !r.Extensions.IsZero() {
		r.Extensions = found.Extensions
		access.CutExtensionUsers(&r.Extensions)
	}
	r.Title, r.location, r.line, r.isLog = found.Title, found.Location, found.Line, found.Kind == source.KindLog
	r.dropped = append(r.dropped[:0], found.Dropped...)
}

// passOn yields the rows of a source. It reports false when the iteration has ended.
func (b *build) passOn(rows iter.Seq2[*source.Row, error], yield func(*buildRow, error) bool) bool {
	for found, err := range rows {
		row := b.ring.next()
		if err == nil {
			row.set(found)
		}
		if !yield(row, err) || err != nil && !isRowError(err) {
			return false
		}
	}
	return true
}

// crawledPages yields the pages that a crawl lists.
func crawledPages(ctx context.Context, name string) iter.Seq2[*publish.Page, error] {
	return func(yield func(*publish.Page, error) bool) {
		file, err := crawlfile.Open(name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		c := &crawlfile.Crawled{File: file}
		for page, err := range c.Pages(ctx) {
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// A skippedRow is the error of a row that is left out, which does not end the build. It
// passes between the rows in its order.
type skippedRow struct {
	count *int
	error
}

// listable yields the rows that may be listed, and a [*skippedRow] for others. A file with
// more invalid rows than others ends the build: it is something else.
func (b *build) listable(ctx context.Context) iter.Seq2[*buildRow, error] {
	return func(yield func(*buildRow, error) bool) {
		for row, err := range b.all(ctx) {
			if err != nil && !isRowError(err) {
				yield(nil, err)
				return
			}
			if invalid := b.file.begin(locationOf(row, err)); invalid != nil {
				yield(nil, invalid)
				return
			}
			b.result.Rows++
			b.file.rows++
			use := false
			if err == nil {
				use, err = b.admit(row)
			} else {
				err = b.skip(err)
			}
			if use && !b.reportDropped(row, yield) || (use || err != nil) && !yield(row, err) {
				return
			}
		}
		if invalid := b.file.begin(""); invalid != nil {
			yield(nil, invalid)
		}
	}
}

// skip counts a row that its source leaves out, and returns the error to pass on: nil for
// one that is unlisted.
func (b *build) skip(err error) error {
	if unlisted, is := errors.AsType[*source.UnlistedError](err); is {
		b.result.Unlisted++
		b.countReason(unlisted.Error())
		return nil
	}
	b.file.addInvalid(err)
	return &skippedRow{&b.result.Invalid, err}
}

// errDropped says what becomes of a row with a value that cannot be used.
var errDropped = errors.New("the page is listed without it")

// reportDropped yields the values that a row has lost. It reports false when the iteration
// has ended.
func (b *build) reportDropped(row *buildRow, yield func(*buildRow, error) bool) bool {
	for _, err := range row.dropped {
		if !yield(nil, &skippedRow{&b.result.DroppedValues, fmt.Errorf("%w: %w", err, errDropped)}) {
			return false
		}
	}
	return true
}

// admit reports whether a row belongs to the site and the patterns do not exclude it.
func (b *build) admit(row *buildRow) (bool, error) {
	if !b.onSite(row.Loc) {
		return false, &skippedRow{&b.result.OutOfScope, rowProblem(row, problems.ErrOutOfScope)}
	}
	b.unused.See(row.Loc)
	switch reason, _ := b.scope.Reason(row.Loc); reason {
	case crawl.ReasonListed:
		return true, nil
	case crawl.ReasonOutOfScope:
		return false, &skippedRow{&b.result.OutOfScope, rowProblem(row, problems.ErrOutOfScope)}
	}
	b.result.Excluded++
	return false, nil
}

// onSite reports whether an address is one of the site: below the base URL or, with the
// subdomains setting, on a subdomain of its host.
func (b *build) onSite(address string) bool {
	if strings.HasPrefix(address, b.folder) {
		return true
	}
	host, found := strings.CutPrefix(address, b.base.Scheme+"://")
	host, _, _ = strings.Cut(host, "/")
	return found && b.scope.Subdomains && strings.HasSuffix(host, "."+b.base.Host)
}

// publishable yields the pages of rows, and reports the rows that are left out.
func (b *build) publishable(rows iter.Seq2[*buildRow, error]) iter.Seq2[*publish.Page, error] {
	return func(yield func(*publish.Page, error) bool) {
		for row, err := range rows {
			if left, ok := err.(*skippedRow); ok {
				if err = b.leave(left.count, left.error); err == nil {
					continue
				}
			}
			var page *publish.Page
			if err == nil {
				page = &row.Page
			}
			if !yield(page, err) {
				return
			}
		}
	}
}

// deduplication says when rows are of one page, and what happens to the later ones.
func (b *build) deduplication() *dedupe.Options[*buildRow] {
	return &dedupe.Options[*buildRow]{
		Batch:  rowBatch,
		Key:    b.key,
		Append: appendRow,
		Parse:  b.parseRow,
		OnRepeat: func(row *buildRow, conflict bool) error {
			reason := problems.ErrDuplicate
			if conflict {
				reason = problems.ErrConflict
				b.result.Conflicts++
			}
			if row.isLog { // which repeats pages by its nature
				b.result.Duplicates++
				return nil
			}
			return b.leave(&b.result.Duplicates, rowProblem(row, reason))
		},
	}
}

func (b *build) key(row *buildRow) dedupe.Key {
	var date, frequency, priority uint64
	if !row.LastMod.IsZero() {
		date = uint64(row.LastMod.Unix())<<4 | uint64(row.LastMod.Precision())
	}
	for _, c := range []byte(row.ChangeFreq) {
		frequency = frequency<<8 | uint64(c)
	}
	if value, present := row.Priority.Value(); present {
		priority = 1 + uint64(value*1e6)
	}
	return dedupe.Key{Hash: b.hasher.Hash(row.Loc), Facts: dedupe.FactsOf(date, frequency, priority)}
}

// isRowError reports whether an error is about one row, so that the rows after it can be
// read.
func isRowError(err error) bool {
	_, is := errors.AsType[*source.RowError](err)
	return is
}
