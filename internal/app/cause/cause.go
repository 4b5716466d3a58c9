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
// It is the key of the text that says what, after "hint.".
type Cause string

// The causes that have a name in code. Other and Start have no hint: they call for nothing in particular.
const (
	Other Cause = ""

	// The start page of a crawl.
	RobotsUnavailable Cause = "robots-unavailable" // robots.txt cannot be fetched, so nothing may be
	RobotsDisallowed  Cause = "robots-disallowed"
	Moved             Cause = "moved"
	NotPublic         Cause = "not-public" // the guard refused the address
	UnknownHost       Cause = "unknown-host"
	Lookup            Cause = "lookup"             // the name servers fail
	ConnectionRefused Cause = "connection-refused" // or there is no route to the host
	TLS               Cause = "tls"                // the handshake failed
	TLSMissing        Cause = "tls-missing"        // the server does not speak TLS
	TLSUntrusted      Cause = "tls-untrusted"      // nobody known has signed the certificate
	TLSName           Cause = "tls-name"           // the certificate is for other hosts
	TLSExpired        Cause = "tls-expired"        // the certificate is not valid at this time
	Proxy             Cause = "proxy"
	NoBrowser         Cause = "no-browser"      // that could render pages
	BrowserStart      Cause = "browser-start"   // it does not start
	BrowserSandbox    Cause = "browser-sandbox" // its sandbox does not work here
	Unrendered        Cause = "unrendered"      // pages wait to be rendered
	Credentials       Cause = "credentials"     // that would be sent without TLS
	Unauthorized      Cause = "unauthorized"    // 401
	Refused           Cause = "refused"         // 401, although credentials were sent
	TooMany           Cause = "too-many"        // 429
	Blocked           Cause = "blocked"         // 403, 999
	ServerError       Cause = "server-error"    // 5xx
	Timeout           Cause = "timeout"
	StartMissing      Cause = "start-missing" // 404, 410
	StartScope        Cause = "start-scope"   // the options leave it out
	Start             Cause = "start"         // anything else

	// Files of Mapa. FileSetting says which.
	FileLocked  Cause = "file-locked"
	FileForeign Cause = "file-foreign" // something else
	FileVersion Cause = "file-version"
	FileNewer   Cause = "file-newer" // of a newer version
	FileDamaged Cause = "file-damaged"
	FileFull    Cause = "file-full"

	// Crawls and states.
	NoCrawl            Cause = "no-crawl"
	Folder             Cause = "folder"
	FolderWithoutCrawl Cause = "folder-without-crawl"
	DiskFull           Cause = "disk-full"
	RefusedToPublish   Cause = "refused-to-publish"
	ForeignFile        Cause = "foreign-file" // an output would replace a file that Mapa did not write
	EmptySitemap       Cause = "empty-sitemap"
)

// Of classifies an error. The first cause that fits counts.
func Of(err error) Cause {
	for _, k := range known {
		if k.cause != Other && k.fits(err) {
			return k.cause
		}
	}
	return Other
}

// causes are the errors that a person can do something about.
var causes = []class{
	{NoCrawl, KindUsage, is(crawlfile.ErrNoCrawl)},
	{Folder, KindUnreached, as[*crawlfile.FolderError]},
	{"seed-not-exist", KindUsage, isMissingSeed},
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
	{"other-scheme", KindUnreached, isOtherScheme},
	{ConnectionRefused, KindUnreached, isRefused},
	{TLSUntrusted, KindUnreached, tlsFault(fetch.TLSUntrusted)},
	{TLSName, KindUnreached, tlsFault(fetch.TLSName)},
	{TLSExpired, KindUnreached, tlsFault(fetch.TLSExpired)},
	{TLS, KindUnreached, is(fetch.KindTLS)},
	{"address-in-use", KindUnreached, is(syscall.EADDRINUSE)}, // another program listens there
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
	{"folder-in-use", KindUsage, as[*appcrawl.FolderInUseError]},
	{"no-server", KindUsage, is(jobs.ErrNoFile)}, // no server has used the data folder
	{"no-state", KindUsage, is(appwatch.ErrNoState)},
	{FileNewer, KindUsage, is(statefile.ErrNewer)},
	{"damaged-job", KindUsage, is(journal.ErrRecords)}, // of another version
	{FileLocked, KindUnreached, is(sqlite.ErrLocked)},
	{FileForeign, KindUsage, is(sqlite.ErrForeign)},
	{FileVersion, KindUsage, is(statefile.ErrVersion)},
	{FileDamaged, KindUsage, is(sqlite.ErrDamaged)},
	{FileFull, KindUnreached, is(sqlite.ErrFull)},
	{"file-no-access", KindUnreached, is(sqlite.ErrNoAccess)},
	{"file-folder", KindUsage, is(sqlite.ErrNoFolder)}, // the folder of a file to be made is missing
	{"sitemap-url", KindUsage, as[*appannounce.SitemapURLError]},
	{"no-sitemap-file", KindUnreached, is(appannounce.ErrNoSitemapFile)},
	{"no-sitemap-file", KindUsage, is(appannounce.ErrNoSource)},
	{"no-sitemap-file", KindUsage, is(appannounce.ErrSite)},
	{"no-sitemap-file", KindUnreached, is(source.ErrEmptyFolder)},
	{"key-form", KindUsage, is(announce.ErrKeyForm)},
	{DiskFull, KindUnreached, is(syscall.ENOSPC)},
	{"self-redirect", KindUsage, as[*source.SelfRedirectError]}, // of a staging copy, to the public site
	{"other-host", KindUsage, is(source.ErrOtherHost)},
	{"no-sitemap", KindUnreached, is(source.ErrNoSitemap)},
	{RefusedToPublish, KindPart, as[*publish.RefusedError]},
	{ForeignFile, KindUsage, isForeignFile},
	{"other-sites", KindUsage, is(appcrawl.ErrOtherSites)},      // a job of that name has other sites or settings
	{"lost-records", KindUnreached, is(journal.ErrCut)},         // the servers have lost records of a job
	{"damaged-job", KindUsage, is(journal.ErrDamaged)},          // changed on the servers
	{"unanswered", KindUnreached, as[*journal.UnansweredError]}, // the servers of workers do not answer
	{"empty-build", KindUsage, as[*build.EmptyError]},           // no row was left
	{"encoding", KindUsage, isWrongEncoding},                    // a file is not UTF-8
	{"invalid-file", KindUsage, as[*build.InvalidFileError]},    // its rows are mostly invalid
	{EmptySitemap, KindPart, is(publish.ErrEmpty)},
	{Unauthorized, KindUnreached, sourceStatus(401)},
	{"access-denied", KindUnreached, sourceStatus(403)},
	{TooMany, KindUnreached, sourceStatus(429)},
	{"not-found", KindUnreached, sourceStatus(404, 410)},
	{ServerError, KindUnreached, sourceStatus(500, 502, 503, 504)},
	{"html", KindUsage, faultKind(sitemap.FaultHTMLInstead)},
	{"database-password", KindUnreached, build.IsDatabasePassword}, // missing or wrong
	{"database-ended", KindUnreached, build.IsDatabaseEnded},       // the connection, in the middle of a query
	{"database-read-only", KindUsage, build.IsDatabaseReadOnly},    // the query does more than read
	{"truncated", KindUsage, faultKind(sitemap.FaultTruncated)},
	{"truncated", KindUsage, is(io.ErrUnexpectedEOF)},
	{"entities", KindUsage, faultKind(sitemap.FaultEntityDeclaration)},
	{"too-large", KindUsage, faultKind(sitemap.FaultCeilingReached)},
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
