// Package result answers queries about a crawl for the web application and the JSON
// API: pages by many filters, links, folders, changes. [Open] reads the whole crawl file
// once and keeps what queries need in the file result.sqlite next to it. A query reads a
// part of that and some rows of the crawl file, so it takes the same memory for any size.
//
// The numbers and lists are those of package report.
package result

import (
	"context"
	"errors"
	"io"

	"github.com/mapatools/mapa/internal/report"
)

var (
	// ErrNotFound means that the crawl has no URL, folder or group with this name or number.
	ErrNotFound = errors.New("not found in the crawl")
	// ErrCursor means that a cursor was not made by the list that it is given to.
	ErrCursor = errors.New("invalid cursor")
)

// A Result is an open crawl. It is safe for concurrent use.
type Result struct{}

// Open opens the crawl in a folder. The first time, it reads the whole crawl.
func Open(ctx context.Context, folder string) (*Result, error) { return nil, errUnfinished }

var errUnfinished = errors.New("queries are not implemented")

// Close closes all files. No query may run.
func (r *Result) Close() error { return nil }

// Overview returns the numbers of the crawl.
func (r *Result) Overview(ctx context.Context) (*report.Overview, error) { return nil, errUnfinished }

// Pages returns a part of the pages that a filter selects: the first for the cursor "",
// then the one that Next of the part before names. A limit of 0 is the default.
func (r *Result) Pages(ctx context.Context, f Filter, cursor string, limit int) (*PageList, error) {
	return nil, errUnfinished
}

// Page returns what is known of a URL, by its number. The error wraps ErrNotFound when
// there is none.
func (r *Result) Page(ctx context.Context, id int64) (*PageDetails, error) { return nil, errUnfinished }

// FindPage returns the number of a URL, and false when the crawl did not find it.
func (r *Result) FindPage(ctx context.Context, url string) (int64, bool, error) {
	return 0, false, errUnfinished
}

// Links returns a part of the links to a page, or of a page.
func (r *Result) Links(ctx context.Context, id int64, d Direction, cursor string, limit int) (*LinkList, error) {
	return nil, errUnfinished
}

// Tree returns a folder by its URL, "" for the one of all origins, and a part of the
// folders in it.
func (r *Result) Tree(ctx context.Context, folder, cursor string, limit int) (*Tree, error) {
	return nil, errUnfinished
}

// Groups returns a part of the groups of a list whose name ends in ".same", the largest
// first. The pages of a group are those with Filter.Group.
func (r *Result) Groups(ctx context.Context, list, cursor string, limit int) (*GroupList, error) {
	return nil, errUnfinished
}

// MissingAnchors returns a part of the missing anchors, the most linked first.
func (r *Result) MissingAnchors(ctx context.Context, cursor string, limit int) (*AnchorList, error) {
	return nil, errUnfinished
}

// Languages returns a part of the hreflang errors.
func (r *Result) Languages(ctx context.Context, cursor string, limit int) (*FaultList, error) {
	return nil, errUnfinished
}

// Changes returns a part of the changes since the previous crawl in the folder, all or
// those of one kind, ordered by URL. Without a previous crawl there are none.
func (r *Result) Changes(ctx context.Context, kind, cursor string, limit int) (*ChangeList, error) {
	return nil, errUnfinished
}

// Export writes the pages that a filter selects as "csv", "json" (an array) or "jsonl".
// No cell is a spreadsheet formula.
func (r *Result) Export(ctx context.Context, w io.Writer, f Filter, format string) error {
	return errUnfinished
}

// Compare returns a part of the changes between the crawls in two folders, as
// [Result.Changes] does. The first part of a comparison takes the longest: it compares
// all, and keeps the changes in the folder of the new crawl.
func Compare(ctx context.Context, old, new, kind, cursor string, limit int) (*ChangeList, error) {
	return nil, errUnfinished
}
