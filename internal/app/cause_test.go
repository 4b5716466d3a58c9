package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/lib/pq"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// TestCauseOf classifies errors by their type, whatever they are wrapped in.
func TestCauseOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Cause
	}{
		{errors.New("connection refused: the server answers 403"), CauseOther},
		{ErrNoCrawl, CauseNoCrawl},
		{compare.ErrNoCrawl, CauseFolderWithoutCrawl},
		{store.ErrVersion, CauseVersion},
		{store.ErrDamaged, CauseDamaged},
		{store.ErrFull, CauseStoreFull},
		{syscall.ENOSPC, CauseDiskFull},
		{&publish.RefusedError{}, CauseRefusedToPublish},
		{&source.Error{Err: source.ErrOtherHost}, CauseOtherHost},
		{source.ErrNoSitemap, CauseNoSitemap},
		{os.ErrNotExist, CauseNotExist},
		{&source.StatusError{Status: 403}, CauseAccessDenied},
		{&source.StatusError{Status: 410}, CauseNotFound},
		{&source.StatusError{Status: 503}, CauseServerError},
		{&source.StatusError{Status: 302}, CauseOther},
		{&sitemap.Fault{Kind: sitemap.FaultHTMLInstead}, CauseHTML},
		{&sitemap.Fault{Kind: sitemap.FaultTruncated}, CauseTruncated},
		{io.ErrUnexpectedEOF, CauseTruncated},
		{&DatabaseError{err: io.ErrUnexpectedEOF}, CauseDatabaseEnded},
		{&DatabaseError{err: mysql.ErrInvalidConn}, CauseDatabaseEnded},
		{&DatabaseError{err: &pq.Error{Code: "57P01"}}, CauseDatabaseEnded},
		{&DatabaseError{err: &pq.Error{Code: "28P01"}}, CauseDatabasePassword},
		{&DatabaseError{err: &mysql.MySQLError{Number: 1045}}, CauseDatabasePassword},
		{&DatabaseError{err: &pq.Error{Code: "25006"}}, CauseDatabaseReadOnly},
		{&DatabaseError{err: &mysql.MySQLError{Number: 1792}}, CauseDatabaseReadOnly},
		{&DatabaseError{err: &pq.Error{Code: "42703"}}, CauseOther},
		{&sitemap.Fault{Kind: sitemap.FaultEntityDeclaration}, CauseEntities},
		{&sitemap.Fault{Kind: sitemap.FaultCeilingReached}, CauseTooLarge},
	} {
		for _, err := range []error{test.err, fmt.Errorf("open: %w", test.err), errors.Join(io.EOF, test.err)} {
			if got := CauseOf(err); got != test.want {
				t.Errorf("%v: cause %d, want %d", err, got, test.want)
			}
		}
	}
}

func TestNothingOpened(t *testing.T) {
	unopened := &source.Error{Err: source.ErrOpen}
	part := &source.Error{Index: "sitemap.xml", Err: source.ErrOpen}
	for _, test := range []struct {
		errs []error
		want bool
	}{
		{[]error{unopened}, true},
		{[]error{unopened, part}, false},
		{[]error{part}, false},
		{[]error{io.ErrUnexpectedEOF}, false},
	} {
		if got := NothingOpened(test.errs); got != test.want {
			t.Errorf("%v: %t", test.errs, got)
		}
	}
}
