package crawl_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

const decisionSite = `
-- /robots.txt --
User-agent: *
Disallow: /search
# the next rule wins over this one
Disallow: /closed/
Allow: /closed/open
-- / --
<title>Home</title><p>welcome</p>
<a href="/proxied">x</a> <a href="/plain">plain</a> <a href="plain">again</a> <a href="./plain#part">again</a> <a href="/plain#other">again</a>
<a href="/noindex-meta">x</a> <a href="/noindex-header">x</a> <a href="/noindex-other-bot">x</a>
<a href="/canonical-link">x</a> <a href="/canonical-header">x</a> <a href="/canonical-self">x</a>
<a href="/moved">x</a> <a href="/away">x</a> <a href="/chain-a">x</a>
<a href="/loop-one">x</a> <a href="/loop-two-a">x</a> <a href="/loop-three-a">x</a> <a href="/into-loop">x</a>
<a href="/refresh-now">x</a> <a href="/refresh-later">x</a> <a href="/refresh-noindex">x</a>
<a href="/refresh-noscript">x</a> <a href="/replaced">x</a>
<a href="/gone-404">x</a> <a href="/gone-410">x</a> <a href="/broken-500">x</a>
<a href="/refused-401">x</a> <a href="/refused-403">x</a> <a href="/refused-999">x</a>
<a href="/search?q=map">x</a> <a href="/closed/secret">x</a> <a href="/closed/open">x</a>
<a rel="nofollow" href="/nofollow-only">x</a> <a rel="nofollow" href="/nofollow-first">x</a> <a href="/later">x</a>
<a href="/nofollow-page">x</a>
<a href="/picture.png">x</a> <a href="/feed.xml">x</a> <a href="/paper.pdf">x</a> <img src="/shown.png">
<a href="http://other.example/">x</a> <a href="mailto:a@b.example">x</a> <a href="javascript:void(0)">x</a>
<a href="/print/a">x</a> <a href="/tags/a">x</a> <a href="/app/a">x</a>
<a href="/shop?PHPSESSID=0123456789abcdef">x</a> <a href="/shop?PHPSESSID=fedcba9876543210">x</a> <a href="/shop">x</a>
<a href="/sorted?b=2&amp;a=1">x</a> <a href="/sorted?a=1&amp;b=2">x</a>
<a href="/stripped?from=home">x</a> <a href="/stripped">x</a>
<a href="/based/">x</a>
<!-- <a href="/in-comment">x</a> -->
<script>document.write('<a href="/in-script">x</a>')</script>
<style>a { background: url(/in-style) } /* <a href="/in-style-link"> */</style>
<textarea><a href="/in-textarea">x</a></textarea>
-- /proxied --
HTTP 203

<title>Changed by a proxy</title><p>cherries</p><a href="/after-proxied">x</a>
-- /after-proxied --
<title>After</title><p>dates</p>
-- /plain --
<title>Plain</title><p>apple</p>
-- /noindex-meta --
<title>Unlisted</title><meta name="robots" content="noindex, follow"><p>banana</p><a href="/from-noindex">x</a>
-- /from-noindex --
<title>From noindex</title><p>cherry</p>
-- /noindex-header --
HTTP 200
X-Robots-Tag: noindex

<title>Unlisted by header</title><p>date</p>
-- /noindex-other-bot --
HTTP 200
X-Robots-Tag: otherbot: noindex

<title>Listed</title><p>elderberry</p>
-- /canonical-link --
<title>Copy</title><link rel="canonical" href="/canonical-target"><p>fig</p>
-- /canonical-header --
HTTP 200
Link: </style.css>; rel=preload, <http://$HOST/canonical-target>; rel="canonical"

<title>Copy by header</title><p>grape</p>
-- /canonical-target --
<title>Original</title><p>hazelnut</p>
-- /canonical-self --
<title>Own</title><link rel="canonical" href="http://$HOST/canonical-self#top"><p>iris</p>
-- /moved --
HTTP 301
Location: /moved-target
-- /moved-target --
<title>Moved here</title><p>jasmine</p>
-- /away --
HTTP 302
Location: http://elsewhere.example/
-- /chain-a --
HTTP 301
Location: /chain-b
-- /chain-b --
HTTP 302
Location: /chain-c
-- /chain-c --
HTTP 307
Location: /chain-end
-- /chain-end --
<title>End of the chain</title><p>kale</p>
-- /loop-one --
HTTP 302
Location: /loop-one
-- /loop-two-a --
HTTP 302
Location: /loop-two-b
-- /loop-two-b --
HTTP 302
Location: /loop-two-a
-- /loop-three-a --
HTTP 301
Location: /loop-three-b
-- /loop-three-b --
HTTP 301
Location: /loop-three-c
-- /loop-three-c --
HTTP 301
Location: /loop-three-a
-- /into-loop --
HTTP 301
Location: /loop-three-b
-- /refresh-now --
<title>Refresh</title><meta http-equiv="refresh" content="0; url=/refreshed"><p>lemon</p>
-- /refresh-noindex --
<title>Refresh</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=/refreshed"><p>anise</p>
-- /refresh-noscript --
<title>Moved</title><noscript><meta http-equiv="refresh" content="0; url=/refreshed"></noscript>
-- /replaced --
<title>Moved</title><script>location.replace("/refreshed")</script>
-- /refreshed --
<title>Refreshed</title><p>mango</p>
-- /refresh-later --
<title>Refresh later</title><meta http-equiv="refresh" content="30; url=/refreshed"><p>nutmeg</p>
-- /gone-410 --
HTTP 410
-- /broken-500 --
HTTP 500
-- /refused-401 --
HTTP 401
-- /refused-403 --
HTTP 403
-- /refused-999 --
HTTP 999
-- /closed/open --
<title>Open</title><p>olive</p>
-- /nofollow-first --
<title>Followed after all</title><p>pear</p>
-- /later --
<title>Later</title><p>quince</p><a href="/nofollow-first">x</a>
-- /nofollow-page --
<title>No follow</title><meta name="robots" content="nofollow"><p>raspberry</p><a href="/from-nofollow-page">x</a>
-- /picture.png --
-- /feed.xml --
<rss/>
-- /paper.pdf --
%PDF-1.4
-- /tags/a --
<title>Tag</title><p>strawberry</p><a href="/from-tag">x</a>
-- /from-tag --
<title>From a tag</title><p>tomato</p>
-- /shop?PHPSESSID=0123456789abcdef --
<title>Shop</title><p>vanilla</p>
-- /sorted?b=2&a=1 --
<title>Sorted</title><p>walnut</p>
-- /stripped?from=home --
<title>Stripped</title><p>yam</p>
-- /based/ --
<base href="/base/"><title>Based</title><p>zucchini</p><a href="page">x</a>
-- /base/page --
<title>By the base</title><p>almond</p>
`

var decided = map[string]decision{
	"/": "", "/plain": "", "/proxied": "", "/after-proxied": "", "/from-noindex": "", "/noindex-other-bot": "",
	"/noindex-meta":             "noindex: meta robots",
	"/noindex-header":           "noindex: X-Robots-Tag header",
	"/canonical-link":           "canonical: link element",
	"/canonical-header":         "canonical: Link header",
	"/canonical-target":         "",
	"/canonical-self":           "",
	"/moved":                    "redirect: /moved-target",
	"/moved-target":             "",
	"/away":                     "redirect: http://elsewhere.example/",
	"/chain-a":                  "redirect: /chain-b",
	"/chain-b":                  "redirect: /chain-c",
	"/chain-c":                  "redirect: /chain-end",
	"/chain-end":                "",
	"/loop-one":                 "redirect-loop: leads back to itself",
	"/loop-two-a":               "redirect-loop: leads back to itself",
	"/loop-two-b":               "redirect-loop: leads back to itself",
	"/loop-three-a":             "redirect-loop: leads back to itself",
	"/loop-three-b":             "redirect-loop: leads back to itself",
	"/loop-three-c":             "redirect-loop: leads back to itself",
	"/into-loop":                "redirect: /loop-three-b",
	"/refresh-now":              "redirect: meta refresh",
	"/refresh-noindex":          "redirect: meta refresh",
	"/refresh-noscript":         "redirect: meta refresh",
	"/replaced":                 "redirect: JavaScript opens another URL",
	"/refresh-later":            "",
	"/refreshed":                "",
	"/gone-404":                 "client-error: Not Found",
	"/gone-410":                 "client-error: Gone",
	"/broken-500":               "server-error: Internal Server Error",
	"/refused-401":              "inconclusive: Unauthorized",
	"/refused-403":              "inconclusive: Forbidden",
	"/refused-999":              "inconclusive",
	"/search?q=map":             "robots: disallowed by line 2: Disallow: /search",
	"/closed/secret":            "robots: disallowed by line 4: Disallow: /closed/",
	"/closed/open":              "",
	"/nofollow-only":            "nofollow",
	"/nofollow-first":           "",
	"/later":                    "",
	"/nofollow-page":            "",
	"/from-nofollow-page":       "nofollow",
	"/picture.png":              "not-a-page: image/png",
	"/feed.xml":                 "not-a-page: application/xml",
	"/paper.pdf":                "",
	"http://other.example/":     "out-of-scope: another site",
	"/print/a":                  "excluded: ^/print/",
	"/tags/a":                   "no-list: ^/tags/",
	"/from-tag":                 "",
	"/app/a":                    "added: ^/app/",
	"/sorted?b=2&a=1":           "",
	"/stripped":                 "",
	"/based/":                   "",
	"/base/page":                "",
	"http://elsewhere.example/": "out-of-scope: another site",
	"/shop":                     "",
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	site := parse(t, decisionSite)
	origin := serve(t, site)
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{
		Start:           origin + "/",
		StripParameters: []string{"from"},
		Scope: crawl.Scope{
			Exclude: patterns(`^/print/`),
			NoList:  patterns(`^/tags/`),
			Add:     patterns(`^/app/`),
		},
	}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), decided)
	fetched := map[string]bool{"/": true, "/robots.txt": true}
	for target, d := range decided {
		reason, _, _ := strings.Cut(string(d), ":")
		switch crawl.Reason(reason) {
		case crawl.ReasonRobots, crawl.ReasonOutOfScope, crawl.ReasonExcluded, crawl.ReasonAdded, crawl.ReasonNofollow:
		default:
			fetched[cmp.Or(asked[target], target)] = true
		}
	}
	probes := 0
	for target, times := range site.Requests() {
		if times != 1 {
			t.Errorf("%s was requested %d times", target, times)
		}
		if missingProbe.MatchString(target) {
			probes++
		} else if !fetched[target] {
			t.Errorf("%s was requested", target)
		}
		delete(fetched, target)
	}
	for target := range fetched {
		t.Errorf("%s was not requested", target)
	}
	if probes != 1 {
		t.Errorf("%d URLs that cannot exist were requested", probes)
	}
}

// asked maps URLs of the sitemap to those requested, where parameters that do not
// change the page were removed.
var asked = map[string]string{
	"/stripped": "/stripped?from=home",
	"/shop":     "/shop?PHPSESSID=0123456789abcdef",
}
