package lint_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
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

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/robots"
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
	if r.SeverityUnder(lint.EngineAll|lint.EngineSchema) == lint.SeverityOff {
		options.Enable = []string{r.ID}
	}
	if r.Live {
		options.Live = liveSite{options.Source.Client}
	}
	sitemap := "https://example.com" + first
	options.Previous = map[string]int{sitemap: 10}
	options.SiteSince = examplesSince
	options.Crawled = crawledPages(t, archive, options.Source.Client)
	return check(t, options, sitemap)
}

func exampleOptions(t testing.TB, archive []byte) lint.Options {
	t.Helper()
	site, err := testsite.Parse(archive)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: serve{site}}
	return lint.Options{Now: examplesToday, Source: source.Options{Client: client}}
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
func crawledPages(t *testing.T, archive []byte, client *http.Client) iter.Seq2[lint.CrawledPage, error] {
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
		answer, err := liveSite{client}.Get(t.Context(), page.URL, 1<<20)
		if err != nil || strings.Contains(answer.Header.Get("Content-Type"), "xml") {
			continue
		}
		switch page.Status = answer.Status; {
		case answer.Location != "":
			page.State = lint.CrawlRedirect
		case answer.Status != http.StatusOK:
			page.State = lint.CrawlDead
		case strings.Contains(answer.Header.Get("X-Robots-Tag"), "noindex"):
			page.State = lint.CrawlNoIndex
		case !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html"):
			continue
		}
		pages = append(pages, page)
		for _, link := range links.FindAllSubmatch(answer.Body, -1) {
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

// liveSite asks the site of an example the way a crawl would.
type liveSite struct{ client *http.Client }

func (l liveSite) Get(ctx context.Context, url string, limit int64) (*lint.Answer, error) {
	if rule := l.forbidden(ctx, url); rule != "" {
		return &lint.Answer{Forbidden: rule}, nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := l.client.Transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	if err != nil {
		return nil, err
	}
	answer := &lint.Answer{Status: response.StatusCode, Header: maps.Clone(response.Header), Body: body}
	if to, err := response.Location(); err == nil {
		answer.Location = to.String()
	}
	return answer, nil
}

// forbidden returns the rule of robots.txt that forbids an address, or nothing.
func (l liveSite) forbidden(ctx context.Context, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Path == "/robots.txt" {
		return ""
	}
	answer, err := l.Get(ctx, u.Scheme+"://"+u.Host+"/robots.txt", robots.ReadLimit)
	if err != nil {
		return ""
	}
	verdict := robots.FromResponse(answer.Status, bytes.NewReader(answer.Body)).Group("Mapa").Verdict(address)
	if verdict.Allowed {
		return ""
	}
	return verdict.String()
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
