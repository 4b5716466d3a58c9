package web

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format"
)

// A sentFile is a file of an upload.
type sentFile struct{ name, text string }

// send sends files as the form does.
func (s *site) send(path string, files []sentFile, header ...string) (*http.Response, string) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, file := range files {
		part, err := form.CreateFormFile("file", file.name)
		if err == nil {
			_, err = part.Write([]byte(file.text))
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		s.t.Fatal(err)
	}
	return s.do("POST", path, body.String(), append(header, "Content-Type", form.FormDataContentType())...)
}

// archive returns a ZIP archive.
func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	var text bytes.Buffer
	out := zip.NewWriter(&text)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := out.Create(name)
		if err == nil {
			_, err = file.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// coverage returns an export of the Page indexing report.
func coverage(t *testing.T) string {
	return archive(t, map[string]string{
		"Chart.csv":           "Date,Not indexed,Indexed,Impressions\n2026-11-01,5,1,10\n2026-11-20,3,41,12\n",
		"Critical issues.csv": "Reason,Source,Validation,Pages\nNot found (404),Website,Not Started,3\n",
		"Metadata.csv":        "Property,Value\nSitemap,All submitted pages\n",
	})
}

// TestFigures adds exports to a site with three crawls, by the form and by the API, and finds their numbers on the page
// of the site, on that of its newest crawl, in its lists and in the API.
func TestFigures(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	address := shop(t)
	var crawl map[string]any
	for range 3 {
		crawl = s.crawl(`{"url":"` + address + `"}`)
	}
	path, result := "/sites/"+crawl["site"].(string), "/crawls/"+crawl["id"].(string)
	_, page := s.do("GET", path, "")
	if !strings.Contains(page, `action="`+path+`/figures"`) || strings.Contains(page, "<polyline class=\"line indexed") {
		t.Errorf("before the upload: %s", page)
	}
	if _, text := s.do("GET", "/api/v1"+path+"/figures", ""); !strings.Contains(text, `"exports":[]`) {
		t.Errorf("before the upload: %s", text)
	}

	hostile := `..\<b>` + "\u202e" + `.zip`
	answer, page := s.send(path+"/figures", []sentFile{{hostile, coverage(t)}})
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, page)
	}
	added := answerPart(page, `<div class="card good"`, "</div>")
	for _, want := range []string{
		"The files were read", "all submitted pages: on 2026-11-20, 41 indexed and 3 not indexed", "3 Not found (404)",
	} {
		if !strings.Contains(added, want) {
			t.Errorf("%q is missing: %s", want, added)
		}
	}
	answer, text := s.send("/api/v1"+path+"/figures", []sentFile{
		{"Pages.csv", "Top pages,Clicks,Impressions,CTR,Position\n" + address + "/chair,7,70,10%,3.5\n" +
			address + "/none,1,2,50%,1\n"},
		{"owners.csv", "url,owner\n" + address + "/,Ada\n"},
	})
	var sent struct {
		Read    []struct{ Name, Kind string }
		Exports []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(text), &sent); err != nil || len(sent.Read) != 2 || len(sent.Exports) != 3 {
		t.Fatalf("%d %s, %v", answer.StatusCode, text, err)
	}

	for where, of := range map[string]string{"the site": path, "the result": result} {
		_, page := s.do("GET", of, "")
		chart := answerPart(page, `<figure class="time-chart">`, "</figure>")
		if got := strings.Count(chart, "<circle"); got != 5 {
			t.Errorf("%s: %d dots: %s", where, got, chart)
		}
		for _, want := range []string{
			"Listed by Mapa: <strong>2</strong>", "Indexed by Google: <strong>41</strong>",
			"The export covers all submitted pages.",
		} {
			if !strings.Contains(chart, want) {
				t.Errorf("%s: %q is missing: %s", where, want, chart)
			}
		}
	}
	_, page = s.do("GET", path, "")
	for _, want := range []string{"clicks 8, impressions 72", address + "/none", "Table (owners.csv)"} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the site: %q is missing: %s", want, page)
		}
	}
	if strings.Contains(page, "<b>") || strings.Contains(page, "\u202e") {
		t.Errorf("the name of a file is not escaped: %s", page)
	}
	_, page = s.do("GET", path, "", "Accept-Language", "es")
	for _, want := range []string{
		"Páginas indexadas y búsquedas", "Indexadas por Google", "La exportación cubre todas las páginas enviadas.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("in Spanish: %q is missing: %s", want, page)
		}
	}

	if _, text := s.do("GET", "/api/v1"+path+"/figures", ""); !strings.Contains(text, `"indexed":41,"not_indexed":3`) {
		t.Errorf("the figures: %s", text)
	}
	if _, text := s.do("GET", "/api/v1"+result+"/overview", ""); strings.Count(text, `"listed":2}`) != 3 {
		t.Errorf("the overview: %s", text)
	}
	_, text = s.do("GET", "/api/v1"+result+"/pages?sort=-clicks&limit=1", "")
	if !strings.Contains(text, "/chair") || !strings.Contains(text, `"clicks":7`) {
		t.Errorf("the pages: %s", text)
	}
	_, page = s.do("GET", result+"/pages?sort=-impressions", "")
	if !strings.Contains(page, "sort=impressions") || strings.Index(page, "/chair<") > strings.Index(page, "/gone<") {
		t.Errorf("the list by impressions: %s", page)
	}

	// The next crawl has them, too.
	next := s.crawl(`{"url":"` + address + `"}`)
	_, text = s.do("GET", "/api/v1/crawls/"+next["id"].(string)+"/overview", "")
	if !strings.Contains(text, `"indexed":41`) {
		t.Errorf("the next crawl: %s", text)
	}
}

// answerPart returns a part of a page, from a text to another.
func answerPart(page, from, to string) string {
	_, part, _ := strings.Cut(page, from)
	part, _, _ = strings.Cut(part, to)
	return part
}

// TestFiguresWrong names the file that cannot be used, keeps what was read before, and leaves no file.
func TestFiguresWrong(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + shop(t) + `"}`)
	path := "/sites/" + crawl["site"].(string) + "/figures"
	whole := coverage(t)
	if answer, text := s.send("/api/v1"+path, []sentFile{{"first.zip", whole}}); answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, text)
	}
	_, before := s.do("GET", "/api/v1"+path, "")
	table := sentFile{"table.csv", "url,owner\nhttps://example.com/,Ada\n"}
	for _, test := range []struct {
		name   string
		files  []sentFile
		status int
		shows  string // in English
	}{
		{"cut", []sentFile{table, {"cut.zip", whole[:len(whole)-30]}}, 422, "cut.zip cannot be used, so no file was added."},
		{"bomb", []sentFile{table, {"bomb.zip", archive(t, map[string]string{"a.csv": strings.Repeat("0", 64<<20)})}}, 422,
			"bomb.zip: a.csv cannot be used"},
		{"many parts", []sentFile{{"parts.zip", archive(t, manyTables(60))}}, 422, "parts.zip cannot be used"},
		{"other table", []sentFile{{"colors.csv", "name,color\nchair,red\n"}}, 422, "colors.csv cannot be used"},
		{"hostile name", []sentFile{{"../../../etc/<i>&\n.csv", "no table"}}, 422, "_i_&amp;"},
		{"none", nil, 400, "Choose a file."},
		{"not chosen", []sentFile{{"", ""}}, 400, "Choose a file."},
		{"many", slices.Repeat([]sentFile{table}, 21), 400, "Choose at most 20 files."},
		{"large", []sentFile{{"large.csv", "url,owner\n" + strings.Repeat("https://example.com/,Ada\n", 64<<20/25)}}, 413,
			"larger than the server accepts"},
	} {
		answer, page := s.send(path, test.files)
		shown := strings.Contains(page, test.shows) && strings.Contains(page, `role="alert"`)
		if answer.StatusCode != test.status || !shown {
			t.Errorf("%s: %d, no %q in %s", test.name, answer.StatusCode, test.shows, format.Truncate(page, 20_000))
		}
		if strings.Contains(page, temporary) || strings.Contains(page, "<i>") {
			t.Errorf("%s: %s", test.name, page)
		}
		answer, text := s.send("/api/v1"+path, test.files)
		if answer.StatusCode != test.status || strings.Contains(text, temporary) {
			t.Errorf("%s by the API: %d %s", test.name, answer.StatusCode, text)
		}
	}
	if answer, text := s.do("POST", "/api/v1"+path, "{}"); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("no form: %d %s", answer.StatusCode, text)
	}
	if _, after := s.do("GET", "/api/v1"+path, ""); after != before {
		t.Errorf("the figures changed from %s to %s", before, after)
	}
	if answer, _ := s.send("/sites/none.example/figures", []sentFile{table}); answer.StatusCode != http.StatusNotFound {
		t.Errorf("another site: %d", answer.StatusCode)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func manyTables(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[string(rune('a'+i%26))+strings.Repeat("x", i)+".csv"] = "url\nhttps://example.com/\n"
	}
	return files
}

// TestFiguresRefused lets only the owner of a server that is not public add figures.
func TestFiguresRefused(t *testing.T) {
	t.Parallel()
	private, open := newSite(t, withLogin), newSite(t, public)
	crawl := private.crawl(`{"url":"`+shop(t)+`"}`, bearer(fullToken)...)
	path := "/sites/" + crawl["site"].(string)
	files := []sentFile{{"first.zip", coverage(t)}}
	for _, test := range []struct {
		name   string
		site   *site
		header []string
		status int // of the API
	}{
		{"nobody", private, nil, http.StatusUnauthorized},
		{"reader", private, bearer(readToken), http.StatusForbidden},
		{"stranger", open, nil, http.StatusNotFound},
		{"owner of a public server", open, bearer(fullToken), http.StatusNotFound},
		{"other site", private, append(bearer(fullToken), "Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
	} {
		answer, text := test.site.send("/api/v1"+path+"/figures", files, test.header...)
		if answer.StatusCode != test.status {
			t.Errorf("%s by the API: %d %s", test.name, answer.StatusCode, text)
		}
		answer, text = test.site.send(path+"/figures", files, test.header...)
		if answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", test.name, answer.StatusCode, text)
		}
	}
	_, text := private.do("GET", "/api/v1"+path+"/figures", "", bearer(readToken)...)
	if !strings.Contains(text, `"exports":[]`) {
		t.Errorf("the figures: %s", text)
	}
	if _, page := private.do("GET", path, "", bearer(readToken)...); strings.Contains(page, "figures") {
		t.Errorf("a reader sees the form: %s", page)
	}
}

// TestSafeName has a name for a file on every system, and keeps the day and the type.
func TestSafeName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ñ", 300) + "-Coverage-2026-11-20.zip"
	for name, want := range map[string]string{
		"Chart.csv": "Chart.csv", "": "file", "..": "file", "/": "file", `C:\files\a.csv`: "a.csv", "../../a.csv": "a.csv",
		"a\x00b\u202e:c.csv": "a_b__c.csv", ".hidden": "hidden", "Tabla año.csv": "Tabla año.csv", "\xff.csv": "\ufffd.csv",
		long: long[len(long)-len("-Coverage-2026-11-20.zip")-2*36:],
	} {
		got := safeName(name)
		if got != want || filepath.Base(got) != got || len(got) > 255 {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
