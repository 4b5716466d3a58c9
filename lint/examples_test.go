package lint_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// examplesToday is the day on which the examples are checked.
var examplesToday = time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC)

// examplesSince is the day on which the site of the examples began.
var examplesSince = time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)

// TestExamples holds every rule against its own examples.
func TestExamples(t *testing.T) {
	for _, r := range lint.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			bad, good := lintexample.Of(r.ID)
			if bad == "" || good == "" {
				t.Fatal("a rule needs a bad and a good example")
			}
			found := checkExample(t, r, bad)
			if !slices.ContainsFunc(found, isOf(r)) {
				t.Errorf("the bad example does not break the rule; found\n%s", listed(found))
			}
			for _, f := range found {
				checkWording(t, f.Message)
				if isOf(r)(f) && strings.EqualFold(f.Message.String(), r.Title().String()) &&
					!strings.Contains(titleSaysAll, " "+r.ID+" ") {
					t.Errorf("the message only repeats the title: %s", f.Message)
				}
			}
			if found := checkExample(t, r, good); slices.ContainsFunc(found, isOf(r)) {
				t.Errorf("the good example breaks the rule; found\n%s", listed(found))
			}
		})
	}
}

// titleSaysAll are the rules without a value that a message could name.
const titleSaysAll = " empty-body gzip-truncated gzip-trailing gzip-double bom-present truncated leading-whitespace" +
	" late-declaration entity-decl bare-ampersand empty-urlset too-many-urls loc-whitespace loc-newline-inside" +
	" index-too-many index-empty blank-line item-without-link "

func isOf(r *lint.Rule) func(lint.Finding) bool {
	return func(f lint.Finding) bool { return f.Rule.ID == r.ID }
}

func listed(findings []lint.Finding) string {
	var s strings.Builder
	for i := range findings {
		fmt.Fprintf(&s, "\t%s\n", &findings[i])
	}
	return s.String()
}

// checkExample checks an example under every engine that the rule belongs to.
func checkExample(t *testing.T, r *lint.Rule, example string) []lint.Finding {
	t.Helper()
	archive, first := exampleSite(t, example)
	options := exampleOptions(t, archive)
	options.Engines = r.Engines
	if r.OffByDefault() {
		options.Enable = []string{r.ID}
	}
	if r.Live {
		options.Live = true
	}
	sitemap := "https://example.com" + first
	options.Previous = map[string]int{sitemap: 10}
	options.SiteSince = examplesSince
	options.Crawled = crawledPages(t, archive, options.Source.Access.Transport)
	return check(t, options, sitemap)
}

func exampleOptions(t testing.TB, archive []byte) lint.Options {
	t.Helper()
	site, err := testsite.Parse(archive)
	if err != nil {
		t.Fatal(err)
	}
	return lint.Options{Now: examplesToday, Source: source.Options{
		Access: access.Access{Transport: serve{site}, Rate: access.PerSecond(0)},
	}}
}

func check(t *testing.T, options lint.Options, sources ...string) (findings []lint.Finding) {
	t.Helper()
	for f, err := range newLinter(t, options).Check(t.Context(), sources...) {
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, f)
	}
	return findings
}

// exampleSite writes an example out as an archive and returns the path of its
// first file.
func exampleSite(t *testing.T, example string) (archive []byte, first string) {
	t.Helper()
	text := lintexample.Expand(example, examplesToday)
	if !strings.HasPrefix(text, "-- ") {
		text = "-- /sitemap.xml --\n" + text
	}
	first, _, _ = strings.Cut(strings.TrimPrefix(text, "-- "), " --")
	return []byte(text), "/" + strings.TrimPrefix(first, "/")
}

// targetOf is the name in an archive of what an address answers with.
func targetOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if u.Host == "example.com" {
		return u.RequestURI()
	}
	return "//" + u.Host + u.RequestURI()
}

// crawledPages are the pages in an archive, as a crawl from / knows them; none
// without a home page.
func crawledPages(t *testing.T, archive []byte, transport http.RoundTripper) iter.Seq2[lint.CrawledPage, error] {
	t.Helper()
	if !bytes.Contains(archive, []byte("\n-- / --\n")) {
		return nil
	}
	paths := regexp.MustCompile(`(?m)^-- (/\S*) --$`)
	links := regexp.MustCompile(`href="(/[^"]*)"`)
	linked := map[string]bool{"/": true}
	var pages []lint.CrawledPage
	for _, match := range paths.FindAllSubmatch(archive, -1) {
		page := lint.CrawledPage{URL: "https://example.com" + string(match[1])}
		answer, body := getPage(t, transport, page.URL)
		if answer == nil || strings.Contains(answer.Header.Get("Content-Type"), "xml") {
			continue
		}
		switch page.Status = answer.StatusCode; {
		case answer.Header.Get("Location") != "":
			page.State = lint.CrawlRedirect
		case answer.StatusCode != http.StatusOK:
			page.State = lint.CrawlDead
		case strings.Contains(answer.Header.Get("X-Robots-Tag"), "noindex"):
			page.State = lint.CrawlNoIndex
		case !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html"):
			continue
		}
		pages = append(pages, page)
		for _, link := range links.FindAllSubmatch(body, -1) {
			linked[string(link[1])] = true
		}
	}
	return func(yield func(lint.CrawledPage, error) bool) {
		for _, page := range pages {
			page.Linked = linked[strings.TrimPrefix(page.URL, "https://example.com")]
			if !yield(page, nil) {
				return
			}
		}
	}
}

// serve answers from a site in the process.
type serve struct{ site *testsite.Site }

func (s serve) RoundTrip(request *http.Request) (*http.Response, error) {
	answered := request.Clone(request.Context())
	answered.RequestURI = request.URL.RequestURI()
	if host := request.URL.Host; host != "example.com" {
		answered.RequestURI = "//" + host + answered.RequestURI
	}
	recorder := httptest.NewRecorder()
	s.site.ServeHTTP(recorder, answered)
	response := recorder.Result()
	if body := recorder.Body.Bytes(); bytes.HasPrefix(body, []byte{0x1f, 0x8b}) { // the archive ends files in a line break
		response.Body = io.NopCloser(bytes.NewReader(bytes.TrimSuffix(body, []byte("\n"))))
	}
	response.Request = request
	usual := map[string]string{"Etag": `"1"`}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		usual["X-Robots-Tag"] = "noindex" // which sitemaps should have, and pages should not
	}
	for name, value := range usual {
		if _, given := response.Header[name]; !given {
			response.Header.Set(name, value)
		}
	}
	if why := response.Header.Get("Failure"); why != "" {
		return nil, failures[why]
	}
	return response, nil
}

var failures = map[string]error{
	"dns":     &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "example.com", IsNotFound: true}},
	"timeout": &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded},
	"tls":     &tls.CertificateVerificationError{Err: errors.New("expired")},
	"refused": &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
	"missing": &fs.PathError{Op: "open", Path: "sitemap.xml", Err: syscall.ENOENT},
}

// getPage requests a page. The answer is nil when there is none.
func getPage(t *testing.T, transport http.RoundTripper, address string) (answer *http.Response, body []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err = transport.RoundTrip(request); err != nil {
		return nil, nil
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer, body
}

func compressed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
