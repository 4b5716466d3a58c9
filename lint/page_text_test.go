package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// other is the URL that the messages of some rules begin with.
const other = "https://example.com/wine"

// foundWith are arguments of the message of every rule over crawled pages.
var foundWith = map[string][]any{
	"site-start-broken": {"404 Not Found"}, "site-start-empty": {}, "site-start-not-html": {"application/pdf"},
	"site-login": {other}, "site-other-host": {"https://example.org/", 9, 10}, "site-copy": {"https://example.org/"},
	"site-needs-javascript": {12345},
	"site-not-rendered":     {12345, lint.Text{Code: "detail.render-partial"}},
	"site-soft-404":         {9, 10}, "site-noindex": {9, 10}, "site-robots-blocks-all": {},
	"site-unreached": {2, 124}, "site-few-listed": {1, 100, 99, "noindex"},
	"site-clean-urls": {3}, "site-sitemap-broken": {"https://example.com/sitemap.xml", "404 Not Found"},
	"site-sitemap-unnamed": {"https://example.com/sitemap.xml", 7}, "crawl-partial": {12345},
	"publish-refused": {"9 of 10 pages are missing"}, "site-ai-robots": {"GPTBot, CCBot"},
	"site-engine-refused": {"Googlebot, bingbot", "403 Forbidden"},

	"link-broken": {other, "404 Not Found", "Wine"}, "link-inconclusive": {other, "403 Forbidden"},
	"anchor-missing": {other + "#red", "Red wine"}, "link-invalid": {"http://[bad"},
	"link-uncrawlable": {"javascript:open()"}, "link-localhost": {"http://127.0.0.1/"}, "link-no-text": {other},
	"link-vague": {other, "read more"}, "orphan": {}, "single-inlink": {other}, "nofollow-only": {}, "dead-end": {},
	"deep-page": {6, 4}, "pagination-broken": {other, "404 Not Found"},

	"server-error": {"503 Service Unavailable"}, "redirect-internal": {other, 3, "https://example.com/wines"},
	"redirect-chain": {other, 3, "https://example.com/"}, "redirect-loop": {other, "https://example.com/"},
	"slow-response": {12345, 1000},

	"title-missing": {}, "title-duplicate": {other, "Wine", 3}, "title-length": {72, 30, 60}, "title-multiple": {2},
	"description-missing": {}, "description-duplicate": {other, "Red and white", 3},
	"description-length": {20, 70, 155}, "description-multiple": {2},

	"h1-missing": {}, "h1-multiple": {2}, "thin-content": {120, 200}, "duplicate-content": {other, 3},
	"near-duplicate": {other, 95}, "soft-404-text": {"not found"}, "rendered-differs": {"title, canonical"},
	"render-inconclusive": {lint.Text{Code: "detail.render-partial"}}, "html-too-large": {2345678, 1048576},
	"lang-missing": {}, "viewport-missing": {},

	"canonical-multiple": {other}, "canonical-broken": {other, "404 Not Found"}, "canonical-chain": {other, 2},
	"canonical-relative": {"/wine"}, "canonical-in-body": {other},

	"noindex-blocked": {"Disallow: /wine"}, "meta-in-body": {"robots"},
	"robots-conflict": {lint.Text{Code: "rule.robots-conflict.index"}, "googlebot"},

	"hreflang-target-broken": {other, "de"}, "hreflang-target-canonical": {other, "de"},
	"hreflang-target-not-listed": {other, "de"},

	"image-alt": {3}, "image-size": {3}, "image-large": {other, 600000, 100000},

	"mixed-content": {"http://example.com/a.js", lint.Text{Code: "rule.mixed-content.active"}},
	"insecure-form": {"http://example.com/buy"}, "http-page": {other}, "header-hsts": {"example.com"},
	"header-nosniff": {"example.com"}, "header-csp": {"example.com"}, "header-frame": {"example.com"},
	"tls-expiry": {"example.com", 6},

	"not-indexed": {lint.Text{Code: "index.reason.crawled"}, "2025-06-01"}, "engine-canonical": {"2025-06-01"},
	"shown-not-listed": {lint.Text{Code: "reason.noindex.brief"}}, "never-shown": {"2025-03-01/2025-05-31"},

	"json-ld-invalid": {`{"@type":"Article",`}, "og-incomplete": {"og:image, og:url"}, "og-url-mismatch": {other},
}

// foundIn are texts that take the place of an argument.
var foundIn = []string{
	"rule.link-broken.no-text", "rule.mixed-content.active", "rule.mixed-content.passive",
	"rule.robots-conflict.index", "rule.robots-conflict.follow", "rule.robots-conflict.everyone",
}

// TestPageTexts words all texts of rules over crawled pages.
func TestPageTexts(t *testing.T) {
	for _, r := range lint.PageRules() {
		if r.Subject == lint.SubjectSitemap {
			continue
		}
		arguments, known := foundWith[r.ID]
		if !known {
			t.Errorf("%s: no arguments", r.ID)
		}
		found := lint.Text{Code: "rule." + r.ID + ".found", Arguments: arguments}
		texts := []lint.Text{r.Title(), r.Why(), r.Fix(), found}
		for _, n := range []int{1, 5} {
			texts = append(texts, lint.Text{Code: found.Code, Arguments: withNumber(arguments, n)})
		}
		for _, text := range texts {
			checkWording(t, text)
			if text.String() == text.In("es") {
				t.Errorf("%s is not translated: %q", text.Code, text)
			}
		}
		if strings.EqualFold(found.String(), r.Title().String()) {
			t.Errorf("%s: the message only repeats the title", r.ID)
		}
		severity, escalated := r.Limits()
		if (severity.Code != "") != (len(r.Threshold.Limits()) > 0) || (escalated.Code != "") != (r.Escalated != 0) {
			t.Errorf("%s: limits %v and %v", r.ID, severity, escalated)
		}
		for _, text := range []lint.Text{severity, escalated} {
			if text.Code != "" {
				checkWording(t, text)
			}
		}
	}
	for _, text := range []lint.Text{
		{Code: "rule.link-broken.unlinked", Arguments: []any{"404 Not Found"}},
		{Code: "rule.site-ai-robots.may-read", Arguments: []any{"GPTBot, CCBot"}},
		{Code: "rule.duplicate-content.first", Arguments: []any{2}},
		{Code: "rule.near-duplicate.first", Arguments: []any{97}},
		{Code: "rule.link-broken.redirected", Arguments: []any{other, other, "404 Not Found", "Wine"}},
	} {
		checkWording(t, text)
	}
	for _, code := range foundIn {
		checkWording(t, lint.Text{Code: code})
	}
}

// withNumber returns the arguments with a number in place of the first number, which
// decides between singular and plural.
func withNumber(arguments []any, n int) []any {
	changed := slices.Clone(arguments)
	for i := range changed {
		if _, isNumber := changed[i].(int); isNumber {
			changed[i] = n
			return changed
		}
	}
	return changed
}
