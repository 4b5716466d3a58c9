package cli

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

const rootText = `Mapa makes, reads and checks sitemaps.`

const crawlText = `Crawl visits every page of a site and writes its sitemap.

The folder, named after the host unless -o says otherwise, gets sitemap.xml (an
index with parts beside it when one file is too small), broken.csv when links
are dead, and crawl.sqlite, the crawl itself. Run again, it goes on where it was
cut off; after the end it crawls anew and asks only for what has changed.

A PATTERN is a regular expression for the path with its query, or for the whole
address.`

const crawlExamples = `  mapa crawl example.com
  mapa crawl https://example.com/docs/ --prefix /docs/ -o docs
  mapa crawl example.com --exclude '^/search' --max-pages 500
  mapa crawl example.com --assets --external --format json`

const demoText = `Demo crawls a small website that comes with the program, served on this machine
only, and leaves the result in the folder mapa-demo.`

const listText = `List prints the URLs of any sitemap.

A source is a file, - for standard input, the address of a sitemap, an index or
a robots.txt, or a site such as example.com, whose sitemaps are found by its
robots.txt or in the usual places. XML, text, RSS and Atom are read, compressed
or not, and indexes are followed on their own host.`

const listExamples = `  mapa list example.com
  mapa list https://example.com/sitemap.xml --since 2026-01-01
  mapa list --count sitemap.xml.gz
  mapa list --format jsonl public/sitemap.xml`

const lintText = `Lint finds what is wrong with sitemaps, with the line, the reason and the cure.

A source is a file, a folder of sitemaps, - for standard input, the address of a
sitemap, an index or a robots.txt, or a site such as example.com. Indexes are
followed.

The rules are those of the protocol, and of the search engines named by --engine.
'mapa rules' lists them.

Findings that are known and accepted go into a baseline: they are neither
reported nor counted until they multiply.

With --live the site is asked too, as politely as a crawl does: robots.txt, and a
sample of the pages, images and thumbnails that are listed.

With --fix copies are written in which is mended what can be without guessing, and
it is told what was changed and what could not be. Originals stay as they are.`

const lintExamples = `  mapa lint public/sitemap.xml --base-url https://example.com/
  mapa lint example.com --engine google,bing --fail-on warning
  mapa lint example.com --live --sample 500
  mapa lint public --fix repaired --base-url https://example.com/
  mapa lint public --format sarif -o mapa.sarif
  mapa lint public --baseline known.json --write-baseline
  mapa lint public --baseline known.json`

const rulesText = `Rules lists what lint can find, or explains one rule: why it matters, what to do,
what the reports of Search Console and Yandex call it, the text it stands on, and
an example that breaks it and one that keeps it.`

const rulesExamples = `  mapa rules
  mapa rules loc-relative
  mapa rules --format json`

const exitText = `Exit codes:
  0    done
  1    findings at or above --fail-on
  2    wrong usage
  3    done in part: a limit, an interruption, broken input; what could be kept is kept
  4    unreachable or refused
  130  interrupted
`

const helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}
` + exitText

// A hint tells people what to do about an error.
type hint struct {
	fits func(error) bool
	text string
}

var hints = []hint{
	{is(crawl.ErrForbidden), "its owner may let you crawl all the same: --ignore-robots"},
	{isMoved, "crawl that address instead if it is yours"},
	{is(fetch.NoHost), "is the name spelled right?"},
	{contains("no such host"), "is the name spelled right?"},
	{contains("connection refused"), "nothing listens there: is the server running, and the port right?"},
	{contains("TLS failed"), "the site's certificate is not trusted; http:// would not need one"},
	{is(crawl.ErrStart), "begin with the address of a page: mapa crawl https://example.com/start"},
	{is(store.ErrLocked), "another mapa works in this folder; wait for it or choose another with -o"},
	{is(store.ErrVersion), "start over with --fresh, or go on with the version that made it"},
	{is(store.ErrNotCrawlFile), "the folder holds a crawl.sqlite that is something else; choose another with -o"},
	{is(store.ErrDamaged), "start over with --fresh"},
	{is(store.ErrFull), "what was crawled is kept: make room and run the same command again"},
	{is(syscall.ENOSPC), "make room and run the same command again"},
	{is(source.ErrOtherHost), "follow the sitemaps of other hosts with --cross-host"},
	{is(source.ErrNoSitemap), "name the sitemap's own address if it lies elsewhere"},
	{is(os.ErrNotExist), "a site is given by its host alone, example.com, or with https:// before it"},
	{hasStatus(401, 403), "the server refuses; it may want a browser or a password"},
	{hasStatus(404, 410), "there is nothing at this address; look for Sitemap lines in the site's robots.txt"},
	{hasKind(sitemap.HTMLInstead), "the address gives a page for people; a sitemap is XML, text or a feed"},
	{hasKind(sitemap.Truncated), "the file ends in the middle; what came before it was listed"},
	{is(io.ErrUnexpectedEOF), "the file ends in the middle; what came before it was listed"},
	{hasKind(sitemap.EntityDeclaration), "a sitemap needs no entities of its own, and they are never expanded"},
	{hasKind(sitemap.CeilingReached), "no sitemap of the protocol is as large as this; it was not read on"},
}

func isMoved(err error) bool {
	var moved *crawl.MovedError
	return errors.As(err, &moved)
}

func contains(text string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), text) }
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func hasStatus(codes ...int) func(error) bool {
	return func(err error) bool {
		var status *source.StatusError
		if !errors.As(err, &status) {
			return false
		}
		for _, code := range codes {
			if status.Status == code {
				return true
			}
		}
		return false
	}
}

func hasKind(kind sitemap.FaultKind) func(error) bool {
	return func(err error) bool {
		var fault *sitemap.Fault
		return errors.As(err, &fault) && fault.Kind == kind
	}
}

// printable shows lines that come from strangers.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = report.Printable(line)
	}
	return strings.Join(lines, "\n")
}
