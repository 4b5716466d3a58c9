package setting

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"
)

// Suggest returns what to write in place of a name that no setting has, such as
// "did you mean --max-depth?", or "". Names are those of the settings that there are, and "format"
// with each of its values; prefix is what precedes each, such as "--".
func Suggest(unknown string, names []string, prefix string) string {
	if sentence := answers[unknown]; sentence != "" {
		return strings.NewReplacer("{", prefix, "}", "").Replace(sentence)
	}
	meant, isSynonym := synonyms[unknown]
	if near := spelling.Nearest(unknown, names); !isSynonym && near != "" {
		meant = []string{near}
	}
	var there []string
	for _, name := range meant {
		setting, value, _ := strings.Cut(strings.ReplaceAll(name, "=", " "), " ")
		if value != "" && setting == "format" {
			setting = name // not each command has each format
		}
		if slices.Contains(names, setting) {
			there = append(there, prefix+name)
		}
	}
	if there == nil {
		return ""
	}
	return "did you mean " + OneOf(there) + "?"
}

// synonyms are the settings that flags of other programs correspond to: of curl, wget, lychee,
// muffet, linkchecker, Screaming Frog, katana and others. The first ones that a command has count.
var synonyms = map[string][]string{
	"depth": {"max-depth"}, "level": {"max-depth"}, "crawl-depth": {"max-depth"}, "recursion-level": {"max-depth"},
	"d": {"max-depth"}, "l": {"max-depth"},
	"limit": {"max-pages"}, "max-urls": {"max-pages"}, "max": {"max-pages"}, "pages": {"max-pages"}, "n": {"max-pages"},
	"duration": {"max-time"}, "m": {"max-time", "max-pages"},

	"threads": {"concurrency"}, "workers": {"concurrency"}, "jobs": {"concurrency"}, "parallel": {"concurrency"},
	"max-concurrency": {"concurrency"}, "max-connections": {"concurrency"}, "j": {"concurrency"},
	"c":     {"concurrency", "config"},
	"delay": {"rate N"}, "wait": {"rate N"}, "crawl-delay": {"rate N"}, "rate-limit": {"rate N"}, "rps": {"rate N"},
	"limit-rate": {"rate N"}, "throttle": {"rate N"}, "requests-per-second": {"rate N"}, "w": {"rate N"},
	"random-wait": {"rate N"}, "host-request-interval": {"rate N"}, "host-concurrency": {"concurrency"},
	"connect-timeout": {"timeout"}, "request-timeout": {"timeout"}, "t": {"timeout", "concurrency"},

	"out": {"output"}, "output-dir": {"output"}, "output-file": {"output"}, "output-document": {"output"},
	"directory-prefix": {"output"}, "output-folder": {"output"}, "file-output": {"output"}, "dest": {"output"},
	"O": {"output"}, "P": {"output"}, "F": {"output"},
	"json": {"format json", "format jsonl"}, "jsonl": {"format jsonl"}, "csv": {"format csv"},
	"html":           {"format html", "outputs html"},
	"create-sitemap": {"outputs xml"}, "export-format": {"format"}, "overwrite": {"force"},
	"sarif": {"format sarif"}, "junit": {"format junit"}, "github": {"format github"}, "f": {"format"}, "type": {"format"},
	"compress": {"gzip"}, "gz": {"gzip"},

	"headers": {"header"}, "custom-header": {"header"}, "H": {"header"},
	"k": {"insecure"}, "no-check-certificate": {"insecure"}, "ignore-ssl": {"insecure"}, "skip-verify": {"insecure"},
	"skip-tls-verification": {"insecure"}, "no-verify": {"insecure"}, "verify": {"insecure", "ca-file"},
	"cacert": {"ca-file"}, "ca-certificate": {"ca-file"}, "ca-cert": {"ca-file"},
	"password": {"user NAME:PASSWORD"}, "username": {"user NAME:PASSWORD"}, "http-user": {"user NAME:PASSWORD"},
	"http-password": {"user NAME:PASSWORD"}, "auth": {"user NAME:PASSWORD"}, "basic-auth": {"user NAME:PASSWORD"},
	"u": {"user NAME:PASSWORD"}, "p": {"prefix", "proxy"},
	"cookies": {"cookie", "cookie-file"}, "cookie-jar": {"cookie-file"}, "load-cookies": {"cookie-file"},
	"cookiefile": {"cookie-file"}, "b": {"cookie"},
	"useragent": {"user-agent"}, "agent": {"user-agent"}, "ua": {"user-agent"}, "A": {"user-agent"},
	"U": {"user-agent"}, "proxy-server": {"proxy"},
	"x": {"proxy"}, "http-proxy": {"proxy"}, "https-proxy": {"proxy"},
	"silent": {"quiet"}, "no-progress": {"quiet"}, "no-status": {"quiet"}, "no-warnings": {"quiet"},
	"s": {"quiet"}, "debug": {"verbose"},

	"ignore": {"exclude"}, "ignore-url": {"exclude"}, "skip": {"exclude"}, "reject-regex": {"exclude"},
	"reject": {"exclude"}, "exclude-path": {"exclude"}, "exclude-directories": {"exclude"}, "e": {"exclude"},
	"no-follow-url": {"exclude"}, "R": {"exclude"}, "accept-regex": {"include"}, "match": {"include"}, "i": {"include"},
	"include-directories": {"include"}, "I": {"include"}, "no-parent": {"prefix PATH"}, "np": {"prefix PATH"},
	"domains": {"prefix PATH", "subdomains"}, "D": {"prefix PATH", "subdomains"},
	"span-hosts":      {"subdomains", "external"},
	"page-requisites": {"assets"}, "offline": {"external=false"}, "check-extern": {"external"},
	"include-fragments": {"fail-on anchors"}, "fail": {"fail-on FINDINGS"}, "database": {"sql"},
	"login": {"user NAME:PASSWORD", "cookie-file FILE"}, "session": {"cookie-file FILE"},
	"ignore-robots-txt": {"ignore-robots"}, "no-robots": {"ignore-robots"}, "skip-robots": {"ignore-robots"},
	"no-cache": {"fresh"}, "restart": {"fresh"},
	"input-file": {"list"}, "files-from": {"list"}, "base": {"base-url"}, "site-url": {"base-url"},
	"hostname": {"base-url"},

	"javascript": {"render auto"}, "js": {"render auto"}, "headless": {"render auto"}, "chrome": {"browser"},
	"chromium": {"browser"}, "no-sandbox": {"browser-no-sandbox"},

	"interval": {"every"}, "period": {"every"},
	"port": {"listen"}, "addr": {"listen"}, "address": {"listen"}, "bind": {"listen"},
}

// answers say what to do in place of a flag that other programs have, or that Mapa had. Names of
// settings are in braces.
var answers = map[string]string{
	"enable":     "{severity} ID=on applies a rule that is off",
	"disable":    "{severity} ID=off skips a rule",
	"changefreq": "Google ignores changefreq; changefreq-rule in mapa.yaml writes one",
	"endpoint":   "a rehearsal is mapa announce FOLDER --endpoint URL",

	"retries": retriesText, "retry": retriesText, "max-retries": retriesText, "tries": retriesText,
	"retry-wait-time": retriesText,
	"max-redirects":   redirectsText, "max-redirs": redirectsText, "follow-redirects": redirectsText,
	"location": redirectsText, "L": redirectsText,
	"resume": resumeText, "continue": resumeText, "no-clobber": resumeText, "nc": resumeText,
	"timestamping": updateText, "N": updateText,
	"cache":   "mapa crawl asks only for what changed, and --fresh starts over",
	"dry-run": dryRunText, "spider": dryRunText,
	"dump":      "mapa links --external=false checks without requests to other sites",
	"recursive": recursiveText, "r": recursiveText, "crawl": recursiveText,
	"mirror": mirrorText, "convert-links": mirrorText, "adjust-extension": mirrorText,

	"list-mode": listText, "crawl-list": listText, "one-page-only": listText,
	"stdin":       "a dash reads standard input: mapa links -",
	"export-tabs": exportText, "bulk-export": exportText, "save-report": exportText, "export": exportText,
	"save-crawl": "every crawl is kept in its folder, as crawl.sqlite",
	"compare":    compareText, "diff": compareText,
	"fix":   "mapa lint SITEMAP --fix FOLDER writes a repaired copy",
	"xpath": extractText, "extract": extractText, "css-path": extractText,
	"schedule": scheduleText, "cron": scheduleText,
	"quota":                 "it is max-bytes in mapa.yaml, or MAPA_MAX_BYTES",
	"Q":                     "it is max-bytes in mapa.yaml, or MAPA_MAX_BYTES",
	"max-cache-age":         "it is external-max-age in mapa.yaml, or MAPA_EXTERNAL_MAX_AGE",
	"create-images-sitemap": "it is images in mapa.yaml, or MAPA_IMAGES", "ignore-case": "(?i) in a PATTERN ignores case",
	"robots": robotsText, "respect-robots": robotsText, "obey-robots": robotsText, "follow-robots": robotsText,
	"data": postText, "post-data": postText, "method": postText, "request": postText, "X": postText,
	"notify": "mapa serve sends notices; in CI, {fail-on} fails the run", "email": "mapa serve sends mail",
	"no-color": colorText, "color": colorText,
	"compressed": "compressed answers are asked for anyway",
	"referer":    "{header} 'Referer: URL' sends it",
}

const (
	retriesText   = "what fails for a moment is requested three times; mapa crawl asks again later for what is missing"
	redirectsText = "redirects are followed and reported; redirects=N in trap of mapa.yaml limits them in a row"
	resumeText    = "the same command continues a crawl that was cut off"
	dryRunText    = "only the folder of --output is written, and nothing is sent; mapa announce has --dry-run"
	recursiveText = "mapa crawl follows all links of the site; --max-depth limits how far"
	mirrorText    = "mapa crawl checks a site and keeps no copy of its pages"
	listText      = "mapa links FILE requests the URLs of a list, and mapa crawl --list FILE --max-depth 0 crawls them"
	exportText    = "mapa report FOLDER --format csv exports the pages, with --findings the problems"
	extractText   = "texts of your choice are not extracted; mapa report FOLDER --format jsonl has all facts of each page"
	updateText    = "after a finished crawl, the next one fetches only what changed"
	compareText   = "mapa diff OLD NEW compares two crawls or sitemaps"
	robotsText    = "robots.txt is obeyed; mapa crawl --ignore-robots does not"
	postText      = "no data is sent, and no form"
	scheduleText  = "cron and CI can run any command; mapa serve has schedules"
	colorText     = "nothing is printed in colors"
)
