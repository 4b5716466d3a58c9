package setting

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"
)

// Suggest returns what to write in place of a name that no setting has, such as
// "did you mean --max-depth?", or "". Names are those of the settings that there are, and
// prefix is what precedes each, such as "--".
func Suggest(unknown string, names []string, prefix string) string {
	if sentence := missing[unknown]; sentence != "" {
		return sentence
	}
	meant, isSynonym := synonyms[unknown]
	if near := spelling.Nearest(unknown, names); !isSynonym && near != "" {
		meant = []string{near}
	}
	var there []string
	for _, name := range meant {
		if setting, _, _ := strings.Cut(name, " "); slices.Contains(names, setting) {
			there = append(there, prefix+name)
		}
	}
	if there == nil {
		return ""
	}
	return "did you mean " + OneOf(there) + "?"
}

// synonyms are the settings that flags of other programs correspond to: of curl, wget, lychee,
// muffet, linkchecker, katana and others. The first ones that a command has count.
var synonyms = map[string][]string{
	"depth": {"max-depth"}, "level": {"max-depth"}, "crawl-depth": {"max-depth"}, "recursion-level": {"max-depth"},
	"d": {"max-depth"}, "l": {"max-depth"},
	"limit": {"max-pages"}, "max-urls": {"max-pages"}, "max": {"max-pages"}, "pages": {"max-pages"}, "n": {"max-pages"},
	"duration": {"max-time"}, "quota": {"max-bytes"},

	"threads": {"concurrency"}, "workers": {"concurrency"}, "jobs": {"concurrency"}, "parallel": {"concurrency"},
	"max-concurrency": {"concurrency"}, "max-connections": {"concurrency"}, "j": {"concurrency"},
	"c":     {"concurrency", "config"},
	"delay": {"rate N"}, "wait": {"rate N"}, "crawl-delay": {"rate N"}, "rate-limit": {"rate N"}, "rps": {"rate N"},
	"limit-rate": {"rate N"}, "throttle": {"rate N"}, "requests-per-second": {"rate N"}, "r": {"rate N"}, "w": {"rate N"},
	"connect-timeout": {"timeout"}, "request-timeout": {"timeout"}, "t": {"timeout", "concurrency"},

	"out": {"output"}, "output-dir": {"output"}, "output-file": {"output"}, "output-document": {"output"},
	"directory-prefix": {"output"}, "dest": {"output"}, "O": {"output"},
	"json": {"format json"}, "jsonl": {"format jsonl"}, "csv": {"format csv"}, "html": {"format html", "outputs html"},
	"sarif": {"format sarif"}, "junit": {"format junit"}, "github": {"format github"}, "f": {"format"}, "type": {"format"},
	"compress": {"gzip"}, "gz": {"gzip"},

	"headers": {"header"}, "custom-header": {"header"}, "H": {"header"},
	"k": {"insecure"}, "no-check-certificate": {"insecure"}, "ignore-ssl": {"insecure"}, "skip-verify": {"insecure"},
	"skip-tls-verification": {"insecure"}, "no-verify": {"insecure"}, "verify": {"insecure", "ca-file"},
	"cacert": {"ca-file"}, "ca-certificate": {"ca-file"}, "ca-cert": {"ca-file"},
	"password": {"user NAME:PASSWORD"}, "username": {"user NAME:PASSWORD"}, "http-user": {"user NAME:PASSWORD"},
	"http-password": {"user NAME:PASSWORD"}, "auth": {"user NAME:PASSWORD"}, "basic-auth": {"user NAME:PASSWORD"},
	"u": {"user NAME:PASSWORD"}, "p": {"prefix", "proxy"},
	"cookies": {"cookie", "cookie-file"}, "cookie-jar": {"cookie-file"}, "load-cookies": {"cookie-file"}, "b": {"cookie"},
	"useragent": {"user-agent"}, "agent": {"user-agent"}, "ua": {"user-agent"}, "A": {"user-agent"},
	"x": {"proxy"}, "http-proxy": {"proxy"}, "https-proxy": {"proxy"},
	"silent": {"quiet"}, "no-progress": {"quiet"}, "s": {"quiet"}, "debug": {"verbose"},

	"ignore": {"exclude"}, "ignore-url": {"exclude"}, "skip": {"exclude"}, "reject-regex": {"exclude"},
	"reject":       {"exclude"},
	"exclude-path": {"exclude"}, "e": {"exclude"}, "accept-regex": {"include"}, "match": {"include"}, "only": {"include"},
	"i": {"include"}, "check-extern": {"external"}, "include-fragments": {"fail-on anchors"},
	"ignore-robots-txt": {"ignore-robots"}, "no-robots": {"ignore-robots"}, "skip-robots": {"ignore-robots"},
	"no-cache": {"fresh"}, "restart": {"fresh"}, "input-file": {"list"},
	"site-url": {"base-url"}, "hostname": {"base-url"},

	"javascript": {"render auto"}, "js": {"render auto"}, "headless": {"render auto"}, "chrome": {"browser"},
	"chromium": {"browser"}, "no-sandbox": {"browser-no-sandbox"},

	"interval": {"every"}, "period": {"every"},
	"port": {"listen"}, "addr": {"listen"}, "address": {"listen"}, "bind": {"listen"},
}

// missing says why there is no setting for what other programs have a flag for.
var missing = map[string]string{
	"retries": retriesText, "retry": retriesText, "max-retries": retriesText, "tries": retriesText,
	"max-redirects": redirectsText, "max-redirs": redirectsText, "follow-redirects": redirectsText,
	"location": redirectsText, "L": redirectsText,
	"resume": resumeText, "continue": resumeText,
	"dry-run": dryRunText, "dump": dryRunText,
	"recursive": "every page of the site is visited",
}

const (
	retriesText   = "what fails for a moment is requested three times; mapa crawl asks again later for what is still missing"
	redirectsText = "redirects are followed and reported; --trap redirects=N limits them in a row"
	resumeText    = "the same command continues a crawl that was cut off"
	dryRunText    = "only the folder of --output is written, and nothing is sent; mapa announce has --dry-run"
)
