package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format"
)

// maxErrorText is the most characters of an error that are printed: it may repeat a
// long argument.
const maxErrorText = 2000

// printError prints an error in one line, and in a second one what to do about it.
func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "mapa: %s\n", printable(format.Truncate(errorText(err), maxErrorText)))
	if hint := hints[app.CauseOf(err)]; hint != "" {
		if moved, ok := errors.AsType[*crawl.MovedError](err); ok {
			hint += ": mapa crawl " + printable(quoted(moved.To))
		}
		fmt.Fprintf(stderr, "  %s\n", hint)
	}
}

// quoted returns an argument as a shell reads it.
func quoted(argument string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":/.-_%+,@=", r)
	}
	if strings.TrimFunc(argument, plain) == "" {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// hints say what to do about an error, by its cause.
var hints = [...]string{
	app.CauseRobotsUnavailable: "a robots.txt that cannot be read blocks everything: try again when the server works",
	app.CauseRobotsDisallowed:  "if the owner allows you to crawl anyway, use --ignore-robots",
	app.CauseMoved:             "crawl that URL instead if it is yours",
	app.CauseNotPublic:         "a public server requests only hosts on the public internet, at ports 80 and 443",
	app.CauseUnknownHost:       "check the spelling of the host name",
	app.CauseConnectionRefused: "nothing listens there: check that the server runs, and the port",
	app.CauseTLS:               "the site's certificate is not trusted; http:// does not need one",
	app.CauseProxy:             "check the address given with --proxy, and that the proxy lets you through",
	app.CauseAddressInUse:      "another program listens there, perhaps another mapa: choose a port with --listen",
	app.CauseUnauthorized:      "send a name and password with --user, or a cookie with --cookie",
	app.CauseBlocked:           "the site blocks crawlers, perhaps not browsers: ask its owner, or change --user-agent",
	app.CauseServerError:       "the server has a problem: try again later",
	app.CauseTimeout:           "the server is slow or has a problem: try again later",
	app.CauseStart:             "start with the URL of a page: mapa crawl https://example.com/start",

	app.CauseNoCrawl:            "crawl the site first: mapa crawl example.com; or name the folder of its crawl",
	app.CauseNotCrawl:           "name the folder of a crawl, or its crawl.sqlite; mapa list and mapa lint read sitemaps",
	app.CauseFolder:             "choose another folder with -o, or with --data for mapa serve and mapa mcp",
	app.CauseFolderWithoutCrawl: "name a sitemap in it, or run mapa crawl first",
	app.CauseFolderInUse:        "choose another folder with -o",
	app.CauseServerLocked:       "stop the other mapa serve or mapa mcp, or choose another folder with --data",
	app.CauseNoServer:           "name the folder of mapa serve with --data",
	app.CauseStateLocked:        "another mapa watch uses this file: stop it, or choose another file with --state",
	app.CauseNotState:           "choose another file with --state",
	app.CauseNoState:            "watch a site first: mapa watch example.com",
	app.CauseLocked:             "another mapa uses this folder: wait for it or choose another folder with -o",
	app.CauseVersion:            "start over with --fresh, or continue with the version that created it",
	app.CauseNotCrawlFile:       "the crawl.sqlite in the folder is something else: choose another folder with -o",
	app.CauseDamaged:            "crawl the site again: mapa crawl --fresh",
	app.CauseStoreFull:          "what was crawled is kept: free disk space and run the same command again",
	app.CauseDiskFull:           "free disk space and run the same command again",
	app.CauseEmptySitemap:       "the summary counts why pages are not listed; mapa why URL explains one",
	app.CauseRefusedToPublish:   "check the site; if the result is right, publish it with --max-shrink 100",
	app.CauseForeignFile:        "choose another folder, or replace what is there with --force",
	app.CauseLostRecords:        "run the mapa crawl command of the job again: its workers fetch what is lost",
	app.CauseDamagedJob:         "remove the job with mapa job delete, and submit it again",
	app.CauseUnanswered:         "check that most of the NATS servers run and reach each other, and run the same command again",
	app.CauseOtherSites:         "choose another name with --job, or remove that job with mapa job delete",

	app.CauseLedgerLocked:  "another mapa announces from this ledger: run the command again when it has ended",
	app.CauseLedgerFile:    "name another file with --ledger, or move this one away to start over",
	app.CauseLedgerFull:    "free disk space; nothing is sent that cannot be recorded",
	app.CauseSitemapURL:    "name the URL where it is published with --base-url https://example.com/",
	app.CauseNoSitemapFile: "run mapa crawl or mapa build first, or name the file or the URL of a sitemap",
	app.CauseKeyForm:       "create a key with: mapa announce key generate",

	app.CauseSeedNotExist: "check the path given with --list, --log or --sitemap",

	app.CauseOtherHost:        "follow sitemaps on other hosts with --cross-host",
	app.CauseNoSitemap:        "give the URL of the sitemap if it is somewhere else",
	app.CauseNotExist:         "for a site, give its host alone, example.com, or with https://",
	app.CauseAccessDenied:     "the server refuses access: it may require a browser or a password",
	app.CauseNotFound:         "there is nothing at this URL: look for Sitemap lines in the site's robots.txt",
	app.CauseHTML:             "the URL serves an HTML page; a sitemap is XML, text or a feed",
	app.CauseDatabasePassword: "set the user's password in the environment: PGPASSWORD for PostgreSQL, MYSQL_PWD for MySQL",
	app.CauseDatabaseEnded:    "the database ended the connection, and nothing was published: run the same command again",
	app.CauseDatabaseReadOnly: "a query may only read, and only the database that --sql names: begin it with SELECT",

	app.CauseTruncated: "the file ends too early: what follows in it is missing",
	app.CauseEntities:  "a sitemap needs no entity declarations, and they are never expanded",
	app.CauseTooLarge:  "the file is larger than any sitemap may be, and was not read to its end",
}
