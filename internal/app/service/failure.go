package service

import (
	"errors"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/jobs"
)

// The codes of failures. They are stable.
const (
	FailureOutage    = "outage"    // the site stopped answering; resuming goes on
	FailureEmpty     = "empty"     // no page could be listed
	FailureDiskFull  = "disk-full" // of the server
	FailureRefused   = "refused"   // the guard of the publication
	FailureForeign   = "foreign-file"
	FailureFolder    = "folder"
	FailureInternal  = "internal"
	FailureStart     = "start"
	FailureBlocked   = "blocked"
	FailureNotPublic = "not-public"
)

// failures are the code and the hint of an error by its cause.
var failures = map[app.Cause]struct{ code, hint string }{
	app.CauseRobotsUnavailable: {"robots-unavailable", "A robots.txt that cannot be read blocks everything. Try again when the server works."},
	app.CauseRobotsDisallowed:  {"robots", "The robots.txt of the site does not allow crawling."},
	app.CauseMoved:             {"moved", "Crawl the address that it redirects to."},
	app.CauseNotPublic:         {FailureNotPublic, "This server crawls only sites on the public internet."},
	app.CauseUnknownHost:       {"unknown-host", "Check the spelling of the address."},
	app.CauseConnectionRefused: {"connection-refused", "Nothing listens there. Check that the server runs."},
	app.CauseTLS:               {"tls", "The certificate of the site is not trusted."},
	app.CauseProxy:             {"proxy", "Check the proxy."},
	app.CauseUnauthorized:      {"unauthorized", "The site requires a name and a password."},
	app.CauseBlocked:           {FailureBlocked, "The site blocks crawlers, perhaps not browsers. Ask its owner."},
	app.CauseServerError:       {"server-error", "The site has a problem. Try again later."},
	app.CauseTimeout:           {"timeout", "The site is slow or has a problem. Try again later."},
	app.CauseStart:             {FailureStart, "Begin with the address of a page."},
	app.CauseStoreFull:         {FailureDiskFull, "What was crawled is kept. Free disk space and resume the crawl."},
	app.CauseDiskFull:          {FailureDiskFull, "Free disk space on the server."},
	app.CauseFolder:            {FailureFolder, "Check the folder and its permissions."},
	app.CauseRefusedToPublish:  {FailureRefused, "Check the site. If the result is right, allow the sitemap to shrink with max-shrink."},
	app.CauseEmptySitemap:      {FailureEmpty, "No page could be listed. The result says why for each."},
	app.CauseForeignFile:       {FailureForeign, "Choose another folder, or remove the file."},
	app.CauseOther:             {FailureInternal, ""},
}

// FailureOf describes an error by its cause.
func FailureOf(err error) *jobs.Failure {
	const longest = 1000 // bytes of a text, which may repeat an address
	kind := app.CauseOf(err)
	if errors.Is(err, syscall.ENOSPC) { // also of a folder
		kind = app.CauseDiskFull
	}
	known, ok := failures[kind]
	if !ok {
		known = failures[app.CauseOther]
	}
	text := strings.ReplaceAll(format.Redact(err.Error()), "\n", "; ") // of joined errors
	return &jobs.Failure{Code: known.code, Text: format.Truncate(text, longest), Hint: known.hint}
}
