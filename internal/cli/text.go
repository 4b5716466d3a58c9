package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/mapatools/mapa/crawl"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

const rootText = `Mapa creates, reads and checks sitemaps.`

const crawlText = `Crawl visits every page of a site, writes its sitemap and reports what to fix.

Results go to a folder, named after the host unless -o is given: sitemap.xml (an
index with more files when one is too small), broken.csv when there are broken
links, report.html, and crawl.sqlite, the crawl itself. Run the same command again
to resume a crawl that was interrupted by you, by an outage or by --max-time (exit
code 3). After a finished crawl, the next one fetches only what changed and writes
changes.jsonl: what changed since the previous crawl, one JSON object per line.

Pages without links to them are crawled too if a sitemap in robots.txt lists them,
or --sitemap, --list or --log does. With --max-depth 0, only the start page and those
of --sitemap, --list and --log are crawled, in a folder of their own.

--fail-on makes findings fail the run (exit code 1): severities, rule IDs, or the links
in broken, anchors, redirects and chains. --allow accepts targets of links. --baseline
ignores what its file lists, which --write-baseline writes. A crawl that ends at --max-pages,
--max-depth or max-bytes counts as complete (exit code 0).

PDF, office and EPUB files are listed like pages; the setting documents chooses the
kinds.

--outputs writes other files: urllist.txt (txt), sitemap.html for people (html),
rss.xml and atom.xml with the newest 50 pages (rss, atom). All files are replaced
together. If the new sitemap has lost more than --max-shrink percent of the pages, or
the home page, none is replaced (exit code 3), nor if the crawl ended at a limit and
the sitemap of a complete crawl is larger.

--base-url crawls a preview, a staging server or a local copy of a site: it names the
site's public URL. Canonicals, hreflang, links and sitemaps under it count as this
site, every output has public URLs, and patterns and --prefix match these. Nothing is
requested from the public address; the robots.txt of the crawled address applies.
Without a page, no sitemap is written (exit code 3). The next crawl into the folder
keeps it, and the scheme that the host uses; --fresh does not.

A folder that a static site generator wrote, such as public/, is crawled without a
server; --base-url is the URL that it will have. --publish writes the outputs there.

A PATTERN is a regular expression. It is matched against the path with its query,
and against the whole URL.

One command crawls one site, or the sites in mapa.yaml in turn. --nats takes several
URLs and spreads many sites over the machines on which mapa worker runs; each site
gets a subfolder of the -o folder.

mapa.yaml holds settings under the names of the flags. Without a URL, crawl visits
the sites that it lists. Environment variables override the file: MAPA_MAX_PAGES=100
is --max-pages 100. Flags override both.`

const crawlExamples = `  mapa crawl example.com
  mapa crawl https://example.com/docs/ --prefix /docs/ -o docs
  mapa crawl example.com --exclude '^/search' --max-pages 500
  mapa crawl example.com --outputs xml,html --set products='^/shop/'
  mapa crawl example.com --list pages.csv --max-depth 0
  mapa crawl http://localhost:8080 --fail-on broken,anchors --allow '^/old/'
  mapa crawl staging.example.com --base-url https://example.com/ --user me:secret
  mapa crawl public/ --base-url https://example.com/ -o check --publish public`

const crawlBrief = `  mapa crawl example.com
  mapa crawl example.com --only link-broken --fail-on broken
  mapa crawl example.com --list urls.txt --max-depth 0
  mapa crawl stage.example.com --base-url https://example.com/ --user me:secret
  mapa crawl public/ --base-url https://example.com/ --fail-on broken`

const buildText = `Build writes the sitemap of pages that are listed elsewhere, without a crawl.

A SOURCE is recognized by its content:
  - a list: text with one URL a line; CSV with a header, as shops, analytics and
    SEO programs export it; JSON, or JSONL as of "mapa list --format jsonl"
  - an access log of Apache or nginx, or one in JSON as of Caddy: the pages that
    were answered with 200 or 304
  - a sitemap, index or feed: a file, a folder, or a site, as in mapa list
  - a URL of a sitemap, of JSON or of CSV
  - a crawl: its folder, or its crawl.sqlite
  - any of these on standard input: -
--list, --log and --sitemap say what a source is. Any file may be compressed by gzip.

--base-url is the URL of the site. Relative URLs are resolved against it, and pages
outside it are left out. Of several rows of one page the first counts: sources count
in the order of the arguments, then --list, --log and --sitemap.

Build counts the rows that it leaves out, and names the first ten of each kind with line
and column. Invalid rows are a failure (exit code 3). Duplicates, pages outside the site,
and pages that the source calls broken, redirected, drafts or noindex are not. A wrong
date is dropped, and its page is listed. --strict stops at the first of these, except the
pages that the source excludes. If a source cannot be read to its end, or most rows of a
file are invalid, nothing is published.

The outputs, and when they are not published, are those of mapa crawl.

mapa.yaml holds sources and settings under build, by the names of the flags. Environment
variables override the file, and flags override both. A source on the command line takes
the place of all sources of the file.`

const buildExamples = `  mapa build
  mapa build pages.txt --base-url https://example.com/ -o public
  mapa build products.csv --column loc=permalink --base-url https://example.com/shop/
  mapa build old.xml.gz https://example.com/feed.xml --base-url https://example.com/
  mapa build /var/log/nginx/access.log --base-url https://example.com/ --exclude '^/cart'
  generate-urls | mapa build - --base-url https://example.com/ --set blog='^/blog/'
  mapa build example.com/crawl.sqlite --base-url https://example.com/ --outputs txt,html`

const buildBrief = `  mapa build pages.txt --base-url https://example.com/ -o public
  mapa build products.csv --column loc=permalink --base-url https://example.com/
  mapa build example.com/crawl.sqlite --base-url https://example.com/ --gzip
  mapa build --sql sqlite:shop.db --query 'select url as loc from page' \
       --base-url https://example.com/`

const demoText = `Demo serves a small website on this machine, crawls it, and writes the result to
the folder mapa-demo.`

const workerText = `Worker crawls sites of jobs that "mapa crawl --nats" submits. Any number of workers on
any machines share the jobs through NATS servers with JetStream. Each site is crawled by
one worker at a time, so its rate and robots.txt hold for all of them together.

Fetched pages are stored on the servers. When a worker dies, others take over its sites
after 30 seconds and continue; at most 500 pages of each are fetched again. An
interrupted worker stores its pages and returns its sites at once.

docs/cluster.md in the repository has the set-up, sizes and guarantees.`

const workerStoppedText = `mapa: stopped; what was fetched is stored, and the sites are left to other workers`

const workerExamples = `  mapa worker --nats nats://127.0.0.1:4222
  mapa worker --nats tls://nats.example:4222 --nats-creds worker.creds --parallel 64`

const jobText = `Job lists and controls the crawls that "mapa crawl --nats" has submitted to workers, and
writes their results at any later time. A job and all that was crawled for it stay on
the servers until "mapa job delete".`

const jobExamples = `  mapa job list --nats nats://127.0.0.1:4222
  mapa job show news --nats nats://127.0.0.1:4222
  mapa job results news -o news --nats nats://127.0.0.1:4222
  mapa job cancel news --nats nats://127.0.0.1:4222
  mapa job delete news --nats nats://127.0.0.1:4222`

const jobResultsText = `Results writes the sitemap and the reports of every ended site of a job, each to its own
folder, as after a crawl on one machine. It skips sites that were written before. For a
canceled job, it also writes the results so far of the other sites. job.json is the
summary.`

const unfinishedText = `mapa: job %s goes on without this process. To follow it again, or write its results:
  mapa job results %s -o FOLDER   (mapa job cancel %s ends it)
`

const figuresText = `Figures adds to the crawl in a folder what search engines and other tables say about its
pages: which of them Google has in its index and why not the others, how often people saw
and opened each in search results, or any column of your own table.

A FILE is what you download from Search Console (the Pages report, the pages with one
reason, the search results) or from Bing Webmaster Tools: the ZIP, its folder or its
files. It may also be another table (CSV) with a column of URLs. Nothing is sent anywhere.

The figures are kept in figures.sqlite in the folder, also for the next crawls. Without a
FILE, the command says what is there. docs/figures.md says how to download the files.`

const figuresExamples = `  mapa figures example.com example.com-Coverage-2026-11-01.zip
  mapa figures example.com *.zip
  mapa figures example.com pages-with-owners.csv
  mapa figures example.com`

const whyText = `Why explains what the last crawl decided about a page: whether it is in the sitemap,
the reason if it is not, and the links that lead to it.

It reads the crawl in the current folder, or in the folder named after the host,
where "mapa crawl" writes it. FOLDER names another one. A path such as /about is that
of the crawled site.

With --as, it requests the site's robots.txt instead and says which robots may read the
page, and by which line.`

const whyExamples = `  mapa why https://example.com/shop/chair
  mapa why example.com/old docs
  mapa why /draft.html mapa-demo
  mapa why --format json https://example.com/about
  mapa why --as ai https://example.com/
  mapa why --as Googlebot,GPTBot https://example.com/about`

const listText = `List prints the URLs of any sitemap.

A source is a file, a folder of sitemaps, - for standard input, the URL of a sitemap,
an index or a robots.txt, or a site such as example.com, whose sitemaps are found
through its robots.txt or in the usual places. List reads XML, text, RSS and Atom,
compressed or not, and follows indexes on their own host.`

const listExamples = `  mapa list example.com
  mapa list https://example.com/sitemap.xml --since 2026-01-01
  mapa list --count sitemap.xml.gz
  mapa list --format jsonl public/sitemap.xml`

const watchText = `Watch follows the sitemaps and feeds of sites, and prints what is new, changed and gone
since its last pass, one JSON object per line.

A SITE is a site such as example.com, or the URL of a robots.txt, an index, a sitemap or
a feed. A pass asks only for what may have changed, with conditional requests. The state
is one file; the first pass prints every page as new unless --no-initial is given. A page
that leaves a feed is not gone. A sitemap that cannot be read, or ends early, removes
nothing, and the pass is done in part (exit code 3).

--every continues until it is interrupted. Sites that change often are visited at that
interval, others less often, up to --at-most.

--webhook posts batches of events as JSON: {"version":1,"events":[...]}. Its header
X-Mapa-Signature is sha256= and the HMAC-SHA256 of the body when there is a
--webhook-secret-file. --exec runs a command for every batch. Every event is delivered
at least once; a repeated delivery has the same id.`

const watchExamples = `  mapa watch example.com --no-initial
  mapa watch example.com https://news.example/feed.xml --every 10m
  mapa watch --sites sites.txt --every 1h --webhook https://hooks.example/sitemap
  mapa watch status`

const watchStatusText = `Status prints what the last pass found and cost for every site, when the next one is
due, and sites whose dates or 304 responses turned out to be wrong. It works while
a watcher runs.`

const reportText = `Report shows what a crawl found, at any time after it: why each URL is in the sitemap
or not, broken links and the pages they are on, redirects, duplicates, orphan pages
and slow pages.

FOLDER is the folder of a crawl, or its crawl.sqlite; the default is the current
folder. Formats: html is one page that needs no other file; csv and jsonl list every
URL with all its data; json has the overview, the findings and every URL; sarif, junit,
github and markdown list the findings for other programs.

--findings lists the findings as text, csv, json or jsonl. --fail-on exits with 1 when
there are some that it names, as in mapa crawl.`

const reportExamples = `  mapa report example.com
  mapa report example.com --reason client-error
  mapa report example.com --format html -o report.html
  mapa report example.com --format csv --reason redirect > redirects.csv
  mapa report example.com --format github --fail-on broken,chains`

const reportBrief = `  mapa report example.com
  mapa report example.com --findings --rule link-broken
  mapa report example.com --format html -o report.html
  mapa report example.com --format csv --reason redirect > redirects.csv`

const linksText = `Links checks where the links in files lead, without a crawl: to other files and the
anchors in them, and to web sites.

A source is a file, a folder, - for standard input, or the URL of a sitemap. Markdown
is read as GitHub shows it, in HTML the links are those that browsers follow, and in
other text they are the URLs. In a folder, Markdown, HTML and text files are checked,
hidden ones and those in node_modules apart. Of sitemaps (.xml, .xml.gz, .rss and
.atom files, and URLs) every page is requested.

Links that begin with a slash are relative to the folder of the git repository, or to
a folder that is named. With --base-url, links to that address are links to files.

The findings, formats, --fail-on and baselines are those of mapa crawl.`

const linksExamples = `  mapa links README.md docs
  mapa links docs --external=false
  mapa links public --base-url https://example.com/
  mapa links urls.txt --format jsonl
  mapa links https://example.com/sitemap.xml
  mapa links docs --format github --fail-on broken`

const linksBrief = `  mapa links README.md docs
  mapa links public --base-url https://example.com/
  mapa links urls.txt --format csv -o broken.csv
  mapa links https://example.com/sitemap.xml --rate 1`

const lintText = `Lint checks sitemaps, and names the line and the fix of every problem.

A source is a file, a folder of sitemaps, - for standard input, the URL of a sitemap,
an index or a robots.txt, or a site such as example.com. Indexes are followed. A feed
in a folder counts if an index or robots.txt names it, or if nothing else is there.

The rules of sitemaps.org apply by default. --engine applies a search engine's
documented rules instead, or with schema those of strict XML validators. With several
engines, the strictest severity counts. 'mapa rules' lists the rules.

--baseline ignores findings that are known and accepted. They are reported again when
their number grows. A baseline also records how many pages each source lists: a
source that lists over 30 % fewer pages the next time is a finding.

--crawl compares with the pages that mapa crawl found. It reports listed pages that
were dead, redirected or had noindex, pages that no sitemap lists, and listed pages
that no page links to (orphan pages).

--live also checks the site, with the rate limit of a crawl: robots.txt, and a sample
of the pages, images and thumbnails that are listed.

--fix writes repaired copies. It repairs only what needs no guessing, and lists what
it changed, what it left, and which errors the copies still have. Relative URLs become
absolute with --base-url. Originals are not changed; the copies of an earlier run are.
To find duplicates it remembers up to ten million pages, at about 80 bytes each.

mapa.yaml holds settings under lint, by the names of the flags. Environment variables
such as MAPA_ENGINE override the file, and flags override both.`

const lintExamples = `  mapa lint public/sitemap.xml --base-url https://example.com/
  mapa lint example.com --engine google,bing --fail-on warning
  mapa lint example.com --live --sample 500
  mapa lint example.com --crawl example.com
  mapa lint public --fix repaired --base-url https://example.com/
  mapa lint public --format sarif -o mapa.sarif
  mapa lint public --baseline known.json --write-baseline
  mapa lint public --baseline known.json`

const announceText = `Announce submits a sitemap, and the pages that changed, to search engines.

SOURCE is the folder of mapa crawl or mapa build, a sitemap file, or the URL of a
sitemap. The first run records the pages and announces the sitemap only; after that,
each run announces the pages that were added, changed or removed since. In the folder
of a crawl the first run announces what changes.jsonl lists. --all announces every page.

Google gets the sitemap, IndexNow and Baidu get the URLs, Bing and Yandex get both.
WebSub hubs get the feeds. robots.txt is always checked first.

Nothing is announced when the sitemap has errors, when a changed page does not answer
200 or is noindex, when a removed page still answers, when a page is on another host,
or when robots.txt blocks it (exit code 1). --force CHECK overrides one of the checks.

Every request is recorded in announce.sqlite in the folder before it is sent. The next
run continues an interrupted one, and sends what a quota, a cooldown or a failure has
postponed.

Credentials come from the environment (INDEXNOW_KEY, GOOGLE_APPLICATION_CREDENTIALS,
BING_WEBMASTER_KEY, YANDEX_WEBMASTER_TOKEN, BAIDU_PUSH_TOKEN), from files, or from the
announce section of a file that --config names, as $NAME.

A success means that the engine received the announcement, not that it indexes pages.`

const announceExamples = `  mapa announce example.com
  mapa announce example.com --dry-run
  mapa announce https://example.com/sitemap.xml --to indexnow,google
  mapa announce public --base-url https://example.com/ --previous old/sitemap.xml
  mapa announce example.com --since 2026-03-01 --force status
  mapa announce status example.com --format json`

const announceStatusText = `Status asks Google, Bing and Yandex what they know about each sitemap, and prints it
next to the number of URLs and the findings of mapa lint.`

const keyText = `Key creates the key of IndexNow, writes its file and checks it.

IndexNow asks for a file with the key on each host, to prove that the announcement is
from its owner. example.com and www.example.com are two hosts.`

const keyCheckText = `Check requests the key file of a site, and of the same site with www or without. The
file must answer 200 with exactly the key, and without a redirect.`

const versionText = `Version prints the version of mapa, the commit and its date, and the version of Go
that built it.`

const versionExamples = `  mapa version
  mapa version --format json`

const manText = `Man writes the manual pages of all commands to a folder, which it creates.`

const completionText = `Completion prints a script that completes commands, flags and their values: formats,
engines, rule IDs, reasons, and folders with a crawl.`

const completionExamples = `  source <(mapa completion bash)
  mapa completion zsh > "${fpath[1]}/_mapa"
  mapa completion fish > ~/.config/fish/completions/mapa.fish
  mapa completion powershell | Out-String | Invoke-Expression`

const rulesText = `Rules lists the rules of lint, which judge sitemaps, and those of crawl, which judge
what a crawl found. Or it explains one: why it matters, how to fix it, its threshold,
its name in the reports of Search Console and Yandex, its source, a bad example and a
good one.`

const rulesExamples = `  mapa rules
  mapa rules loc-relative
  mapa rules title-length
  mapa rules --format json`

const diffText = `Diff shows what changed from OLD to NEW: pages added or removed, and changes of
status, reason, redirect or canonical target, content and lastmod.

Each of the two is the folder of a crawl, a crawl file, or a sitemap as in mapa list:
a file, -, a URL or a site. Two sitemaps are compared by URL and lastmod, two crawls
by all their data, and a crawl with a sitemap by the pages that the crawl lists. No
page is reported as removed where a crawl did not finish, or where the page that
links to it did not answer.

Where the URLs of one site differ in the scheme only, http and https, a notice says so,
and they are compared without it.

Like diff(1), it exits with 0 when there is no difference and with 1 when there is.`

const diffExamples = `  mapa diff example.com/crawl.previous.sqlite example.com
  mapa diff before.xml https://example.com/sitemap.xml
  mapa diff https://example.com/sitemap.xml example.com --format html > changes.html
  mapa diff old.sqlite new.sqlite --format jsonl`

// commonFlagTexts say what the flags of all commands do in each; a command without a text has
// no use for the flag.
var commonFlagTexts = map[string]map[string]string{
	"quiet": {
		"announce": quietLine, "build": quietLine, "crawl": quietLine, "demo": quietLine,
		"diff": quietResult, "links": quietResult, "lint": quietResult,
		"list": quietResult, "report": quietResult, "rules": quietResult,
		"watch": quietResult, "why": quietResult, "job list": quietResult, "job results": quietResult,
		"worker": "print errors only",
	},
	"lang": {
		"announce": langText, "announce status": langText, "build": langText, "crawl": langText, "demo": langText,
		"diff": langText, "figures": langText, "links": langText, "lint": langText, "list": langText,
		"report": langText, "rules": langText, "watch": langText, "why": langText,
	},
	"verbose": {
		"crawl": verbosePages, "demo": verbosePages,
		"mcp": "log every task", "serve": "log every request",
	},
}

const (
	quietLine    = "print one line with the result, and errors"
	quietResult  = "print the result and errors only: no progress, notices and proposals"
	verbosePages = "print every page that is fetched"
	langText     = "`LANGUAGE` of what people read: en or es"
)

// cutText says what cut a crawl off.
func cutText(c *catalog.Catalog, cut *appcrawl.CutError) string {
	refused, isRefused := errors.AsType[*crawl.RefusedError](cut)
	switch {
	case cut.Unrendered != nil:
		return c.Text("summary.cut.unrendered", printable(c.Detail(cut.Unrendered.Detail.Split())))
	case !cut.Outage:
		return c.Text("summary.cut.interrupted")
	case isRefused:
		return c.Text("summary.cut.refused", page.StatusName(c, refused.Status))
	case cut.Unanswered == 0:
		return c.Text("summary.cut.no-answer")
	}
	return c.Plural("summary.cut.stopped", int64(cut.Unanswered))
}

// errorText returns an error in one line, with names of settings as flags and URLs
// without user information.
func errorText(err error) string {
	text := err.Error()
	var setting *setting.Error
	if errors.As(err, &setting) {
		text = setting.Text("--")
	}
	return strings.ReplaceAll(format.Redact(text), "\n", "; ")
}

// printable makes lines from strangers harmless for a terminal.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = format.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// readable returns a URL for people, on a terminal.
func readable(url string) string { return printable(format.ReadableURL(url)) }

// printText prints text for people. It may name files and folders, whose names come from
// a mapa.yaml of strangers.
func printText(w io.Writer, text string) error {
	_, err := io.WriteString(w, printable(text))
	return err
}

func plural(n int, noun string) string { return format.Plural(n, noun) }
