// Package cause classifies the errors of all commands by what a person can do about them. The
// command line turns a [Cause] into a hint, and the server into the advice of its pages.
package cause

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
	"github.com/mapatools/mapa/watch"
)

// A Cause classifies an error by what a person can do about it.
type Cause int

// The causes. CauseOther is an error that calls for nothing in particular.
const (
	Other Cause = iota

	// The start page of a crawl.
	RobotsUnavailable // robots.txt cannot be fetched, so nothing may be
	RobotsDisallowed
	Moved
	NotPublic // the guard refused the address
	UnknownHost
	Lookup            // the name servers fail
	OtherScheme       // nothing answers, but with http in place of https, or https in place of http
	ConnectionRefused // or there is no route to the host
	TLS               // the handshake failed
	TLSMissing        // the server does not speak TLS
	TLSUntrusted      // nobody known has signed the certificate
	TLSName           // the certificate is for other hosts
	TLSExpired        // the certificate is not valid at this time
	Proxy
	NoBrowser      // that could render pages
	BrowserStart   // it does not start
	BrowserSandbox // its sandbox does not work here
	Unrendered     // pages wait to be rendered
	Credentials    // that would be sent without TLS
	AddressInUse   // another program listens there
	Unauthorized   // 401
	Refused        // 401, although credentials were sent
	TooMany        // 429
	Blocked        // 403, 999
	ServerError    // 5xx
	Timeout
	StartMissing // 404, 410
	StartScope   // the options leave it out
	Start        // anything else

	// Files of Mapa. FileSetting says which.
	FileLocked
	FileForeign // something else
	FileVersion
	FileNewer // of a newer version
	FileDamaged
	FileFull
	FileNoAccess
	FileFolder // the folder of a file to be made is missing

	// Crawls and states.
	NoCrawl
	Folder
	FolderWithoutCrawl
	FolderInUse
	NoServer // no server has used the data folder
	NoState
	DiskFull
	RefusedToPublish
	ForeignFile // an output would replace a file that Mapa did not write
	OtherSites  // a job of that name has other sites or settings
	LostRecords // the servers have lost records of a job
	DamagedJob  // what the servers store of a job was changed, or is of another version
	Unanswered  // the servers of workers do not answer
	EmptySitemap
	EmptyBuild  // no row was left
	InvalidFile // its rows are mostly invalid
	Encoding    // a file is not UTF-8

	// Announcements.
	SitemapURL
	NoSitemapFile
	KeyForm

	// Sources.
	SeedNotExist
	SelfRedirect // of a staging copy, to the public site
	OtherHost
	NoSitemap
	AccessDenied // 403
	NotFound     // 404, 410
	HTML
	DatabasePassword // missing or wrong
	DatabaseEnded    // the connection, in the middle of a query
	DatabaseReadOnly // the query does more than read
	Truncated
	Entities
	TooLarge
)

// Of classifies an error. The first cause that fits counts.
func Of(err error) Cause {
	for _, c := range causes {
		if c.fits(err) {
			return c.cause
		}
	}
	return Other
}

var causes = []struct {
	cause Cause
	kind  Kind
	fits  func(error) bool
}{
	{NoCrawl, KindUsage, is(crawlfile.ErrNoCrawl)},
	{Folder, KindUnreached, as[*crawlfile.FolderError]},
	{SeedNotExist, KindUsage, isMissingSeed},
	{RobotsUnavailable, KindUnreached, isRobotsUnavailable},
	{RobotsDisallowed, KindUnreached, is(crawl.ErrForbidden)},
	{Moved, KindUnreached, as[*crawl.MovedError]},
	{NotPublic, KindUsage, as[*fetch.GuardError]},
	{NotPublic, KindUsage, is(addresses.ErrNotWebAddress)},
	{Proxy, KindUnreached, is(fetch.KindProxy)}, // before what its address may cause
	{NoBrowser, KindUnreached, as[*browser.MissingError]},
	{BrowserStart, KindUnreached, as[*browser.StartError]},
	{BrowserSandbox, KindUnreached, is(browser.ErrSandbox)},
	{Unrendered, KindPart, as[*crawl.UnrenderedError]},
	{UnknownHost, KindUnreached, isUnknownHost},
	{Lookup, KindUnreached, is(fetch.KindDNS)},
	{Refused, KindUnreached, isRefusedLogin},
	{Credentials, KindUnreached, as[*appcrawl.CredentialsError]},
	{TLSMissing, KindUnreached, tlsFault(fetch.TLSMissing)},
	{OtherScheme, KindUnreached, isOtherScheme},
	{ConnectionRefused, KindUnreached, isRefused},
	{TLSUntrusted, KindUnreached, tlsFault(fetch.TLSUntrusted)},
	{TLSName, KindUnreached, tlsFault(fetch.TLSName)},
	{TLSExpired, KindUnreached, tlsFault(fetch.TLSExpired)},
	{TLS, KindUnreached, is(fetch.KindTLS)},
	{AddressInUse, KindUnreached, is(syscall.EADDRINUSE)},
	{Unauthorized, KindUnreached, startStatus(401, 401)},
	{Blocked, KindUnreached, startStatus(403, 403)},
	{TooMany, KindUnreached, startStatus(429, 429)},
	{Blocked, KindUnreached, startStatus(999, 999)},
	{ServerError, KindUnreached, startStatus(500, 599)},
	{Timeout, KindUnreached, isTimeout},
	{StartMissing, KindUnreached, startStatus(404, 404)},
	{StartMissing, KindUnreached, startStatus(410, 410)},
	{StartScope, KindUsage, as[*crawl.StartScopeError]},
	{Start, KindUnreached, is(crawl.ErrStart)},
	{FolderWithoutCrawl, KindUsage, is(compare.ErrNoCrawl)},
	{FolderInUse, KindUsage, as[*appcrawl.FolderInUseError]},
	{NoServer, KindUsage, is(jobs.ErrNoFile)},
	{NoState, KindUsage, is(appwatch.ErrNoState)},
	{FileNewer, KindUsage, is(statefile.ErrNewer)},
	{DamagedJob, KindUsage, is(journal.ErrRecords)},
	{FileLocked, KindUnreached, is(sqlite.ErrLocked)},
	{FileForeign, KindUsage, is(sqlite.ErrForeign)},
	{FileVersion, KindUsage, is(statefile.ErrVersion)},
	{FileDamaged, KindUsage, is(sqlite.ErrDamaged)},
	{FileFull, KindUnreached, is(sqlite.ErrFull)},
	{FileNoAccess, KindUnreached, is(sqlite.ErrNoAccess)},
	{FileFolder, KindUsage, is(sqlite.ErrNoFolder)},
	{SitemapURL, KindUsage, as[*appannounce.SitemapURLError]},
	{NoSitemapFile, KindUnreached, is(appannounce.ErrNoSitemapFile)},
	{NoSitemapFile, KindUsage, is(appannounce.ErrNoSource)},
	{NoSitemapFile, KindUsage, is(appannounce.ErrSite)},
	{NoSitemapFile, KindUnreached, is(source.ErrEmptyFolder)},
	{KeyForm, KindUsage, is(announce.ErrKeyForm)},
	{DiskFull, KindUnreached, is(syscall.ENOSPC)},
	{SelfRedirect, KindUsage, as[*source.SelfRedirectError]},
	{OtherHost, KindUsage, is(source.ErrOtherHost)},
	{NoSitemap, KindUnreached, is(source.ErrNoSitemap)},
	{RefusedToPublish, KindPart, as[*publish.RefusedError]},
	{ForeignFile, KindUsage, isForeignFile},
	{OtherSites, KindUsage, is(appcrawl.ErrOtherSites)},
	{LostRecords, KindUnreached, is(journal.ErrCut)},
	{DamagedJob, KindUsage, is(journal.ErrDamaged)},
	{Unanswered, KindUnreached, as[*journal.UnansweredError]},
	{EmptyBuild, KindUsage, as[*build.EmptyError]},
	{Encoding, KindUsage, isWrongEncoding},
	{InvalidFile, KindUsage, as[*build.InvalidFileError]},
	{EmptySitemap, KindPart, is(publish.ErrEmpty)},
	{Unauthorized, KindUnreached, sourceStatus(401)},
	{AccessDenied, KindUnreached, sourceStatus(403)},
	{TooMany, KindUnreached, sourceStatus(429)},
	{NotFound, KindUnreached, sourceStatus(404, 410)},
	{ServerError, KindUnreached, sourceStatus(500, 502, 503, 504)},
	{HTML, KindUsage, faultKind(sitemap.FaultHTMLInstead)},
	{DatabasePassword, KindUnreached, build.IsDatabasePassword},
	{DatabaseEnded, KindUnreached, build.IsDatabaseEnded},
	{DatabaseReadOnly, KindUsage, build.IsDatabaseReadOnly},
	{Truncated, KindUsage, faultKind(sitemap.FaultTruncated)},
	{Truncated, KindUsage, is(io.ErrUnexpectedEOF)},
	{Entities, KindUsage, faultKind(sitemap.FaultEntityDeclaration)},
	{TooLarge, KindUsage, faultKind(sitemap.FaultCeilingReached)},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// FileSetting returns the setting that names the file, or the folder, which an error is about,
// or "".
func FileSetting(err error) string {
	if folder, ok := errors.AsType[*crawlfile.FolderError](err); ok {
		return cmp.Or(folder.Setting, "output")
	}
	file, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return ""
	}
	return fileSettings[file.Kind]
}

var fileSettings = map[sqlite.Kind]string{
	sqlite.KindCrawl: "output", sqlite.KindServer: "data", sqlite.KindLedger: "ledger", sqlite.KindWatch: "state",
	sqlite.KindFigures: "figures",
}

// isWrongEncoding fits a file whose rows are mostly invalid because its text is not UTF-8.
func isWrongEncoding(err error) bool {
	return as[*build.InvalidFileError](err) && errors.Is(err, source.ErrEncoding)
}

func isMissingSeed(err error) bool {
	return as[*appcrawl.SeedError](err) && errors.Is(err, os.ErrNotExist)
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
	return as[*outputs.ForeignFileError](err) || errors.As(err, &overwrite) && !overwrite.Original
}

// isUnknownHost also fits errors of package net, which sources have.
func isUnknownHost(err error) bool {
	var lookup *net.DNSError
	return errors.Is(err, fetch.KindNoHost) || errors.As(err, &lookup) && lookup.IsNotFound
}

// isOtherScheme fits a site that answers with the other scheme only.
func isOtherScheme(err error) bool {
	return as[*appcrawl.OtherAddressError](err) && access.LacksTLS(err)
}

func isRefused(err error) bool {
	return errors.Is(err, fetch.KindRefused) || errors.Is(err, fetch.KindUnreachable) ||
		errors.Is(err, syscall.ECONNREFUSED)
}

func tlsFault(fault fetch.TLSFault) func(error) bool {
	return func(err error) bool {
		failed, is := errors.AsType[*fetch.TLSError](err)
		return is && failed.Fault == fault
	}
}

// isRefusedLogin fits a 401 for a request that had credentials.
func isRefusedLogin(err error) bool {
	var answer *source.StatusError
	if errors.As(err, &answer) && answer.Status == http.StatusUnauthorized && answer.Credentials {
		return true
	}
	start, is := errors.AsType[*appcrawl.CredentialsError](err)
	return is && start.Refused
}

// IsEnvironmentProxy reports whether the proxy that failed is that of the environment.
func IsEnvironmentProxy(err error) bool {
	failed, is := errors.AsType[*fetch.ProxyError](err)
	return is && failed.FromEnvironment
}

// RetryAfter returns how long the server asks to wait in the response of an error, or 0.
func RetryAfter(err error) time.Duration {
	if start, is := errors.AsType[*crawl.StartError](err); is {
		return start.RetryAfter
	}
	if answer, is := errors.AsType[*source.StatusError](err); is {
		return answer.RetryAfter
	}
	return 0
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
		crawlfile.ErrNoCrawl, appwatch.ErrNoState, appannounce.ErrNoSitemapFile, appannounce.ErrNoSource, appannounce.ErrSite,
		watch.ErrNoAnswer, compare.ErrNoCrawl, crawl.ErrStart,
		crawl.ErrForbidden, source.ErrOpen, source.ErrNoSitemap, source.ErrEmptyFolder,
		journal.ErrConnect, journal.ErrNoJob, jobs.ErrNoFile,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return as[*crawl.MovedError](err) ||
		as[*journal.UnansweredError](err) && !as[*appcrawl.UnfinishedJobError](err)
}

// IsBrowser reports whether there is no browser that renders pages, so that nothing was begun.
func IsBrowser(err error) bool {
	return slices.Contains([]Cause{NoBrowser, BrowserStart, BrowserSandbox}, Of(err))
}
