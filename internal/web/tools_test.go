package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
)

// TestToolAddresses gives the tools hosts without a scheme. One speaks only http, and for
// one that does not answer the tools say why.
func TestToolAddresses(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			_, _ = w.Write([]byte("User-agent: *\nDisallow: /private/\n"))
		case "/sitemap.xml":
			_, _ = w.Write([]byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>x</loc></url></urlset>`))
		default:
			http.NotFound(w, r)
		}
	}))
	host := strings.TrimPrefix(site.URL, "http://")
	gone := httptest.NewServer(http.NotFoundHandler())
	noRobots := httptest.NewServer(http.NotFoundHandler())
	defer noRobots.Close()
	gone.Close()
	s := newSite(t, nil)
	for _, test := range []struct{ tool, address, want string }{
		{"robots", host + "/private/x", "Line 2 decides"},
		{"robots", noRobots.URL + "/x", "has no robots.txt (404)"},
		{"robots", gone.URL + "/x", "Nothing answers at this address"},
		{"robots", "http://", "This is not the address of a website"},
		{"robots", "no-host.invalid", "no site with this name"},
		{"lint", host + "/sitemap.xml", "loc-relative"},
	} {
		_, page := s.do("POST", "/tools/"+test.tool, url.Values{"url": {test.address}}.Encode(), "Content-Type",
			"application/x-www-form-urlencoded")
		if test.tool == "lint" {
			_, page = s.do("POST", "/tools/lint", "--b\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\n"+
				test.address+"\r\n--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
		}
		if !strings.Contains(page, test.want) {
			t.Errorf("%s of %s: the answer has no %q: %s", test.tool, test.address, test.want, page)
		}
	}
	site.Close()
}

// TestFindingRow words findings in the language of the page.
func TestFindingRow(t *testing.T) {
	rule, err := lint.LookupRule("loc-relative")
	if err != nil {
		t.Fatal(err)
	}
	f := lint.Finding{Rule: rule, Message: lint.Text{Code: "rule.loc-relative.found", Arguments: []any{"/a"}}}
	more := lint.Finding{Rule: rule, Message: lint.Text{Code: "finding.more", Arguments: []any{3}}, More: 3}
	for language, want := range map[catalog.Language][2]string{
		catalog.English: {`"/a" is relative`, "relative URL"}, catalog.Spanish: {"«/a» es relativa", "URL relativa"},
	} {
		c := catalog.For(language)
		if got := [2]string{newFindingRow(c, &f).Message, newFindingRow(c, &more).Message}; got != want {
			t.Errorf("%s: got %q, want %q", language, got, want)
		}
	}
}

// failed returns a failure of a code.
func failed(code string) *service.Failure {
	f := &service.Failure{}
	f.Code, f.Text = code, "x"
	return f
}

// TestPublication shows the outcome of publishing a result on its page.
func TestPublication(t *testing.T) {
	at := time.Date(2026, 11, 22, 4, 30, 0, 0, time.UTC)
	var done, refused service.Publication
	done.Folder, done.Time, done.Pages, done.Announced = "/var/www", at, 12, "part"
	refused.Folder, refused.Failure = "/var/www", failed(service.FailureRefused)
	for _, l := range catalog.Languages() {
		c := catalog.For(l)
		if v := newPublicationView(c, &done); v.Kind != "good" || !strings.Contains(string(v.Text), "/var/www") ||
			v.Announced == "" {
			t.Errorf("%s: a publication is shown as %+v", l, v)
		}
		var waiting service.Publication
		waiting.Folder = "/var/www"
		if v := newPublicationView(c, &waiting); strings.Contains(string(v.Text), "<time") || v.Kind != "" {
			t.Errorf("%s: a publication that is to come is shown as %+v", l, v)
		}
		if v := newPublicationView(c, &refused); v.Kind != "bad" || v.Detail != "x" {
			t.Errorf("%s: a publication that was refused is shown as %+v", l, v)
		}
		for outcome := range announcedTexts {
			c.Text(announcedTexts[outcome])
		}
	}
	if newPublicationView(catalog.For(catalog.English), nil) != nil {
		t.Error("a result that was not published has a publication")
	}
}

// TestResultFiles offers the sitemap, or all files where it has parts.
func TestResultFiles(t *testing.T) {
	c := catalog.For(catalog.English)
	of := func(names ...string) resultFiles {
		crawl := &service.Crawl{ID: "x"}
		for _, name := range names {
			crawl.Files = append(crawl.Files, service.File{Name: name, Size: 1})
		}
		return newResultFiles(c, crawl)
	}
	if f := of(); f.Main != nil || len(f.Downloads) > 0 {
		t.Errorf("without files there are %+v", f)
	}
	one := of("broken.csv", "sitemap.css", "sitemap.html", "sitemap-2.html", "sitemap.xml")
	if one.Main.Name != "sitemap.xml" || one.SitemapParts != 0 || len(one.Downloads) != 5 {
		t.Errorf("one sitemap: %+v", one)
	}
	parts := of("sitemap-1.xml.gz", "sitemap-images-1.xml", "sitemap.xml")
	first := parts.Downloads[0].Name
	if !strings.HasSuffix(parts.Main.Href, "/files.zip") || parts.SitemapParts != 2 || first != "sitemap.xml" {
		t.Errorf("a sitemap with parts: %+v", parts)
	}
}

// TestGoesOn offers to resume a crawl that ended early, where that is of use.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		service.FailureOutage: true, service.FailureDiskFull: true, service.FailureStart: false,
	} {
		crawl := &service.Crawl{State: service.StateFailed, Failure: failed(code)}
		if goesOn(crawl) != want {
			t.Errorf("a crawl that failed by %s: %t", code, !want)
		}
	}
	if !goesOn(&service.Crawl{State: service.StateStopped}) {
		t.Error("a crawl that was stopped cannot go on")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Home</title><p>Some words <a href="/held">held</a>`))
	}))
	defer site.Close()
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + site.URL + `","options":{"max-time":"100ms"}}`)
	path := "/crawls/" + crawl["id"].(string)
	if _, page := s.do("GET", path, ""); !strings.Contains(page, path+"/resume") {
		t.Errorf("a crawl that ended at its max-time cannot be resumed: %v", crawl)
	}
}

// TestHowTo explains how to upload a sitemap and to name it, in the language of the page.
func TestHowTo(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + shop(t) + `","options":{"base-url":"https://www.example.com/"}}`)
	for language, folder := range map[string]string{"en": "The root folder", "es": "La carpeta raíz"} {
		_, page := s.do("GET", "/crawls/"+crawl["id"].(string), "", "Accept-Language", language)
		for _, want := range []string{
			folder, "WordPress", "Wix", "FTP", "Search Console", "<code>Sitemap: https://www.example.com/sitemap.xml</code></dd>",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page has no %q: %s", language, want, page)
			}
		}
	}
}

// A timedWriter notes the deadline for writing.
type timedWriter struct {
	http.ResponseWriter
	write time.Time
}

func (w *timedWriter) SetReadDeadline(time.Time) error    { return nil }
func (w *timedWriter) SetWriteDeadline(d time.Time) error { w.write = d; return nil }

// TestToolTime leaves time to write the answer of a tool that takes as long as it may.
func TestToolTime(t *testing.T) {
	s := newSite(t, nil)
	w := &timedWriter{}
	err := s.tool(w, httptest.NewRequest("POST", "/tools/lint", nil), func(ctx context.Context) error {
		end, _ := ctx.Deadline()
		if left := w.write.Sub(end); left < writeTime-time.Second {
			t.Errorf("%s are left to write the answer", left)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLiveSpan words the time that is left as the script does.
func TestLiveSpan(t *testing.T) {
	s, w := newSite(t, nil), httptest.NewRecorder()
	v := crawlPage{Crawl: &service.Crawl{}, Running: true, Left: 55 * time.Second}
	v.frame = s.newFrame(httptest.NewRequest("GET", "/", nil), "crawl")
	if err := s.render(w, http.StatusOK, "crawl", &v.frame, &v); err != nil {
		t.Fatal(err)
	}
	if page := w.Body.String(); !strings.Contains(page, ">55 seconds<") {
		t.Error(page)
	}
}

// TestLintOrder shows errors before warnings and notes.
func TestLintOrder(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	const upload = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"sitemap.xml\"\r\n\r\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc><priority>1</priority>` +
		`</url><url><loc>https://example.com/a</loc><lastmod>yesterday</lastmod></url></urlset>` + "\r\n--b--\r\n"
	_, page := s.do("POST", "/tools/lint", upload, "Content-Type", "multipart/form-data; boundary=b")
	note, wrong := strings.Index(page, "priority-ignored"), strings.Index(page, "lastmod-invalid")
	if note < 0 || wrong < 0 || note < wrong {
		t.Errorf("the note is at %d, the error at %d: %s", note, wrong, page)
	}
}
