package lint_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
)

// TestPageRules checks what rules over crawled pages declare.
func TestPageRules(t *testing.T) {
	for _, r := range lint.PageRules() {
		limits := r.Threshold.Limits()
		switch {
		case r.Subject == lint.SubjectSitemap:
			if r.Escalated != lint.SeverityOff || len(limits) > 0 {
				t.Errorf("%s: the linter knows neither escalated severities nor thresholds", r.ID)
			}
		case r.Escalated != lint.SeverityOff && r.Escalated <= r.Severity:
			t.Errorf("%s: escalated from %s to %s", r.ID, r.Severity, r.Escalated)
		case r.Threshold.Beyond(-1<<40)+r.Threshold.Beyond(1<<40) > 1 && strings.Contains(r.Threshold.String(), ",") &&
			r.Escalated == lint.SeverityOff:
			t.Errorf("%s: the second limit of %s has no severity", r.ID, r.Threshold)
		case r.Engines != 0 || r.Live:
			t.Errorf("%s: has what only rules over sitemaps have", r.ID)
		}
	}
}

// TestSeverityOf wants the severity of numbers on both sides of the limits.
func TestSeverityOf(t *testing.T) {
	for _, c := range []struct {
		id   string
		n    int
		want lint.Severity
	}{
		{"deep-page", 4, lint.SeverityOff}, {"deep-page", 5, lint.SeverityInfo}, {"deep-page", 11, lint.SeverityWarning},
		{"thin-content", 200, lint.SeverityOff}, {"thin-content", 199, lint.SeverityInfo},
		{"thin-content", 49, lint.SeverityWarning}, {"tls-expiry", 6, lint.SeverityError},
		{"title-length", 61, lint.SeverityInfo}, {"title-missing", 1, lint.SeverityOff},
		{"redirect-chain", 1, lint.SeverityOff}, {"redirect-chain", 2, lint.SeverityWarning},
		{"redirect-chain", 10, lint.SeverityError},
	} {
		r, err := lint.LookupRule(c.id)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.SeverityOf(c.n); got != c.want {
			t.Errorf("%s: %d has the severity %s, want %s", c.id, c.n, got, c.want)
		}
	}
}

func TestLookupByKind(t *testing.T) {
	for _, c := range []struct {
		lookup   func(id string) (*lint.Rule, error)
		id, want string // want is a part of the error, or empty
	}{
		{lint.LookupSitemapRule, "loc-relative", ""}, {lint.LookupPageRule, "title-missing", ""},
		{lint.LookupSitemapRule, "hreflang-case", ""}, {lint.LookupPageRule, "hreflang-case", ""},
		{lint.LookupSitemapRule, "title-missing", "title-missing judges crawled pages: mapa crawl"},
		{lint.LookupPageRule, "loc-relative", "loc-relative judges sitemaps: mapa lint"},
		{lint.LookupSitemapRule, "loc-relativ", "did you mean loc-relative?"},
		{lint.LookupPageRule, "title-mising", "did you mean title-missing?"},
		{lint.LookupRule, "title-mising", "did you mean title-missing?"},
		{lint.LookupPageRule, "", `unknown rule ""`},
	} {
		r, err := c.lookup(c.id)
		switch {
		case c.want == "" && err == nil && r.ID == c.id:
		case c.want != "" && err != nil && strings.Contains(err.Error(), c.want):
		default:
			t.Errorf("%s: %v, want %q", c.id, err, c.want)
		}
	}
	if _, err := lint.New(&lint.Options{Disable: []string{"title-missing"}}); err == nil ||
		!strings.Contains(err.Error(), "mapa crawl") {
		t.Errorf("the linter takes a rule over crawled pages: %v", err)
	}
}

// TestPageExamples reads the examples of rules over crawled pages as sites. Package insight
// crawls them.
func TestPageExamples(t *testing.T) {
	for _, r := range lint.PageRules() {
		if r.Subject == lint.SubjectSitemap {
			continue
		}
		if bad, good := lintexample.Of(r.ID); bad == good {
			t.Errorf("%s: the examples are the same", r.ID)
		}
		bad, good := r.Examples()
		for kind, example := range map[string]string{"bad": bad, "good": good} {
			site, err := testsite.Parse([]byte(example))
			if err != nil {
				t.Errorf("%s, %s: %v", r.ID, kind, err)
				continue
			}
			recorder := httptest.NewRecorder()
			site.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/", nil))
			if recorder.Code == http.StatusNotFound && !strings.Contains(r.ID, "start-broken") {
				t.Errorf("%s, %s: there is no start page", r.ID, kind)
			}
			if strings.Contains(example, "{{") {
				t.Errorf("%s, %s: a directive remains:\n%.2000s", r.ID, kind, example)
			}
		}
	}
}
