package insight_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/robots"
)

// unseen are the rules whose examples this test cannot show, and why.
var unseen = map[string]string{
	"noindex-blocked": "the example is the second crawl of a site: TestNoIndexBlocked",
}

// A condition is what an example says in a note.
type condition func(bad bool, options *crawl.Options, end *insight.End)

var conditions = map[string]condition{
	"near-duplicate": func(_ bool, options *crawl.Options, _ *insight.End) { options.Shingles = true },
	"tls-expiry": func(bad bool, options *crawl.Options, _ *insight.End) {
		days := 60
		if bad {
			days = 3
		}
		options.Access.Transport = certified{options.Access.Transport, days}
	},
	"http-page": func(bad bool, options *crawl.Options, _ *insight.End) {
		options.Start = "http://example.com/"
		if !bad {
			options.Access.Transport = moved{options.Access.Transport}
		}
	},
	"crawl-partial": func(bad bool, options *crawl.Options, end *insight.End) {
		if bad {
			options.Limits.Pages, end.Limit = 1, crawl.LimitPages
		}
	},
	"site-copy": func(_ bool, _ *crawl.Options, end *insight.End) { end.BaseURL = true },
	"publish-refused": func(bad bool, _ *crawl.Options, end *insight.End) {
		if bad {
			end.Refused = "2 of 3 pages are missing"
		}
	},
	"site-engine-refused": func(bad bool, options *crawl.Options, _ *insight.End) {
		options.Checks.Agents = []crawl.Agent{{UserAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)", Tokens: []string{"Googlebot"}}}
		if bad {
			options.Access.Transport = refusing{options.Access.Transport, "Googlebot"}
		}
	},
	"site-unreached": func(bad bool, _ *crawl.Options, end *insight.End) {
		if end.Folder = true; bad {
			end.Unreached = 30
		}
	},
	"slow-response": func(bad bool, options *crawl.Options, _ *insight.End) {
		if bad {
			options.Access.Transport = slow{options.Access.Transport, "/steak", 1500 * time.Millisecond}
		}
	},
	"rendered-differs":    func(_ bool, options *crawl.Options, _ *insight.End) { renderSteak(options, false) },
	"render-inconclusive": func(bad bool, options *crawl.Options, _ *insight.End) { renderSteak(options, bad) },
	"site-not-rendered":   func(bad bool, options *crawl.Options, _ *insight.End) { renderSteak(options, bad) },
	"site-soft-404": func(bad bool, options *crawl.Options, _ *insight.End) {
		if bad {
			options.Access.Transport = instead{options.Access.Transport, "/steak"}
		}
	},
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
				t.Skip(why)
			}
			bad, good := lintexample.Of(rule.ID)
			if bad == "" || good == "" {
				t.Fatal("a rule needs a bad and a good example")
			}
			synctest.Test(t, func(t *testing.T) {
				if found := judgeExample(t, rule, bad, true); count(found, rule) != 1 {
					t.Errorf("the bad example breaks the rule %d times, not once; found\n%s", count(found, rule), listed(found))
				}
				if found := judgeExample(t, rule, good, false); count(found, rule) > 0 {
					t.Errorf("the good example breaks the rule:\n%s", listed(found))
				}
			})
		})
	}
}

// count counts the findings of a rule. A group of pages is one.
func count(findings []insight.Finding, rule *lint.Rule) (n int) {
	groups := map[crawl.ID]bool{}
	for i := range findings {
		f := &findings[i]
		first := cmp.Or(f.Other, f.Page)
		if f.Rule.ID != rule.ID || strings.Contains(rule.ID, "duplicate") && groups[first] {
			continue
		}
		groups[first] = true
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

// judgeExample crawls the site of an example, in virtual time, and returns what is found in it.
func judgeExample(t *testing.T, rule *lint.Rule, example string, bad bool) (found []insight.Finding) {
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
		Access: access.Access{Transport: inProcess{site}, Rate: access.PerSecond(0)},
	}
	end := &insight.End{}
	if set := conditions[rule.ID]; set != nil {
		set(bad, options, end)
	}
	options.OnRobots = func(file *robots.File) { end.Agents.ReadRobots(file, options.Start) }
	options.OnAgents = end.Agents.ReadRefused
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
	if strings.Contains(example, "/export/") {
		joinExport(t, file, options.Access.Transport)
	}
	for f, err := range insight.Read(t.Context(), file, insight.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f)
	}
	return found
}

// joinExport joins the export of a search engine in an example with its crawl.
func joinExport(t *testing.T, crawled *store.File, transport http.RoundTripper) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"Table.csv", "Metadata.csv", "Pages.csv", "Chart.csv", "Filters.csv"} {
		request := httptest.NewRequest(http.MethodGet, "https://example.com/export/"+name, nil)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusOK {
			continue
		}
		text, err := io.ReadAll(response.Body)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	kept, err := figures.Open(t.Context(), filepath.Join(t.TempDir(), figures.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	site := &figures.Site{Start: "https://example.com/"}
	_, err = kept.Read(t.Context(), []string{folder}, site, examplesToday)
	if err != nil {
		t.Fatal(err)
	}
	about, err := kept.Join(t.Context(), crawled, site, nil)
	if err == nil {
		err = insight.WriteFigures(t.Context(), crawled, about)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// renderSteak renders one page, which may not be finished in time.
func renderSteak(options *crawl.Options, isPartial bool) {
	options.Renderer, options.RenderPattern = titleRenderer{isPartial}, regexp.MustCompile("^/steak$")
}

// titleRenderer runs scripts that set the title.
type titleRenderer struct{ isPartial bool }

// scriptTitle matches such a script, and htmlTitle the title in the HTML.
var scriptTitle, htmlTitle = regexp.MustCompile(`document\.title = "([^"]+)"`), regexp.MustCompile(`<title>[^<]*`)

func (r titleRenderer) Render(
	_ context.Context, page render.Page, _ render.Transport,
) (*render.Result, error) {
	html := page.Body
	if title := scriptTitle.FindSubmatch(html); title != nil {
		html = htmlTitle.ReplaceAll(html, append([]byte("<title>"), title[1]...))
	}
	return &render.Result{HTML: html, URL: page.URL, Partial: r.isPartial}, nil
}

// slow answers late for one path.
type slow struct {
	http.RoundTripper
	path  string
	delay time.Duration
}

func (s slow) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Path == s.path {
		time.Sleep(s.delay) // in virtual time
	}
	return s.RoundTripper.RoundTrip(request)
}

// instead answers with the page of a path for every page that does not exist.
type instead struct {
	http.RoundTripper
	path string
}

func (i instead) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := i.RoundTripper.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusNotFound || request.URL.Path == "/robots.txt" {
		return response, err
	}
	other := request.Clone(request.Context())
	other.URL.Path = i.path
	return i.RoundTripper.RoundTrip(other)
}

// refusing answers 403 to a user agent.
type refusing struct {
	http.RoundTripper
	agent string
}

func (r refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.RoundTripper.RoundTrip(request)
	if err == nil && strings.Contains(request.UserAgent(), r.agent) {
		response.StatusCode = http.StatusForbidden
	}
	return response, err
}

// moved answers over https with a page, and over http with the site.
type moved struct{ http.RoundTripper }

func (m moved) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme == "http" {
		return m.RoundTripper.RoundTrip(request)
	}
	recorder := httptest.NewRecorder()
	recorder.Header().Set("Content-Type", "text/html")
	fmt.Fprint(recorder, "<!doctype html><title>Restaurant</title><h1>Restaurant</h1>")
	response := recorder.Result()
	response.Request = request
	return response, nil
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
