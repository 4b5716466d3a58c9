package cli

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// maxErrorText is the most characters of an error that are printed: it may repeat a
// long argument.
const maxErrorText = 2000

// printError prints an error in one line, and in a second one what to do about it.
func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "mapa: %s\n", printable(format.Truncate(errorText(err), maxErrorText)))
	if hint := hintOf(err); hint != "" {
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

// hintOf returns what to do about an error, or "".
func hintOf(err error) string {
	if _, is := errors.AsType[*servedError](err); is {
		return "a server that runs answers models at /mcp with a token of its --token-file: connect the model there"
	}
	file := fileHints[cause.FileSetting(err)]
	moved := ""
	if to, is := errors.AsType[*crawl.MovedError](err); is {
		moved = ": mapa crawl " + printable(quoted(to.To))
	}
	return strings.NewReplacer(
		"{other}", file.other, "{foreign}", file.foreign, "{again}", file.again,
		"{credentials}", credentialsOf(err), "{later}", laterThan(cause.RetryAfter(err)),
		"{proxy}", proxyOf(err), "{browser}", browserHint(err), "{scope}", scopeHint(err),
	).Replace(hints[cause.Of(err)]) + moved
}

// credentialsOf names the flags that hold the credentials which an error is about.
func credentialsOf(err error) string {
	if about, is := errors.AsType[*appcrawl.CredentialsError](err); is && len(about.Settings) > 0 {
		return "--" + strings.Join(about.Settings, " and --")
	}
	return "the name and password"
}

// proxyOf names what gives the address of the proxy that an error is about.
func proxyOf(err error) string {
	if cause.IsEnvironmentProxy(err) {
		return "HTTP_PROXY or HTTPS_PROXY"
	}
	return "--proxy"
}

// browserHint returns the hint about a browser that cannot render pages, which the server shows too.
func browserHint(err error) string {
	if !cause.IsBrowser(err) {
		return ""
	}
	return service.BrowserHint(catalog.For(catalog.English), service.FailureOf(err).Code)
}

// scopeHint names a start in the folder of --prefix, or the option that leaves out the start.
func scopeHint(err error) string {
	scope, is := errors.AsType[*crawl.StartScopeError](err)
	if !is || scope.Reason != crawl.ReasonOutOfScope {
		return "start at another page, or change --exclude and --include"
	}
	_, arguments := scope.Detail.Split()
	start, err := url.Parse(scope.URL)
	if err != nil || len(arguments) == 0 || !strings.HasPrefix(arguments[0], "/") {
		return "start at a page that the options include"
	}
	start.Path, start.RawQuery = arguments[0], ""
	return commandText([]string{"crawl", start.String(), "--prefix", arguments[0]})
}

// laterThan says when to try again.
func laterThan(wait time.Duration) string {
	if wait <= 0 {
		return "later"
	}
	return "after " + time.Now().Add(wait).Format("2006-01-02 15:04")
}

// fileHints complete the hints about a file, by the setting that names it.
var fileHints = map[string]struct{ other, foreign, again string }{
	"folder":  {other: "another folder"},
	"publish": {other: "another folder with --publish"},
	"":        {"another file", "name another file", startOver},
	"data":    {"another folder with --data", "name another folder with --data", "restore a backup, or " + startOver},
	"ledger":  {"another file with --ledger", "name another file with --ledger", startOver},
	"state":   {"another file with --state", "name another file with --state", startOver},
	"figures": {"the folder of another crawl", readAgain, readAgain},
	"output": {
		"another folder with -o",
		"name the folder of a crawl, or another one with -o; mapa list and mapa lint read sitemaps",
		"crawl the site again: mapa crawl --fresh",
	},
}

const (
	startOver = "remove the file to start over"
	readAgain = "remove the file, and read the exports again"
)

// hints say what to do about an error, by its cause.
var hints = [...]string{
	cause.FileLocked:   "wait until the other mapa has ended, or name {other}",
	cause.FileForeign:  "{foreign}",
	cause.FileVersion:  "{again}; or use the version of mapa that made it",
	cause.FileNewer:    "use the version of mapa that made it, or a newer one",
	cause.FileDamaged:  "{again}",
	cause.FileFull:     "what was stored before is kept: free disk space and run the same command again",
	cause.FileNoAccess: "change the permissions of the file and its folder, or name {other}",
	cause.FileFolder:   "make the folder, or name {other}",

	cause.RobotsUnavailable: "a robots.txt that cannot be read blocks everything: try again when the server works",
	cause.RobotsDisallowed:  "if the owner allows you to crawl anyway, use --ignore-robots",
	cause.Moved:             "crawl that URL instead if it is yours",
	cause.NotPublic:         "a public server requests only hosts on the public internet, at ports 80 and 443",
	cause.UnknownHost:       "check the spelling of the host name",
	cause.Lookup:            "check the spelling of the host name, and the network of this machine",
	cause.OtherScheme:       "name the site with the scheme that answers",
	cause.ConnectionRefused: "nothing listens there: check that the server runs, and the port",
	cause.TLS:               "the site offers no version or cipher that is safe: ask its owner, or try http://",
	cause.TLSMissing:        "name the site with http://",
	cause.TLSUntrusted:      "name the authority's certificate with --ca-file, or trust any certificate with --insecure",
	cause.TLSName:           "use a name that the certificate is for, or trust any certificate with --insecure",
	cause.TLSExpired:        "the site's owner has to renew it; --insecure trusts any certificate",
	cause.Proxy:             "check the address of the proxy, in {proxy}, and that it lets you through",
	cause.NoBrowser:         "{browser}",
	cause.BrowserStart:      "{browser}",
	cause.BrowserSandbox:    "{browser}",
	cause.Unrendered:        "run mapa again: the crawl continues with the pages that wait",
	cause.Credentials:       "name the site with http:// to send {credentials} without encryption",
	cause.AddressInUse:      "another program listens there, perhaps another mapa: choose a port with --listen",
	cause.Unauthorized:      "send a name and password with --user, or a cookie with --cookie",
	cause.Refused:           "the site refuses {credentials}: check them",
	cause.TooMany:           "the site refuses more requests: run the same command again {later}",
	cause.Blocked:           "the site blocks crawlers, perhaps not browsers: ask its owner, or change --user-agent",
	cause.ServerError:       "the server has a problem: try again later",
	cause.Timeout:           "the server is slow or has a problem: try again later",
	cause.StartMissing:      "check the address: the crawl starts at a page that exists",
	cause.StartScope:        "{scope}",

	cause.NoCrawl:            "crawl the site first: mapa crawl example.com; or name the folder of its crawl",
	cause.Folder:             "name {other}",
	cause.FolderWithoutCrawl: "name a sitemap in it, or run mapa crawl first",
	cause.FolderInUse:        "choose another folder with -o",
	cause.NoServer:           "name the folder of mapa serve with --data",
	cause.NoState:            "watch a site first: mapa watch example.com",
	cause.DiskFull:           "free disk space and run the same command again",
	cause.EmptySitemap:       "the summary counts why pages are not listed; mapa why URL explains one",
	cause.EmptyBuild:         "the summary counts why rows are left out; --base-url and the patterns say which pages are listed",
	cause.InvalidFile:        "if it lists pages, name its kind with --list, --log or --sitemap, or its column with --column loc=NAME",
	cause.Encoding:           "the file is not UTF-8: save it as CSV UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8",
	cause.RefusedToPublish:   "check the site; if the result is right, publish it with --max-shrink 100",
	cause.ForeignFile:        "choose another folder, or replace what is there with --force",
	cause.LostRecords:        "run the mapa crawl command of the job again: its workers fetch what is lost",
	cause.DamagedJob:         "remove the job with mapa job delete, and submit it again",
	cause.Unanswered:         "check that most of the NATS servers run and reach each other, and run the same command again",
	cause.OtherSites:         "choose another name with --job, or remove that job with mapa job delete",

	cause.SitemapURL:    "name the URL where it is published with --base-url https://example.com/",
	cause.NoSitemapFile: "run mapa crawl or mapa build first, or name the file or the URL of a sitemap",
	cause.KeyForm:       "create a key with: mapa announce key generate",

	cause.SeedNotExist: "check the path given with --list, --log or --sitemap",

	cause.SelfRedirect:     "nothing is requested from the public site: save the sitemap to a file, and name that with --sitemap",
	cause.OtherHost:        "follow sitemaps on other hosts with --cross-host",
	cause.NoSitemap:        "give the URL of the sitemap if it is somewhere else",
	cause.AccessDenied:     "the server refuses access: it may require a browser or a password",
	cause.NotFound:         "there is nothing at this URL: look for Sitemap lines in the site's robots.txt",
	cause.HTML:             "the URL serves an HTML page; a sitemap is XML, text or a feed",
	cause.DatabasePassword: "set the user's password in the environment: PGPASSWORD for PostgreSQL, MYSQL_PWD for MySQL",
	cause.DatabaseEnded:    "the database ended the connection, and nothing was published: run the same command again",
	cause.DatabaseReadOnly: "a query may only read, and only the database that --sql names: begin it with SELECT",

	cause.Truncated: "the file ends too early: what follows in it is missing",
	cause.Entities:  "a sitemap needs no entity declarations, and they are never expanded",
	cause.TooLarge:  "the file is larger than any sitemap may be, and was not read to its end",
}
