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
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// TestHints has a hint for every cause that a person can do something about: a text that is missing panics.
func TestHints(t *testing.T) {
	for _, c := range causes {
		if c.cause != Start && catalog.For(catalog.English).Text("hint."+string(c.cause)) == "" {
			t.Errorf("cause %q has no hint", c.cause)
		}
	}
}

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
		{&sqlite.Error{Err: sqlite.ErrNoAccess}, "file-no-access"},
		{&sqlite.Error{Err: sqlite.ErrNoFolder}, "file-folder"},
		{fmt.Errorf("%w: %w", journal.ErrRecords, statefile.ErrVersion), "damaged-job"},
		{fmt.Errorf("%w: %w", journal.ErrRecords, statefile.ErrNewer), FileNewer},
		{syscall.ENOSPC, DiskFull},
		{&publish.RefusedError{}, RefusedToPublish},
		{&source.Error{Err: source.ErrOtherHost}, "other-host"},
		{source.ErrNoSitemap, "no-sitemap"},
		{&source.StatusError{Status: 403}, "access-denied"},
		{&source.StatusError{Status: 401}, Unauthorized},
		{&source.StatusError{Status: 401, Credentials: true}, Refused},
		{&source.StatusError{Status: 429}, TooMany},
		{&source.StatusError{Status: 410}, "not-found"},
		{&source.StatusError{Status: 503}, ServerError},
		{&source.StatusError{Status: 302}, Other},
		{&sitemap.Fault{Kind: sitemap.FaultHTMLInstead}, "html"},
		{&sitemap.Fault{Kind: sitemap.FaultTruncated}, "truncated"},
		{io.ErrUnexpectedEOF, "truncated"},
		{&build.DatabaseError{Err: io.ErrUnexpectedEOF}, "database-ended"},
		{&build.DatabaseError{Err: mysql.ErrInvalidConn}, "database-ended"},
		{&build.DatabaseError{Err: &pq.Error{Code: "57P01"}}, "database-ended"},
		{&build.DatabaseError{Err: &pq.Error{Code: "28P01"}}, "database-password"},
		{&build.DatabaseError{Err: &mysql.MySQLError{Number: 1045}}, "database-password"},
		{&build.DatabaseError{Err: &pq.Error{Code: "25006"}}, "database-read-only"},
		{&build.DatabaseError{Err: &mysql.MySQLError{Number: 1792}}, "database-read-only"},
		{&build.DatabaseError{Err: &pq.Error{Code: "42703"}}, Other},
		{&sitemap.Fault{Kind: sitemap.FaultEntityDeclaration}, "entities"},
		{&sitemap.Fault{Kind: sitemap.FaultCeilingReached}, "too-large"},
	} {
		for _, err := range []error{test.err, fmt.Errorf("open: %w", test.err), errors.Join(io.EOF, test.err)} {
			if got := Of(err); got != test.want {
				t.Errorf("%v: cause %q, want %q", err, got, test.want)
			}
		}
	}
}
