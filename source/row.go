package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// A Row is a page that a source lists, with what the source says about it.
type Row struct {
	// URL is the page. Loc is absolute and normalized as in a crawl, without fragment.
	sitemap.URL
	// Title is the title of the page, empty where the source has none.
	Title string
	// Location is the path or URL of the file, "-" for standard input, or [Query].
	Location string
	// Line is the line of the file, or the row of a query, counted from 1. It is 0 for
	// an entry of a sitemap.
	Line int
	// Kind is the kind of the source, KindList for a query.
	Kind Kind
	// Dropped has a [*RowError] for each value that cannot be used, such as a lastmod that
	// is not a date. The row does not have these values.
	Dropped []error
}

// clear removes what the source says about the page.
func (r *Row) clear() {
	r.LastMod, r.ChangeFreq, r.Priority, r.Title = sitemap.Date{}, "", sitemap.Priority{}, ""
	r.Dropped = r.Dropped[:0]
	if !r.Extensions.IsZero() {
		r.Extensions = sitemap.Extensions{}
	}
}

// A RowError reports a row that is left out. The others are read.
type RowError struct {
	Location     string // as in [Row]
	Line, Column int    // counted from 1, Column in bytes; 0 where unknown
	Err          error
}

// Error returns the location, the position and the reason.
func (e *RowError) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %v", e.Location, e.Err)
	case e.Location == Query:
		return fmt.Sprintf("row %d of the query: %v", e.Line, e.Err)
	case e.Column == 0:
		return fmt.Sprintf("%s: line %d: %v", e.Location, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: line %d, column %d: %v", e.Location, e.Line, e.Column, e.Err)
}

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// A Kind is a kind of source. The zero value recognizes it by its content.
type Kind int

// The kinds of sources that [Rows] can be forced to read.
const (
	KindAny     Kind = iota
	KindList         // text, CSV or JSONL, as in [Lists]
	KindLog          // an access log, as in [Logs]
	KindSitemap      // anything that [Sitemaps] reads
)

// RowOptions configure [Rows] and [SQL].
type RowOptions struct {
	// Stdin is read for the name "-". nil is empty.
	Stdin io.Reader
	// Base is the absolute URL that relative addresses are resolved against. Without it they are errors.
	Base string
	// Kind is the kind of the source.
	Kind Kind
	// Columns has, by field, the names of columns that differ from the usual ones. The
	// fields are [Fields]. An empty name ignores a field. Columns of a table without a
	// header are numbered from 1. The cells of a column that is named here are taken as
	// they are.
	Columns map[string]string
	// StripParameters are names of query parameters that do not change the page; a * at
	// the end matches any ending. They are removed. From access logs, session and
	// tracking parameters are always removed.
	StripParameters []string
	// Sitemaps configure how sitemaps are opened; nil means the defaults.
	Sitemaps *Options
}

// Rows yields the pages that a source lists, in its order. name is a path, "-", or
// anything that [Sitemaps] accepts. A file is recognized by its content, except that
// the endings .csv, .tsv, .txt and .jsonl choose among the formats of lists:
//
//   - XML, RSS and Atom, and an index of sitemaps, which is followed;
//   - JSONL: the lines of "mapa list --format jsonl", or objects with other fields; and
//     JSON: the objects of the arrays in it;
//   - an access log: pages that were answered with 200 or 304, other files left out;
//   - CSV with commas, semicolons or tabs, by the names in its header. A header that names
//     no column with addresses is a [*ColumnError];
//   - text: one URL a line.
//
// A column or field such as "status", "indexability" or "published" may say that a page
// must not be listed: its row is a [*RowError] of an [*UnlistedError].
//
// A row is valid until the next one. Its texts stay valid, but share memory with those of
// some rows around; clone what is kept of few rows. The error is a [*RowError] for a row that is left
// out; the iteration continues. Any other error, usually an [*Error], says that the
// source cannot be read any further, and ends it. Rows holds little of the source in
// memory.
func Rows(ctx context.Context, name string, options *RowOptions) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		own := *options
		if name == "-" && own.Stdin != nil {
			own.Stdin = newInterruptibleReader(ctx, own.Stdin)
		}
		r, err := newRowReader(name, &own)
		if err != nil {
			yield(nil, err)
			return
		}
		count := 0
		for row, err := range r.rows(ctx) {
			if count++; err == nil && count%checkInterval == 0 {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil && !isRowError(err) {
				return
			}
		}
	}
}

// checkInterval is the number of rows after which the context is asked.
const checkInterval = 256

func isRowError(err error) bool {
	_, ok := errors.AsType[*RowError](err)
	return ok
}

// textBlockSize is the memory of a block of texts in bytes.
const textBlockSize = 16 << 10

// A textBlock makes strings of bytes. Neighbouring strings share memory, since an
// allocation for each would be a tenth of the cost of a row.
type textBlock struct{ block strings.Builder }

func (t *textBlock) copy(text []byte) string {
	if len(text) > textBlockSize/4 {
		return string(text)
	}
	if t.block.Cap()-t.block.Len() < len(text) {
		t.block.Reset()
		t.block.Grow(textBlockSize)
	}
	from := t.block.Len()
	t.block.Write(text)
	return t.block.String()[from:]
}

// A rowReader reads the rows of one source.
type rowReader struct {
	resolver
	name    string
	ending  string // of the name, or of such files
	options *RowOptions
	strip   *urlnorm.Parameters // nil to keep all
	now     int64               // seconds since 1970
	row     Row                 // yielded again and again
	texts   textBlock
	key     []byte
}

func newRowReader(name string, options *RowOptions) (*rowReader, error) {
	if err := checkFields(options.Columns); err != nil {
		return nil, err
	}
	resolver, err := newResolver(options.Base)
	if err != nil {
		return nil, err
	}
	r := &rowReader{resolver: *resolver, name: name, ending: extension(name), options: options, now: time.Now().Unix()}
	r.row.Location, r.row.Kind = name, KindList
	if len(options.StripParameters) > 0 {
		r.strip = urlnorm.NewParameters(options.StripParameters...)
	}
	return r, nil
}

// rows recognizes the source and reads it.
func (r *rowReader) rows(ctx context.Context) iter.Seq2[*Row, error] {
	switch {
	case r.options.Kind == KindAny && urlnorm.IsHTTP(r.name) && !urlnorm.IsSite(r.name) && !isRobots(r.name):
		return r.fetched(ctx)
	case r.options.Kind == KindSitemap || r.isSitemapLocation():
		return r.sitemaps(ctx, target{location: r.name})
	}
	return func(yield func(*Row, error) bool) {
		file, err := openLines(r.name, r.options.Stdin)
		if err != nil {
			yield(nil, &Error{Location: r.name, Err: openingError(r.name, err)})
			return
		}
		defer file.Close()
		stop := context.AfterFunc(ctx, func() { file.Close() }) // ends a read that waits
		defer stop()
		in, err := unpacked(file)
		if err != nil {
			yield(nil, &Error{Location: r.name, Err: err})
			return
		}
		r.recognized(ctx, in)(yield)
	}
}

// isSitemapLocation reports whether the name can only be that of sitemaps: a site, a
// robots.txt, a folder, or a host.
func (r *rowReader) isSitemapLocation() bool {
	if r.options.Kind != KindAny || r.name == "-" {
		return false
	}
	if urlnorm.IsHTTP(r.name) || isRobots(r.name) {
		return true
	}
	info, err := os.Stat(r.name)
	return err == nil && info.IsDir() || errors.Is(err, os.ErrNotExist) && isHostName(r.name)
}

// recognized reads an open file by its content.
func (r *rowReader) recognized(ctx context.Context, in *bufio.Reader) iter.Seq2[*Row, error] {
	first := firstLine(in)
	kind := r.options.Kind
	if kind == KindAny {
		kind = kindOf(first.any, r.ending)
	}
	switch kind {
	case KindSitemap:
		t := target{location: r.name}
		if r.name == "-" {
			t.opened = &opened{body: io.NopCloser(in)}
		}
		return r.sitemaps(ctx, t)
	case KindLog:
		r.row.Kind = KindLog
		r.strip = urlnorm.PageParameters(r.options.StripParameters...)
		return r.records(parseLog(in, r.base.String(), true))
	}
	return r.records(parseList(in, r.ending, r.options.Columns, false))
}

// kindOf recognizes a file by its first line.
func kindOf(first []byte, extension string) Kind {
	if len(first) > 0 && first[0] == '<' {
		return KindSitemap
	}
	if _, ok := parseLogLine(first); (ok || isJSONLog(first)) && extension != ".csv" && extension != ".tsv" {
		return KindLog
	}
	return KindList
}

// records checks the values of records.
func (r *rowReader) records(parsed iter.Seq2[*record, error]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for found, err := range parsed {
			var row *Row
			if err == nil {
				row, err = r.check(found)
			}
			if fault, ok := errors.AsType[*RowError](err); ok {
				fault.Location = r.name
			} else if err != nil {
				err = &Error{Location: r.name, Err: err}
			} else {
				r.locate(row.Dropped)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// locate adds the location to the errors of a row.
func (r *rowReader) locate(dropped []error) {
	for _, err := range dropped {
		if fault, ok := errors.AsType[*RowError](err); ok {
			fault.Location = r.name
		}
	}
}

// fetched requests the source, which is a sitemap unless it begins as JSON does, or its
// server says that it is a table.
func (r *rowReader) fetched(ctx context.Context) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		fail := func(err error) { yield(nil, &Error{Location: r.name, Source: r.name, Err: err}) }
		opener, err := newOpener(r.sitemapOptions())
		if err != nil {
			fail(err)
			return
		}
		file, err := opener.get(ctx, r.name)
		if err != nil {
			fail(err)
			return
		}
		head := bufio.NewReader(file.body)
		body := file.body
		file.body = struct {
			io.Reader
			io.Closer
		}{head, body}
		isTable := isTableType(file.contentType)
		if isTable {
			r.ending = ".csv"
		}
		if !isTable && !beginsAsJSON(head) {
			r.sitemaps(ctx, target{location: r.name, opened: &file})(yield)
			return
		}
		defer body.Close()
		in, err := unpacked(head)
		if err != nil {
			fail(err)
			return
		}
		r.recognized(ctx, in)(yield)
	}
}

// isTableType reports whether a Content-Type is that of a table.
func isTableType(contentType string) bool {
	mediaType, _, _ := mime.ParseMediaType(contentType)
	return mediaType == "text/csv" || mediaType == "text/tab-separated-values"
}

// beginsAsJSON reports whether a body, which may be compressed, begins as JSON does.
func beginsAsJSON(in *bufio.Reader) bool {
	head, _ := in.Peek(in.Size())
	if zip, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		plain := make([]byte, 512)
		size, _ := io.ReadFull(zip, plain) // the file goes on
		head = plain[:size]
	}
	return isJSON(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"))
}

// sitemapOptions returns how the source is opened as a sitemap.
func (r *rowReader) sitemapOptions() *Options {
	var options Options
	if r.options.Sitemaps != nil {
		options = *r.options.Sitemaps
	}
	options.Stdin = r.options.Stdin
	return &options
}

// sitemaps reads the source as a sitemap.
func (r *rowReader) sitemaps(ctx context.Context, t target) iter.Seq2[*Row, error] {
	t.source, t.root = t.location, true
	return func(yield func(*Row, error) bool) {
		for file, err := range followTargets(ctx, []target{t}, r.sitemapOptions()) {
			if err != nil {
				yield(nil, err)
				return
			}
			for entry, err := range file.Entries() {
				var row *Row
				if err == nil {
					row, err = r.entry(file, entry)
				}
				if !yield(row, err) || err != nil && !isRowError(err) {
					file.Close()
					return
				}
			}
		}
	}
}

// entry returns the row of an entry of a sitemap. Its extensions are those that can be
// read.
func (r *rowReader) entry(file *File, entry *sitemap.Entry) (*Row, error) {
	r.row.clear()
	r.row.Location, r.row.Kind = file.Location, KindSitemap
	drop := func(err error) {
		r.row.Dropped = append(r.row.Dropped, &RowError{Location: file.Location, Line: entry.Line(), Err: err})
	}
	u, err := entry.URL()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			if field, ok := errors.AsType[*sitemap.FieldError](err); ok {
				drop(field)
			}
		}
	}
	r.row.URL = *u
	if r.row.LastMod, err = lastmod.Check(u.LastMod, r.now); err != nil {
		drop(&sitemap.FieldError{Field: "lastmod", Value: string(entry.LastMod), Err: err})
	}
	r.row.ChangeFreq = ""
	if len(entry.ChangeFreq) > 0 {
		if r.row.ChangeFreq, err = changeFreq(entry.ChangeFreq); err != nil {
			drop(&sitemap.FieldError{Field: "changefreq", Value: excerpt(entry.ChangeFreq), Err: err})
		}
	}
	if r.row.Loc, err = r.address(entry.Loc); err != nil {
		return nil, &RowError{Location: file.Location, Line: entry.Line(), Err: err}
	}
	return &r.row, nil
}
