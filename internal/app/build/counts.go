package build

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mapatools/mapa/source"
)

// A fileCount counts the rows of one file.
type fileCount struct {
	location      string
	rows, invalid int
	first         error // that is invalid
}

// An InvalidFileError reports a file whose rows are mostly invalid, so that it is no list
// of pages. Nothing is published.
type InvalidFileError struct {
	Location      string
	Rows, Invalid int
	First         error // the error of the first invalid row
}

// Error gives the numbers.
func (e *InvalidFileError) Error() string {
	return fmt.Sprintf("nothing is published: %d of %d rows of %s are invalid", e.Invalid, e.Rows, e.Location)
}

// Unwrap returns the error of the first invalid row.
func (e *InvalidFileError) Unwrap() error { return e.First }

// begin begins to count the rows of another file. It returns the error of the file before
// when more than half of its rows are invalid.
func (c *fileCount) begin(location string) error {
	if location == c.location {
		return nil
	}
	ended := *c
	*c = fileCount{location: location}
	if 2*ended.invalid > ended.rows {
		return &InvalidFileError{ended.location, ended.rows, ended.invalid, ended.first}
	}
	return nil
}

func (c *fileCount) addInvalid(err error) {
	c.invalid++
	if c.first == nil {
		c.first = err
	}
}

// locationOf returns the file of a row, or of the row that an error is about.
func locationOf(row *buildRow, err error) string {
	if fault, is := errors.AsType[*source.RowError](err); is {
		return fault.Location
	}
	return row.location
}

// An EmptyError says that no row was left for the sitemap, so that nothing is published.
type EmptyError struct{ err error }

// Error gives the reason.
func (e *EmptyError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *EmptyError) Unwrap() error { return e.err }

// maxReasons is how many reasons are counted apart: a column may have any number of values.
const maxReasons = 50

// otherReasons is the reason of the rows whose own is not counted.
const otherReasons = "other values"

func (b *build) countReason(reason string) {
	if b.reasons == nil {
		b.reasons = map[string]int{}
	}
	if _, known := b.reasons[reason]; !known && len(b.reasons) >= maxReasons {
		reason = otherReasons
	}
	b.reasons[reason]++
}

// countReasons returns the reasons of unlisted rows.
func (b *build) countReasons() (counts []ReasonCount) {
	for _, reason := range slices.Sorted(maps.Keys(b.reasons)) {
		counts = append(counts, ReasonCount{reason, b.reasons[reason]})
	}
	slices.SortStableFunc(counts, func(a, c ReasonCount) int { return cmp.Compare(c.Count, a.Count) })
	return counts
}
