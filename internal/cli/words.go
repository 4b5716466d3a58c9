package cli

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

const rootText = `Mapa makes, reads and checks sitemaps.`

const crawlText = `Crawl visits every page of a site and writes its sitemap.

The folder, named after the host unless -o says otherwise, gets sitemap.xml (an
index with parts beside it when one file is too small), broken.csv when links
are dead, and crawl.sqlite, the crawl itself. Run again, it goes on where it was
cut off, or where --max-time was over or the site stopped answering (exit code 3);
after the end it crawls anew, asks only for what has changed, and writes
changes.jsonl: what is otherwise than in the crawl before, one change a line.

Pages that no link leads to are visited too when robots.txt names a sitemap with
them, or --sitemap, --list or --log does.

--outputs adds other files: urllist.txt (txt), sitemap.html for people (html),
rss.xml and atom.xml of the newest 50 pages (rss, atom), ror.xml (ror). All are
replaced together, and none when the new sitemap lacks more than --max-shrink
percent of the pages or the home page of the present one: exit code 3.

A PATTERN is a regular expression for the path with its query, or for the whole
address.

Settings that stay go into mapa.yaml, by the names of the flags; without a URL,
the sites that it names are crawled. What is typed goes before what it says.`

const crawlExamples = `  mapa crawl example.com
  mapa crawl https://example.com/docs/ --prefix /docs/ -o docs
  mapa crawl example.com --exclude '^/search' --max-pages 500
  mapa crawl example.com --outputs xml,html --set products='^/shop/'
  mapa crawl example.com --list pages.csv --log /var/log/nginx/access.log
  mapa crawl example.com --assets --external --format json`

const demoText = `Demo crawls a small website that comes with the program, served on this machine
only, and leaves the result in the folder mapa-demo.`

const whyText = `Why says what the last crawl decided about a page: whether it is in the sitemap,
why it is not, and on which links the crawl came there.

The crawl is looked for in the present folder and in the one named after the
host, as "mapa crawl" leaves it, unless FOLDER says otherwise.`

const whyExamples = `  mapa why https://example.com/shop/chair
  mapa why example.com/old docs
  mapa why --format json https://example.com/about`

const listText = `List prints the URLs of any sitemap.

A source is a file, - for standard input, the address of a sitemap, an index or
a robots.txt, or a site such as example.com, whose sitemaps are found by its
robots.txt or in the usual places. XML, text, RSS and Atom are read, compressed
or not, and indexes are followed on their own host.`

const listExamples = `  mapa list example.com
  mapa list https://example.com/sitemap.xml --since 2026-01-01
  mapa list --count sitemap.xml.gz
  mapa list --format jsonl public/sitemap.xml`

const reportText = `Report tells what a crawl found, at any time after it: why addresses are listed
or not, broken links with the pages that hold them, redirects, duplicates,
orphans, slow pages.

FOLDER is where mapa crawl wrote, or the crawl.sqlite itself; without one it is
the present folder. html is one page that needs nothing else; csv and jsonl hold
every address with all that is known of it, json that, the broken links and the
faults of language versions (hreflang); sarif, junit and github tell other
programs of the broken links; dot and graphml hold the pages and the links
between them.`

const reportExamples = `  mapa report example.com
  mapa report example.com --reason client-error
  mapa report example.com --format html -o report.html
  mapa report example.com --format csv --reason redirect > redirects.csv`

const lintText = `Lint finds what is wrong with sitemaps, with the line, the reason and the cure.

A source is a file, a folder of sitemaps, - for standard input, the address of a
sitemap, an index or a robots.txt, or a site such as example.com. Indexes are
followed.

The rules are those of the protocol, which --engine replaces by what search engines
make of them, as they document it, and what they demand beside. With several, the
strictest counts. 'mapa rules' lists them.

Findings that are known and accepted go into a baseline: they are neither
reported nor counted until they multiply. It also keeps how many pages each source
lists, and a source that lists over 30 % fewer the next time is a finding.

With --crawl the pages are compared with those that mapa crawl found: good pages
that no sitemap lists, and listed pages that no page links to.

With --live the site is asked too, as politely as a crawl does: robots.txt, and a
sample of the pages, images and thumbnails that are listed.

With --fix copies are written in which is mended what can be without guessing, and
it is told what was changed and what could not be. Originals stay as they are. To
find repetitions it remembers up to ten million pages, at about 80 bytes each.

Settings that stay go into mapa.yaml, under lint, by the names of the flags. What is
typed goes before what it says.`

const lintExamples = `  mapa lint public/sitemap.xml --base-url https://example.com/
  mapa lint example.com --engine google,bing --fail-on warning
  mapa lint example.com --live --sample 500
  mapa lint example.com --crawl example.com
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

const diffText = `Diff tells what changed from OLD to NEW: pages that came and went, another status,
listed before and left out now, leading elsewhere, another content or lastmod.

Each of the two is a folder of mapa crawl, a crawl file, or a sitemap as mapa list
reads it: a file, -, an address or a site. Two sitemaps are compared by addresses
and lastmod, two crawls by all that is known; of a crawl and a sitemap, what the
crawl would list counts. Where a crawl ended early, or the page that leads there
did not answer, nothing is said to be removed.

As diff(1) does, it exits with 0 where there is no difference and with 1 where
there is one.`

const diffExamples = `  mapa diff example.com/crawl.previous.sqlite example.com
  mapa diff before.xml https://example.com/sitemap.xml
  mapa diff https://example.com/sitemap.xml example.com --format html > changes.html
  mapa diff old.sqlite new.sqlite --format jsonl`

const exitText = `Exit codes:
  0    done
  1    findings at or above --fail-on
  2    wrong usage
  3    done in part: a limit, an interruption, a silent site, broken input; what could be kept is kept
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

const refusesPrograms = "the site refuses programs, perhaps not people: its owner can let this one in, or give it another name with --user-agent"

var hints = []hint{
	{is(errNoCrawl), "crawl the site first: mapa crawl example.com; or name the folder of its crawl"},
	{contains("disallowed: robots.txt"), "a robots.txt that cannot be read allows nothing: try again when the site is well"},
	{is(crawl.ErrForbidden), "its owner may let you crawl all the same: --ignore-robots"},
	{isMoved, "crawl that address instead if it is yours"},
	{is(fetch.KindNoHost), "is the name spelled right?"},
	{contains("no such host"), "is the name spelled right?"},
	{contains("connection refused"), "nothing listens there: is the server running, and the port right?"},
	{contains("TLS failed"), "the site's certificate is not trusted; http:// would not need one"},
	{contains("proxy failed"), "is the address given with --proxy right, and does it let you through?"},
	{contains("the server answers 401"), "if you may see it, send a name and password with --user, or a cookie with --cookie"},
	{contains("the server answers 403"), refusesPrograms},
	{contains("the server answers 429"), refusesPrograms},
	{contains("the server answers 999"), refusesPrograms},
	{contains("the server answers 5"), "the server is in trouble: try again when it is well"},
	{contains("no answer in time"), "the server is slow or in trouble: try again when it is well"},
	{is(crawl.ErrStart), "begin with the address of a page: mapa crawl https://example.com/start"},
	{is(compare.ErrNoCrawl), "name a sitemap in it, or run mapa crawl first"},
	{is(store.ErrLocked), "another mapa works in this folder; wait for it or choose another with -o"},
	{is(store.ErrVersion), "start over with --fresh, or go on with the version that made it"},
	{is(store.ErrNotCrawlFile), "the folder holds a crawl.sqlite that is something else; choose another with -o"},
	{is(store.ErrDamaged), "start over with --fresh"},
	{is(store.ErrFull), "what was crawled is kept: make room and run the same command again"},
	{is(syscall.ENOSPC), "make room and run the same command again"},
	{is(source.ErrOtherHost), "follow the sitemaps of other hosts with --cross-host"},
	{is(source.ErrNoSitemap), "name the sitemap's own address if it lies elsewhere"},
	{isRefused, "look at what the site shows; if it is right, publish it with --max-shrink 100"},
	{is(os.ErrNotExist), "a site is given by its host alone, example.com, or with https:// before it"},
	{hasStatus(401, 403), "the server refuses; it may want a browser or a password"},
	{hasStatus(404, 410), "there is nothing at this address; look for Sitemap lines in the site's robots.txt"},
	{hasKind(sitemap.FaultHTMLInstead), "the address gives a page for people; a sitemap is XML, text or a feed"},
	{hasKind(sitemap.FaultTruncated), "the file ends in the middle; what came before it was listed"},
	{is(io.ErrUnexpectedEOF), "the file ends in the middle; what came before it was listed"},
	{hasKind(sitemap.FaultEntityDeclaration), "a sitemap needs no entities of its own, and they are never expanded"},
	{hasKind(sitemap.FaultCeilingReached), "no sitemap of the protocol is as large as this; it was not read on"},
}

func isMoved(err error) bool {
	var moved *crawl.MovedError
	return errors.As(err, &moved)
}

func isRefused(err error) bool {
	var refused *publish.RefusedError
	return errors.As(err, &refused)
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
		lines[i] = format.Printable(line)
	}
	return strings.Join(lines, "\n")
}
