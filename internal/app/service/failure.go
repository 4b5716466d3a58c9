package service

import (
	"errors"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/internal/app/cause"
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
var failures = map[cause.Cause]struct{ code, hint string }{
	cause.RobotsUnavailable: {"robots-unavailable", "A robots.txt that cannot be read blocks everything. Try again when the server works."},
	cause.RobotsDisallowed:  {"robots", "The robots.txt of the site does not allow crawling."},
	cause.Moved:             {"moved", "Crawl the address that it redirects to."},
	cause.NotPublic:         {FailureNotPublic, "This server crawls only sites on the public internet."},
	cause.UnknownHost:       {"unknown-host", "Check the spelling of the address."},
	cause.ConnectionRefused: {"connection-refused", "Nothing listens there. Check that the server runs."},
	cause.TLS:               {"tls", "The certificate of the site is not trusted."},
	cause.Proxy:             {"proxy", "Check the proxy."},
	cause.Unauthorized:      {"unauthorized", "The site requires a name and a password."},
	cause.Blocked:           {FailureBlocked, "The site blocks crawlers, perhaps not browsers. Ask its owner."},
	cause.ServerError:       {"server-error", "The site has a problem. Try again later."},
	cause.Timeout:           {"timeout", "The site is slow or has a problem. Try again later."},
	cause.Start:             {FailureStart, "Begin with the address of a page."},
	cause.StoreFull:         {FailureDiskFull, "What was crawled is kept. Free disk space and resume the crawl."},
	cause.DiskFull:          {FailureDiskFull, "Free disk space on the server."},
	cause.Folder:            {FailureFolder, "Check the folder and its permissions."},
	cause.RefusedToPublish:  {FailureRefused, "Check the site. If the result is right, allow the sitemap to shrink with max-shrink."},
	cause.EmptySitemap:      {FailureEmpty, "No page could be listed. The result says why for each."},
	cause.ForeignFile:       {FailureForeign, "Choose another folder, or remove the file."},
	cause.Other:             {FailureInternal, ""},
}

// FailureOf describes an error by its cause.
func FailureOf(err error) *jobs.Failure {
	const longest = 1000 // bytes of a text, which may repeat an address
	kind := cause.Of(err)
	if errors.Is(err, syscall.ENOSPC) { // also of a folder
		kind = cause.DiskFull
	}
	known, ok := failures[kind]
	if !ok {
		known = failures[cause.Other]
	}
	text := strings.ReplaceAll(format.Redact(err.Error()), "\n", "; ") // of joined errors
	return &jobs.Failure{Code: known.code, Text: format.Truncate(text, longest), Hint: known.hint}
}
