package cause

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/lib/pq"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// TestCauseOf classifies errors by their type, whatever they are wrapped in.
func TestCauseOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Cause
	}{
		{errors.New("connection refused: the server answers 403"), Other},
		{crawlfile.ErrNoCrawl, NoCrawl},
		{compare.ErrNoCrawl, FolderWithoutCrawl},
		{statefile.CheckVersion(1, 2), FileVersion},
		{statefile.CheckVersion(2, 1), FileNewer},
		{&sqlite.Error{Err: sqlite.ErrLocked}, FileLocked},
		{&sqlite.Error{Err: sqlite.ErrForeign}, FileForeign},
		{&sqlite.Error{Err: sqlite.ErrDamaged}, FileDamaged},
		{&sqlite.Error{Err: sqlite.ErrFull}, FileFull},
		{&sqlite.Error{Err: sqlite.ErrNoAccess}, FileNoAccess},
		{&sqlite.Error{Err: sqlite.ErrNoFolder}, FileFolder},
		{fmt.Errorf("%w: %w", journal.ErrRecords, statefile.ErrVersion), DamagedJob},
		{fmt.Errorf("%w: %w", journal.ErrRecords, statefile.ErrNewer), FileNewer},
		{syscall.ENOSPC, DiskFull},
		{&publish.RefusedError{}, RefusedToPublish},
		{&source.Error{Err: source.ErrOtherHost}, OtherHost},
		{source.ErrNoSitemap, NoSitemap},
		{&source.StatusError{Status: 403}, AccessDenied},
		{&source.StatusError{Status: 401}, Unauthorized},
		{&source.StatusError{Status: 401, Credentials: true}, Refused},
		{&source.StatusError{Status: 429}, TooMany},
		{&source.StatusError{Status: 410}, NotFound},
		{&source.StatusError{Status: 503}, ServerError},
		{&source.StatusError{Status: 302}, Other},
		{&sitemap.Fault{Kind: sitemap.FaultHTMLInstead}, HTML},
		{&sitemap.Fault{Kind: sitemap.FaultTruncated}, Truncated},
		{io.ErrUnexpectedEOF, Truncated},
		{&build.DatabaseError{Err: io.ErrUnexpectedEOF}, DatabaseEnded},
		{&build.DatabaseError{Err: mysql.ErrInvalidConn}, DatabaseEnded},
		{&build.DatabaseError{Err: &pq.Error{Code: "57P01"}}, DatabaseEnded},
		{&build.DatabaseError{Err: &pq.Error{Code: "28P01"}}, DatabasePassword},
		{&build.DatabaseError{Err: &mysql.MySQLError{Number: 1045}}, DatabasePassword},
		{&build.DatabaseError{Err: &pq.Error{Code: "25006"}}, DatabaseReadOnly},
		{&build.DatabaseError{Err: &mysql.MySQLError{Number: 1792}}, DatabaseReadOnly},
		{&build.DatabaseError{Err: &pq.Error{Code: "42703"}}, Other},
		{&sitemap.Fault{Kind: sitemap.FaultEntityDeclaration}, Entities},
		{&sitemap.Fault{Kind: sitemap.FaultCeilingReached}, TooLarge},
	} {
		for _, err := range []error{test.err, fmt.Errorf("open: %w", test.err), errors.Join(io.EOF, test.err)} {
			if got := Of(err); got != test.want {
				t.Errorf("%v: cause %d, want %d", err, got, test.want)
			}
		}
	}
}
