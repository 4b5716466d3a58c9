package web_test

import (
	"compress/gzip"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/web"
)

// uncompressed returns the text of a gzip file.
func uncompressed(t *testing.T, file string) string {
	t.Helper()
	reader, err := gzip.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// changeCrawl changes the crawl file of a crawl, as another program may.
func changeCrawl(t *testing.T, folder, crawl, statement string) {
	t.Helper()
	name := filepath.Join(folder, "crawls", filepath.Base(crawl), "crawl.sqlite")
	db, err := sql.Open("sqlite", "file:"+name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// readPage returns the text of a page, which the server must answer with 200.
func readPage(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %s", address, response.Status, err, text)
	}
	return string(text)
}

// TestForeignCrawl shows a crawl file in which another program wrote decisions, statuses
// and kinds that Mapa does not know, and lists that are empty.
func TestForeignCrawl(t *testing.T) {
	t.Parallel()
	site, folder := newTarget(t, false), t.TempDir()
	server, _ := newApplication(t, func(_ *web.Options, o *service.Options) { o.Folder = folder })
	result := crawlSite(t, server, site.URL)
	changeCrawl(t, folder, result, `update fetch set reason = 'of-aliens-' || id || char(27), status = 1000 + id,
		media_type = 'a/' || id, lastmod_source = 'tea leaves' where id > 1;
		update numbers set decision = 'of-aliens-' || id, status = 1000 + id, media_type = 'a/' || id where id > 1`)
	list := readPage(t, server+result+"/pages")
	if !strings.Contains(list, "of-aliens-2") || strings.Contains(list, "\x1b") {
		t.Errorf("the unknown decision is not shown, or not as plain text: %s", list)
	}
	for _, path := range []string{
		"", "/tree", "/changes", "/pages/1", "/pages/2", "/pages/3", "/pages/2/links", "/pages/2/links?direction=out",
		"/pages?decision=of-aliens-2", "/pages?list=broken", "/pages?list=listed", "/pages?list=languages",
		"/pages?list=speed.full", "/pages?list=speed.not-modified", "/pages?list=broken.broken-urls",
	} {
		readPage(t, server+result+path)
	}
}

// TestDamagedCrawl shows a crawl whose file lacks a column: damaged, to people and to
// programs, and nothing of SQL.
func TestDamagedCrawl(t *testing.T) {
	t.Parallel()
	site, folder := newTarget(t, false), t.TempDir()
	server, _ := newApplication(t, func(_ *web.Options, o *service.Options) { o.Folder = folder })
	result := crawlSite(t, server, site.URL)
	changeCrawl(t, folder, result, "drop view page; alter table fetch rename column title to other")
	for address, want := range map[string]string{
		server + result: "This result is damaged",
		server + "/api/v1/crawls/" + filepath.Base(result) + "/pages": `"detail":"the crawl file is damaged: crawl the site again"`,
	} {
		response, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusInternalServerError || !strings.Contains(string(text), want) ||
			strings.Contains(string(text), "column") {
			t.Errorf("%s: %s, %v: %s", address, response.Status, err, text)
		}
	}
}

// TestOtherVersion shows the results of an older and a newer version: that this one cannot read them, their
// files, and the button to crawl again. The page of the site is as without a result.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	site, folder := newTarget(t, false), t.TempDir()
	server, _ := newApplication(t, func(_ *web.Options, o *service.Options) { o.Folder = folder })
	result, other := crawlSite(t, server, site.URL), crawlSite(t, server, site.URL)
	changeCrawl(t, folder, other, "pragma user_version = 0")
	compare := "/compare?old=" + filepath.Base(other) + "&new=" + filepath.Base(result)
	for _, version := range []string{"0", "99"} {
		changeCrawl(t, folder, result, "pragma user_version = "+version)
		for path, wants := range map[string][]string{
			result: {"Another version of Mapa made this result", result + "/files/sitemap.xml", result + "/files.zip",
				`name="like" value="` + filepath.Base(result) + `"><button>Crawl again`},
			result + "/pages":                {"Another version of Mapa made this result", `href="` + result + `"`},
			result + "/export?list=pages":    {"Another version of Mapa made this result"},
			compare:                          {"Another version of Mapa made this result"},
			"/api/v1" + result + "/overview": {problemVersion},
			"/api/v1" + result + "/pages":    {problemVersion},
			"/api/v1" + result + "/findings": {problemVersion},
		} {
			response, err := http.Get(server + path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != http.StatusConflict {
				t.Errorf("format %s, %s: %s, %v", version, path, response.Status, err)
			}
			for _, want := range wants {
				if !strings.Contains(string(text), want) {
					t.Errorf("format %s, %s has no %q: %s", version, path, want, text)
				}
			}
		}
		readPage(t, server+result+"/files/sitemap.xml")
		readPage(t, server+result+"/files.zip")
		readPage(t, server+"/sites/"+strings.TrimPrefix(site.URL, "http://"))
	}
	again := crawlSite(t, server, site.URL)
	readPage(t, server+again)
	readPage(t, server+again+"/changes")
}

// problemVersion is in the answer to a program about a result of another version.
const problemVersion = `"detail":"another version of mapa made the result: download its files, or crawl the site again"`

// TestSections follows the rules of an overview. Each leads to its own findings.
func TestSections(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, site.URL)
	page := readPage(t, server+result)
	rules := regexp.MustCompile(`<summary class="rule">(.*?)</summary>.*?<a class="go" href="(.*?)" aria-label="[^"]*">(\d+)`).
		FindAllStringSubmatch(page, -1)
	var found []string
	for _, rule := range rules {
		address, err := url.Parse(strings.ReplaceAll(rule[2], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, address.Query().Get("rule"))
		findings := readPage(t, server+address.String())
		shown := `aria-current="true">` + rule[1] + ` <span class="count">` + rule[3] + `<`
		hasRows := strings.Contains(findings, "<tbody>") || strings.Contains(findings, `<ol class="broken">`)
		if !hasRows || !strings.Contains(findings, shown) {
			t.Errorf("%s leads to %s, without findings or without the number %s", rule[1], address, rule[3])
		}
	}
	for _, want := range []string{"link-broken", "anchor-missing", "redirect-internal", "title-duplicate"} {
		if !slices.Contains(found, want) {
			t.Errorf("no rule leads to %s: %v", want, found)
		}
	}
	for _, want := range []string{"checks passed", "URLs are of this machine", `<a class="button primary" href="/crawls/`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "Upload") {
		t.Error("the sitemap of a site of this machine is to be uploaded")
	}
}

// TestAction crawls a copy of a site, whose canonical URLs are those of the site. The button of the verdict makes
// the sitemap of that.
func TestAction(t *testing.T) {
	t.Parallel()
	copied := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<title>%s</title><link rel=canonical href=https://shop.example%[1]s>", r.URL.Path)
		for i := range 12 {
			fmt.Fprintf(w, "<a href=/%d>to %[1]d</a> ", i)
		}
	}))
	t.Cleanup(copied.Close)
	server, _ := newApplication(t, nil)
	page := readPage(t, server+crawlSite(t, server, copied.URL))
	if !strings.Contains(page, "The sitemap cannot be used") || strings.Contains(page, "Upload") {
		t.Errorf("the page says %s", page)
	}
	_, button, _ := strings.Cut(page, `<form class="actions next"`)
	button, _, _ = strings.Cut(button, "</form>")
	form := url.Values{}
	for _, field := range regexp.MustCompile(`name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(button, -1) {
		form.Set(field[1], field[2])
	}
	if form.Get("base-url") != "https://shop.example/" {
		t.Fatalf("the button is %s", button)
	}
	page = readPage(t, server+crawlWith(t, server, copied.URL, form))
	for _, want := range []string{
		"The sitemap lists 13 pages.", "Upload the sitemap", "Sitemap: https://shop.example/sitemap.xml", "Your sitemap is ready",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestCompressed offers the sitemap compressed: as a download, and as an option of a crawl.
func TestCompressed(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	server, _ := newApplication(t, nil)
	if !strings.Contains(readPage(t, server+"/"), `name="gzip" value="true"`) {
		t.Error("the form does not offer it")
	}
	for _, test := range []struct {
		options url.Values
		has     map[string]bool
	}{
		{url.Values{}, map[string]bool{"sitemap.xml": true, "sitemap.xml.gz": true}},
		{url.Values{"gzip": {"true"}}, map[string]bool{"sitemap.xml": false, "sitemap.xml.gz": true}},
	} {
		result := crawlWith(t, server, site.URL, test.options)
		page := readPage(t, server+result)
		for name, want := range test.has {
			if got := strings.Count(page, `/files/`+name+`"`); got > 1 || got == 1 != want {
				t.Errorf("%v: %d links to %s", test.options, got, name)
			}
		}
		file := uncompressed(t, readPage(t, server+result+"/files/sitemap.xml.gz"))
		if !strings.Contains(file, "/shop/1</loc>") {
			t.Errorf("%v: %s", test.options, file)
		}
	}
}

// TestHistory shows what every kept crawl of a site says of a page, with links to them.
func TestHistory(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	server, _ := newApplication(t, nil)
	crawls := []string{crawlSite(t, server, site.URL), crawlSite(t, server, site.URL)}
	site.change() // the thing 1 is gone, the thing 3 is new
	crawls = append(crawls, crawlSite(t, server, site.URL))
	pageOf := func(crawl, address string) string {
		answer := readPage(t, server+crawl+"/pages?text="+url.QueryEscape(address))
		return crawl + regexp.MustCompile(`/pages/[0-9]+`).FindString(answer)
	}
	for address, want := range map[string][]string{
		"/shop/1": {"404 Not Found", "Listed", "Listed"}, "/shop/3": {"Listed", "404 Not Found", "404 Not Found"},
	} {
		for i, crawl := range crawls {
			page := readPage(t, server+pageOf(crawl, address))
			_, history, _ := strings.Cut(page, "In the crawls of this site")
			history, _, _ = strings.Cut(history, "</ul>")
			var got []string
			for _, row := range regexp.MustCompile(`<span class="tag [a-z]*">(.*?)</span>`).FindAllStringSubmatch(history, -1) {
				got = append(got, row[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s in crawl %d: %q, want %q", address, i, got, want)
			}
			for j, other := range crawls {
				if link := `href="` + pageOf(other, address) + `"`; strings.Contains(history, link) != (j != i) {
					t.Errorf("%s in crawl %d has no link to crawl %d, or one to itself: %s", address, i, j, history)
				}
			}
		}
	}
}
