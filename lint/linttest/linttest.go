// Package linttest checks sitemaps in tests: those of the program that writes a
// sitemap, or of the site that serves it.
//
//	func TestSitemap(t *testing.T) {
//		linttest.CheckHandler(t, newSite(), "https://example.com/sitemap.xml", nil)
//	}
package linttest

import (
	"bytes"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/lint"
)

// Check fails a test with the findings in a source, which is a file, a folder, an
// address or a site: see [lint.Linter.Check]. A nil options is the zero value: the
// protocol's own rules. Findings of SeverityInfo are logged and do not fail the
// test; Options.Severity changes which these are.
func Check(t testing.TB, source string, options *lint.Options) {
	t.Helper()
	report(t, newLinter(t, options).Check(t.Context(), source))
}

// CheckBytes is Check for one sitemap in memory. Set Options.BaseURL to the address
// where it will be published.
func CheckBytes(t testing.TB, sitemap []byte, options *lint.Options) {
	t.Helper()
	report(t, newLinter(t, options).CheckReader(t.Context(), bytes.NewReader(sitemap)))
}

// CheckHandler is Check for a sitemap, or a whole site, that a handler serves. All
// requests go to the handler, for every host, and none to the network.
func CheckHandler(t testing.TB, handler http.Handler, url string, options *lint.Options) {
	t.Helper()
	var o lint.Options
	if options != nil {
		o = *options
	}
	o.Source.Access.Transport, o.Source.Access.Rate = transport{handler}, access.PerSecond(0)
	Check(t, url, &o)
}

func newLinter(t testing.TB, options *lint.Options) *lint.Linter {
	t.Helper()
	linter, err := lint.New(options)
	if err != nil {
		t.Fatalf("linttest: %v", err)
	}
	return linter
}

// report fails a test with findings.
func report(t testing.TB, findings iter.Seq2[lint.Finding, error]) {
	t.Helper()
	for f, err := range findings {
		switch {
		case err != nil:
			t.Fatalf("linttest: %v", err)
		case f.Severity == lint.SeverityInfo:
			t.Log(describe(&f))
		default:
			t.Error(describe(&f))
		}
	}
}

// describe returns a finding with the line of the file and how to fix it.
func describe(f *lint.Finding) string {
	var s strings.Builder
	s.WriteString(f.String())
	if f.Source != "" {
		s.WriteString("\n\t" + f.Source)
	}
	if f.More == 0 {
		s.WriteString("\n\tfix: " + f.Rule.Fix().String())
	}
	return s.String()
}

// transport answers requests from a handler.
type transport struct{ handler http.Handler }

// RoundTrip serves a request.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	served := request.Clone(request.Context())
	served.RequestURI = request.URL.RequestURI()
	served.Host = request.URL.Host
	recorder := httptest.NewRecorder()
	t.handler.ServeHTTP(recorder, served)
	response := recorder.Result()
	response.Request = request
	return response, nil
}
