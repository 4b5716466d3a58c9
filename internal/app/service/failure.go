package service

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/jobs"
)

// The codes of failures. They are stable.
const (
	FailureOutage       = "outage"    // the site stopped answering; resuming goes on
	FailureEmpty        = "empty"     // no page could be listed
	FailureDiskFull     = "disk-full" // of the server
	FailureRefused      = "refused"   // the guard of the publication
	FailureForeign      = "foreign-file"
	FailureFolder       = "folder"
	FailureInternal     = "internal"
	FailureStart        = "start"
	FailureBlocked      = "blocked"
	FailureNotPublic    = "not-public"
	FailurePort         = "port"         // a server for strangers requests ports 80 and 443 only
	FailureScheme       = "other-scheme" // the site answers at Failure.Address
	FailureMoved        = "moved"        // the start redirects to Failure.Address
	FailureLogin        = "unauthorized" // the site asks for a login at Failure.Address
	FailureUnknownHost  = "unknown-host"
	FailureLookup       = "dns"
	FailureUnanswered   = "connection-refused"
	FailureTimeout      = "timeout"
	FailureTLSName      = "tls-name" // the certificate is for Failure.Certificate
	FailureNotFound     = "not-found"
	FailureGone         = "gone"
	FailureLoginRefused = "login-refused"
	FailureRobots       = "robots"

	FailureNoBrowser      = "no-browser" // that renders pages
	FailureBrowserStart   = "browser-start"
	FailureBrowserSandbox = "browser-sandbox"
	FailureUnrendered     = "unrendered" // pages wait; resuming renders them
)

// failures are the codes of errors by their cause. The catalogue has a text for each.
var failures = map[cause.Cause]string{
	cause.RobotsUnavailable: "robots-unavailable",
	cause.RobotsDisallowed:  FailureRobots,
	cause.Moved:             FailureMoved,
	cause.NotPublic:         FailureNotPublic,
	cause.UnknownHost:       FailureUnknownHost,
	cause.Lookup:            FailureLookup,
	cause.ConnectionRefused: FailureUnanswered,
	cause.TLS:               "tls",
	cause.TLSMissing:        "tls",
	cause.TLSUntrusted:      "tls-untrusted",
	cause.TLSName:           FailureTLSName,
	cause.TLSExpired:        "tls-expired",
	cause.Credentials:       "tls",
	cause.Proxy:             "proxy",
	cause.NoBrowser:         FailureNoBrowser,
	cause.BrowserStart:      FailureBrowserStart,
	cause.BrowserSandbox:    FailureBrowserSandbox,
	cause.Unrendered:        FailureUnrendered,
	cause.Unauthorized:      FailureLogin,
	cause.Refused:           FailureLoginRefused,
	cause.TooMany:           FailureBlocked,
	cause.Blocked:           FailureBlocked,
	cause.ServerError:       "server-error",
	cause.Timeout:           FailureTimeout,
	cause.StartMissing:      FailureNotFound,
	cause.StartScope:        FailureStart,
	cause.Start:             FailureStart,
	cause.FileFull:          FailureDiskFull,
	cause.DiskFull:          FailureDiskFull,
	cause.Folder:            FailureFolder,
	cause.RefusedToPublish:  FailureRefused,
	cause.EmptySitemap:      FailureEmpty,
	cause.ForeignFile:       FailureForeign,
}

// A Failure says why a crawl or a publication failed.
type Failure struct {
	jobs.Failure
	Hint string `json:"hint"` // what to do, in English
}

// showFailure returns a failure with what to do about it, or nil for nil.
func showFailure(f *jobs.Failure) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{*f, ExplainFailure(catalog.For(catalog.English), f.Code)}
}

// ExplainFailure returns what to do about a failure of a code.
func ExplainFailure(c *catalog.Catalog, code string) string {
	switch code {
	case FailureNoBrowser, FailureBrowserStart, FailureBrowserSandbox:
		return c.Text("web.failure."+code, BrowserHint(c, code))
	}
	return c.Text("web.failure." + code)
}

// FailureOf describes an error by its cause.
func FailureOf(err error) *jobs.Failure {
	const longest = 1000 // bytes of a text, which may repeat an address
	kind := cause.Of(err)
	if errors.Is(err, syscall.ENOSPC) { // also of a folder
		kind = cause.DiskFull
	}
	text := strings.ReplaceAll(format.Redact(err.Error()), "\n", "; ") // of joined errors
	f := &jobs.Failure{Code: cmp.Or(failures[kind], FailureInternal), Text: format.Truncate(text, longest)}
	if other, is := errors.AsType[*appcrawl.OtherAddressError](err); is {
		f.Address = format.Redact(other.To)
		if access.LacksTLS(err) {
			f.Code = FailureScheme
		}
	}
	if refused, is := errors.AsType[*fetch.GuardError](err); is && refused.Port {
		f.Code = FailurePort
	}
	if failed, is := errors.AsType[*fetch.TLSError](err); is && f.Code == FailureTLSName {
		f.Certificate = format.Truncate(failed.Name, longest)
	}
	if moved, is := errors.AsType[*crawl.MovedError](err); is {
		f.Address = format.Redact(moved.To)
	}
	if start, is := errors.AsType[*crawl.StartError](err); is {
		switch {
		case f.Code == FailureLogin:
			f.Address = format.Redact(start.URL)
		case f.Code == FailureNotFound && start.Status == http.StatusGone:
			f.Code = FailureGone
		}
	}
	return f
}
