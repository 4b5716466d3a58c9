package app

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// A Cause classifies an error by what a person can do about it.
type Cause int

// The causes. CauseOther is an error that calls for nothing in particular.
const (
	CauseOther Cause = iota

	// The start page of a crawl.
	CauseRobotsUnavailable // robots.txt cannot be fetched, so nothing may be
	CauseRobotsDisallowed
	CauseMoved
	CauseNotPublic // the guard refused the address
	CauseUnknownHost
	CauseConnectionRefused
	CauseTLS
	CauseProxy
	CauseAddressInUse // another program listens there
	CauseUnauthorized // 401
	CauseBlocked      // 403, 429, 999
	CauseServerError  // 5xx
	CauseTimeout
	CauseStart // anything else

	// Crawl files.
	CauseNoCrawl
	CauseNotCrawl
	CauseFolder
	CauseFolderWithoutCrawl
	CauseFolderInUse
	CauseLocked
	CauseServerLocked // another server has the data folder
	CauseNoServer     // no server has used the data folder
	CauseStateLocked  // another process watches with this state
	CauseNotState
	CauseNoState
	CauseVersion
	CauseNotCrawlFile
	CauseDamaged
	CauseStoreFull
	CauseDiskFull
	CauseRefusedToPublish
	CauseForeignFile // an output would replace a file that Mapa did not write
	CauseOtherSites  // a job of that name has other sites or settings
	CauseLostRecords // the servers have lost records of a job
	CauseDamagedJob  // something has changed what the servers store of a job
	CauseUnanswered  // the servers of workers do not answer
	CauseEmptySitemap

	// Announcements.
	CauseLedgerLocked
	CauseLedgerFile // it is something else, damaged, or of another version
	CauseLedgerFull
	CauseSitemapURL
	CauseNoSitemapFile
	CauseKeyForm

	// Sources.
	CauseSeedNotExist
	CauseOtherHost
	CauseNoSitemap
	CauseNotExist
	CauseAccessDenied // 401, 403
	CauseNotFound     // 404, 410
	CauseHTML
	CauseDatabasePassword // missing or wrong
	CauseDatabaseEnded    // the connection, in the middle of a query
	CauseDatabaseReadOnly // the query does more than read
	CauseTruncated
	CauseEntities
	CauseTooLarge
)

// CauseOf classifies an error. The first cause that fits counts.
func CauseOf(err error) Cause {
	for _, c := range causes {
		if c.fits(err) {
			return c.cause
		}
	}
	return CauseOther
}

var causes = []struct {
	cause Cause
	fits  func(error) bool
}{
	{CauseNoCrawl, is(ErrNoCrawl)},
	{CauseNotCrawl, as[*NotCrawlError]},
	{CauseFolder, as[*FolderError]},
	{CauseSeedNotExist, func(err error) bool { return as[*SeedError](err) && errors.Is(err, os.ErrNotExist) }},
	{CauseRobotsUnavailable, isRobotsUnavailable},
	{CauseRobotsDisallowed, is(crawl.ErrForbidden)},
	{CauseMoved, as[*crawl.MovedError]},
	{CauseNotPublic, as[*fetch.GuardError]},
	{CauseNotPublic, is(ErrNotWebAddress)},
	{CauseUnknownHost, isUnknownHost},
	{CauseConnectionRefused, isRefused},
	{CauseTLS, is(fetch.KindTLS)},
	{CauseProxy, is(fetch.KindProxy)},
	{CauseAddressInUse, is(syscall.EADDRINUSE)},
	{CauseUnauthorized, startStatus(401, 401)},
	{CauseBlocked, startStatus(403, 403)},
	{CauseBlocked, startStatus(429, 429)},
	{CauseBlocked, startStatus(999, 999)},
	{CauseServerError, startStatus(500, 599)},
	{CauseTimeout, isTimeout},
	{CauseStart, is(crawl.ErrStart)},
	{CauseFolderWithoutCrawl, is(compare.ErrNoCrawl)},
	{CauseFolderInUse, as[*FolderInUseError]},
	{CauseLocked, is(store.ErrLocked)},
	{CauseServerLocked, is(jobs.ErrLocked)},
	{CauseNoServer, is(jobs.ErrNoFile)},
	{CauseStateLocked, is(sqlitestore.ErrLocked)},
	{CauseNotState, is(sqlitestore.ErrNotState)},
	{CauseNotState, is(sqlitestore.ErrDamaged)},
	{CauseNoState, is(ErrNoState)},
	{CauseVersion, is(store.ErrVersion)},
	{CauseNotCrawlFile, is(store.ErrNotCrawlFile)},
	{CauseDamaged, is(store.ErrDamaged)},
	{CauseStoreFull, is(store.ErrFull)},
	{CauseLedgerLocked, is(ledger.ErrLocked)},
	{CauseLedgerFile, is(ledger.ErrNotLedger)},
	{CauseLedgerFile, is(ledger.ErrVersion)},
	{CauseLedgerFile, is(ledger.ErrDamaged)},
	{CauseLedgerFull, is(ledger.ErrFull)},
	{CauseSitemapURL, as[*SitemapURLError]},
	{CauseNoSitemapFile, is(errNoSitemapFile)},
	{CauseNoSitemapFile, is(errNoSource)},
	{CauseKeyForm, is(announce.ErrKeyForm)},
	{CauseDiskFull, is(syscall.ENOSPC)},
	{CauseDiskFull, is(sqlitestore.ErrFull)},
	{CauseDiskFull, is(jobs.ErrFull)},
	{CauseOtherHost, is(source.ErrOtherHost)},
	{CauseNoSitemap, is(source.ErrNoSitemap)},
	{CauseRefusedToPublish, as[*publish.RefusedError]},
	{CauseForeignFile, isForeignFile},
	{CauseOtherSites, is(ErrOtherSites)},
	{CauseLostRecords, is(journal.ErrCut)},
	{CauseDamagedJob, is(journal.ErrDamaged)},
	{CauseUnanswered, as[*journal.UnansweredError]},
	{CauseEmptySitemap, is(publish.ErrEmpty)},
	{CauseNotExist, is(os.ErrNotExist)},
	{CauseAccessDenied, sourceStatus(401, 403)},
	{CauseNotFound, sourceStatus(404, 410)},
	{CauseServerError, sourceStatus(500, 502, 503, 504)},
	{CauseHTML, faultKind(sitemap.FaultHTMLInstead)},
	{CauseDatabasePassword, isDatabasePassword},
	{CauseDatabaseEnded, isDatabaseEnded},
	{CauseDatabaseReadOnly, isDatabaseReadOnly},
	{CauseTruncated, faultKind(sitemap.FaultTruncated)},
	{CauseTruncated, is(io.ErrUnexpectedEOF)},
	{CauseEntities, faultKind(sitemap.FaultEntityDeclaration)},
	{CauseTooLarge, faultKind(sitemap.FaultCeilingReached)},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// isRobotsUnavailable reports whether the start page may not be fetched because
// robots.txt could not be.
func isRobotsUnavailable(err error) bool {
	var forbidden *crawl.ForbiddenError
	return errors.As(err, &forbidden) && forbidden.Line == 0
}

// isForeignFile does not fit an original, which no setting gives up.
func isForeignFile(err error) bool {
	var overwrite *repair.OverwriteError
	return as[*ForeignFileError](err) || errors.As(err, &overwrite) && !overwrite.Original
}

// isUnknownHost also fits errors of package net, which sources have.
func isUnknownHost(err error) bool {
	var lookup *net.DNSError
	return errors.Is(err, fetch.KindNoHost) || errors.As(err, &lookup) && lookup.IsNotFound
}

func isRefused(err error) bool {
	return errors.Is(err, fetch.KindRefused) || errors.Is(err, syscall.ECONNREFUSED)
}

// startStatus fits a start page that was answered with a status from first to last.
func startStatus(first, last int) func(error) bool {
	return func(err error) bool {
		var start *crawl.StartError
		return errors.As(err, &start) && first <= start.Status && start.Status <= last
	}
}

func isTimeout(err error) bool {
	for _, kind := range []fetch.Kind{
		fetch.KindConnectTimeout, fetch.KindHandshakeTimeout, fetch.KindAnswerTimeout,
		fetch.KindIdleTimeout, fetch.KindTotalTimeout, fetch.KindTooSlow,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// sourceStatus fits a source that was answered with one of the statuses.
func sourceStatus(statuses ...int) func(error) bool {
	return func(err error) bool {
		var answer *source.StatusError
		return errors.As(err, &answer) && slices.Contains(statuses, answer.Status)
	}
}

func faultKind(kind sitemap.FaultKind) func(error) bool {
	return func(err error) bool {
		var fault *sitemap.Fault
		return errors.As(err, &fault) && fault.Kind == kind
	}
}

// IsUnreachable reports whether an error says that a site, a source or a crawl cannot be
// reached or refuses access, so that nothing could begin.
func IsUnreachable(err error) bool {
	for _, target := range []error{
		ErrNoCrawl, ErrNoState, errNoSitemapFile, errNoSource, watch.ErrNoAnswer, compare.ErrNoCrawl, crawl.ErrStart,
		crawl.ErrForbidden, source.ErrOpen, source.ErrNoSitemap,
		journal.ErrConnect, journal.ErrNoJob, jobs.ErrNoFile,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return as[*crawl.MovedError](err) || as[*NotCrawlError](err) ||
		as[*journal.UnansweredError](err) && !as[*UnfinishedJobError](err)
}

// NothingOpened reports whether sources failed because not a single file, nor an index,
// could be opened.
func NothingOpened(errs []error) bool {
	opened := false
	unreachable := false
	for _, err := range errs {
		var where *source.Error
		switch {
		case errors.As(err, &where) && where.Index != "":
			opened = true
		case errors.Is(err, source.ErrOpen):
			unreachable = true
		}
	}
	return unreachable && !opened
}
