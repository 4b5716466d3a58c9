package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format"
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

const (
	resumeText          = "Run the same command again to continue where it stopped."
	keptText            = "mapa: %s: the sitemap of the previous crawl was not changed; run the same command again to continue\n"
	seedsIgnoredText    = "resuming the crawl: --sitemap, --list and --log are read only at its start; use --fresh to start over"
	crawlIncompleteText = "the crawl in %s did not finish: pages without links are not reported"
	unseenText          = "mapa: %s left out, because a crawl did not reach or could not fetch them\n"
)

// cutText says what cut a crawl off.
func cutText(cut *app.CutError) string {
	switch {
	case !cut.Outage:
		return "interrupted"
	case cut.Unanswered == 0:
		return "the site does not answer"
	}
	return fmt.Sprintf("the site stopped answering: %s in a row, and the start page when asked again", plural(cut.Unanswered, "URL"))
}

// errorText returns an error in one line, with names of settings as flags.
func errorText(err error) string {
	text := err.Error()
	var setting *app.SettingError
	if errors.As(err, &setting) {
		text = setting.Text("--")
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// printable makes lines from strangers harmless for a terminal.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = format.Printable(line)
	}
	return strings.Join(lines, "\n")
}

func plural(n int, noun string) string { return format.Plural(n, noun) }
