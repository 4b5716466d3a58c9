package insight_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
)

// unseen are the rules whose examples no site in the process can show, and why.
var unseen = map[string]string{
	"tls-expiry":      "the certificate",
	"http-page":       "two ports",
	"noindex-blocked": "an earlier crawl",
	"publish-refused": "an earlier sitemap",
	"crawl-partial":   "a limit",
	"slow-response":   "the time of a response",
	"site-soft-404":   "the answer for every other URL",
}

// TestExamples crawls the examples of every rule over pages: a bad one breaks its rule once, a
// good one does not.
func TestExamples(t *testing.T) {
	for _, rule := range lint.PageRules() {
		if rule.Subject == lint.SubjectSitemap {
			continue
		}
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			if why := unseen[rule.ID]; why != "" {
				t.Skip("no file of a site shows ", why)
			}
			bad, good := lintexample.Of(rule.ID)
			if bad == "" || good == "" {
				t.Fatal("a rule needs a bad and a good example")
			}
			if found := judgeExample(t, rule, bad); count(found, rule) == 0 {
				t.Errorf("the bad example does not break the rule; found\n%s", listed(found))
			} else if count(found, rule) > 1 {
				t.Errorf("the bad example breaks the rule %d times:\n%s", count(found, rule), listed(found))
			}
			if found := judgeExample(t, rule, good); count(found, rule) > 0 {
				t.Errorf("the good example breaks the rule:\n%s", listed(found))
			}
		})
	}
}

// count counts the findings of a rule. A group of pages is one.
func count(findings []insight.Finding, rule *lint.Rule) (n int) {
	groups := map[crawl.ID]bool{}
	for i := range findings {
		f := &findings[i]
		if f.Rule.ID != rule.ID || strings.Contains(rule.ID, "duplicate") && groups[f.Other] {
			continue
		}
		groups[f.Other] = true
		n++
	}
	return n
}

func listed(findings []insight.Finding) string {
	var s strings.Builder
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&s, "\t%s %s: %s [%s]\n", f.Severity, f.URL, f.Text(catalog.For(catalog.English)), f.Rule.ID)
	}
	return s.String()
}

// examplesToday is the day on which the examples are crawled.
var examplesToday = time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC)

// judgeExample crawls the site of an example and returns what is found in it.
func judgeExample(t *testing.T, rule *lint.Rule, example string) (found []insight.Finding) {
	t.Helper()
	site, err := testsite.Parse([]byte(lintexample.Expand(example, examplesToday)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"), crawl.Meta{Start: "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	options := &crawl.Options{
		Start: "https://example.com/", Checks: crawl.Checks{Assets: true, External: true},
		Access:   access.Access{Transport: inProcess{site}, Rate: access.PerSecond(0)},
		Shingles: rule.ID == "near-duplicate",
	}
	end := &insight.End{}
	options.OnSitemap = func(found crawl.SiteSitemap) { end.Sitemaps = append(end.Sitemaps, insight.SitemapOf(found)) }
	_, err = crawl.Run(t.Context(), file, options)
	var start *crawl.StartError
	if err != nil && !errors.As(err, &start) && !errors.Is(err, crawl.ErrForbidden) {
		t.Fatal(err)
	}
	if err := file.Conclude(options.MayList); err != nil {
		t.Fatal(err)
	}
	rules, err := (&insight.Options{Enable: []string{rule.ID}}).Rules()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := insight.Write(t.Context(), file, rules, end, nil); err != nil {
		t.Fatal(err)
	}
	for f, err := range insight.Read(t.Context(), file, insight.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f)
	}
	return found
}

// inProcess answers from a site in the process.
type inProcess struct{ site *testsite.Site }

func (s inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	answered := request.Clone(request.Context())
	answered.RequestURI = request.URL.RequestURI()
	if host := request.URL.Host; host != "example.com" {
		answered.RequestURI = "//" + host + answered.RequestURI
	}
	recorder := httptest.NewRecorder()
	s.site.ServeHTTP(recorder, answered)
	response := recorder.Result()
	response.Request = request
	response.Header.Set("Content-Length", strconv.Itoa(recorder.Body.Len()))
	if bytes.HasPrefix(recorder.Body.Bytes(), []byte{0x1f, 0x8b}) || response.Header.Get("Failure") != "" {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	return response, nil
}
