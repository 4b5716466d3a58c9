package web

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// shop is a site with two pages and a broken link.
func shop(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!doctype html><title>Shop</title><p>Welcome <a href=/chair>chair</a> <a href=/gone>gone</a>`)
		case "/chair":
			fmt.Fprint(w, `<!doctype html><title>Chair</title><p>A chair of wood <a href=/>home</a>`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// crawl starts a crawl by the API, waits for its end, and returns it.
func (s *site) crawl(body string, header ...string) map[string]any {
	s.t.Helper()
	answer, text := s.do("POST", "/api/v1/crawls", body, header...)
	if answer.StatusCode != http.StatusCreated {
		s.t.Fatalf("%s: %d %s", body, answer.StatusCode, text)
	}
	return s.wait(answer.Header.Get("Location"), header...)
}

// wait waits for the end of a crawl, given by its path in the API, and returns it.
func (s *site) wait(location string, header ...string) map[string]any {
	s.t.Helper()
	for _, err := range s.service.Watch(s.t.Context(), location[strings.LastIndex(location, "/")+1:], 0) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	_, text := s.do("GET", location, "", header...)
	var crawl map[string]any
	if err := json.Unmarshal([]byte(text), &crawl); err != nil {
		s.t.Fatal(err)
	}
	return crawl
}

// TestAPI goes from the start of a crawl to the download of its files. Every answer is
// checked against the document.
func TestAPI(t *testing.T) {
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + shop(t) + `","options":{"max-pages":10,"images":true,"exclude":["^/x"]}}`)
	if crawl["state"] != "done" || crawl["counts"].(map[string]any)["listed"] != 2.0 {
		t.Fatalf("%v", crawl)
	}
	path := "/api/v1/crawls/" + crawl["id"].(string)
	answer, sitemap := s.do("GET", path+"/files/sitemap.xml", "")
	if !strings.Contains(sitemap, "/chair</loc>") || answer.Header.Get("Content-Type") != "application/xml" ||
		!strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("%v\n%s", answer.Header, sitemap)
	}
	answer, text := s.do("GET", path+"/files/sitemap.xml.gz", "")
	if !strings.HasPrefix(text, "\x1f\x8b") || answer.Header.Get("Content-Type") != "application/gzip" {
		t.Errorf("compressed: %v\n%q", answer.Header, text)
	}
	answer, report := s.do("GET", path+"/files/report.html", "", "Range", "bytes=0-8")
	if answer.StatusCode != http.StatusPartialContent || len(report) != 9 ||
		!strings.HasPrefix(answer.Header.Get("Content-Security-Policy"), "sandbox;") {
		t.Errorf("a part of the report: %v", answer)
	}
	_, archive := s.do("GET", path+"/files.zip", "")
	files, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil || len(files.File) != len(crawl["files"].([]any)) {
		t.Fatalf("%v %v", err, files)
	}
	for _, path := range []string{"/api/v1/crawls", "/api/v1/crawls?site=" + crawl["site"].(string), "/api/v1/sites",
		"/api/v1/sites/" + crawl["site"].(string)} {
		answer, body := s.do("GET", path, "")
		if has := strings.Contains(body, crawl["id"].(string)); answer.StatusCode != http.StatusOK || !has {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
	if answer, _ := s.do("DELETE", path, ""); answer.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d", answer.StatusCode)
	}
	if answer, _ := s.do("GET", path, ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a crawl that was deleted: %d", answer.StatusCode)
	}
}

// TestAPIPages lists the URLs of a crawl, part by part.
func TestAPIPages(t *testing.T) {
	s := newSite(t, nil)
	path := "/api/v1/crawls/" + s.crawl(`{"url":"` + shop(t) + `"}`)["id"].(string) + "/pages"
	if _, body := s.do("GET", path+"?reason=client-error", ""); !strings.Contains(body, "/gone") {
		t.Errorf("the broken page is not in\n%s", body)
	}
	seen := map[string]bool{}
	for cursor, parts := "", 0; ; parts++ {
		_, body := s.do("GET", path+"?limit=1&cursor="+cursor, "")
		var list struct {
			Pages []struct{ URL string }
			Total int
			Next  string
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Pages) != 1 || list.Total != 3 || parts > 3 {
			t.Fatalf("%v\n%s", err, body)
		}
		seen[list.Pages[0].URL] = true
		if cursor = list.Next; cursor == "" {
			break
		}
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
	for _, query := range []string{"cursor=x", "status=many", "depth=x", "rule=none", "sort=colour", "seed_sources=1"} {
		if answer, body := s.do("GET", path+"?"+query, ""); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", query, answer.StatusCode, body)
		}
	}
}

// TestAPIFindings reads the verdict of a crawl and what a rule found.
func TestAPIFindings(t *testing.T) {
	s := newSite(t, nil)
	path := "/api/v1/crawls/" + s.crawl(`{"url":"` + shop(t) + `"}`)["id"].(string)
	var overview struct {
		Verdict struct{ Kind string }
		Fix     []struct {
			Rule  string
			Count int
		}
		Passed []string
	}
	_, body := s.do("GET", path+"/overview", "")
	if err := json.Unmarshal([]byte(body), &overview); err != nil || len(overview.Fix) == 0 || len(overview.Passed) < 20 {
		t.Fatalf("%v: %s", err, body)
	}
	if overview.Fix[0].Rule != "link-broken" || overview.Verdict.Kind != "ready-with-problems" {
		t.Errorf("%+v", overview)
	}
	var list struct {
		Findings []struct {
			Rule, Severity, Message, Other string
			Pages                          int
			First                          []struct{ URL, Text string }
		}
		Total int
	}
	_, body = s.do("GET", path+"/findings?rule=link-broken&severity=error", "")
	err := json.Unmarshal([]byte(body), &list)
	if err != nil || list.Total != overview.Fix[0].Count || list.Total != len(list.Findings) {
		t.Fatalf("%v: %s", err, body)
	}
	f := list.Findings[0]
	if !strings.HasSuffix(f.Other, "/gone") || f.Pages != 1 || f.First[0].Text == "" || f.Severity != "error" {
		t.Errorf("%+v", f)
	}
	if _, body := s.do("GET", path+"/pages?rule=link-broken", ""); !strings.Contains(body, `"total":1`) {
		t.Errorf("%s", body)
	}
	for _, query := range []string{
		"", "rule=none", "rule=link-broken&severity=off", "rule=link-broken&cursor=x", "rule=link-broken&limit=0",
	} {
		if answer, body := s.do("GET", path+"/findings?"+query, ""); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", query, answer.StatusCode, body)
		}
	}
}

// TestAPIErrors answers with problem details.
func TestAPIErrors(t *testing.T) {
	s := newSite(t, nil)
	crawl := s.crawl(`{"url":"` + shop(t) + `"}`)
	path := "/api/v1/crawls/" + crawl["id"].(string)
	for _, test := range []struct {
		method, path, body string
		status             int
		text               string
	}{
		{"POST", "/api/v1/crawls", `{"url":""}`, 400, "#url"},
		{"POST", "/api/v1/crawls", `{"url":"ftp://a.example"}`, 400, "http"},
		{"POST", "/api/v1/crawls", `{"url":"/etc"}`, 400, "#url"},
		{"POST", "/api/v1/crawls", `{"url":"a.example/` + strings.Repeat("x", 2_048) + `"}`, 400, "longer than 2047"},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":{"max-pagse":1}}`, 400, `"option":"max-pagse"`},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":{"max-pages":"many"}}`, 400, `"option":"max-pages"`},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":{"max-pages":{}}}`, 400, `"option":"max-pages"`},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":{"output":"/etc"}}`, 400, `"option":"output"`},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":{"ca-file":"/etc/passwd"}}`, 400, `"option":"ca-file"`},
		{"POST", "/api/v1/crawls", `{"url":"a.example","options":[]}`, 400, "#bad-request"},
		{"POST", "/api/v1/crawls", `{"url":"a.example"} {}`, 400, "more than one"},
		{"POST", "/api/v1/crawls", `{"address":"a.example"}`, 400, "address"},
		{"POST", "/api/v1/crawls", strings.Repeat("[", maxBody/2), 400, "#bad-request"},
		{"POST", "/api/v1/crawls", `{"url":"` + strings.Repeat("x", maxBody) + `"}`, 413, "#too-large"},
		{"GET", "/api/v1/crawls?limit=0", "", 400, "limit"},
		{"GET", "/api/v1/crawls?limit=501", "", 400, "limit"},
		{"GET", "/api/v1/crawls/nothing", "", 404, "#not-found"},
		{"GET", "/api/v1/nothing", "", 404, "#not-found"},
		{"GET", path + "/files/..%2f..%2fmapa.sqlite", "", 404, "#not-found"},
		{"GET", path + "/files/crawl.sqlite", "", 404, "#not-found"},
		{"GET", path + "/files/crawl.sqlite.gz", "", 404, "#not-found"},
		{"GET", path + "/pages?text=" + strings.Repeat("x", maxFilter+1), "", 400, "text"},
		{"GET", path + "/events?after=x", "", 400, "#bad-request"},
		{"POST", path + "/pause", "", 409, "#state"},
		{"POST", path + "/stop", "", 409, "#state"},
		{"POST", "/api/v1/schedules", `{"url":"a.example","every":"1s"}`, 400, `"field":"every"`},
		{"POST", "/api/v1/schedules", `{"url":"a.example","every":"soon"}`, 400, "soon"},
		{"POST", "/api/v1/schedules", `{"url":"a.example","cron":"0 3 * * 9"}`, 400, `"field":"cron"`},
		{"PUT", "/api/v1/schedules/nothing", `{"url":"a.example","every":"24h"}`, 404, "#not-found"},
	} {
		answer, body := s.do(test.method, test.path, test.body)
		if answer.StatusCode != test.status || !strings.Contains(body, test.text) ||
			answer.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %.80s %.80s: %d %s", test.method, test.path, test.body, answer.StatusCode, body)
		}
	}
}

// TestSchedules stores, changes and deletes a schedule.
func TestSchedules(t *testing.T) {
	s := newSite(t, nil)
	answer, body := s.do("POST", "/api/v1/schedules", `{"url":"https://a.example/","every":"24h","jitter":"1h",
		"options":{"max-pages":5},"webhook":"https://hooks.example/s3cret"}`)
	const every = `"every":"24h0m0s"`
	if answer.StatusCode != http.StatusCreated || strings.Contains(body, "s3cret") || !strings.Contains(body, every) {
		t.Fatalf("%d %s", answer.StatusCode, body)
	}
	path := answer.Header.Get("Location")
	body = strings.Replace(body, every, `"paused":true,"cron":"0 3 * * *"`, 1)
	answer, body = s.do("PUT", path, body)
	if answer.StatusCode != http.StatusOK || !strings.Contains(body, `"paused":true`) {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	if _, body := s.do("GET", path, ""); !strings.Contains(body, `"cron":"0 3 * * *"`) {
		t.Errorf("%s", body)
	}
	if answer, _ := s.do("DELETE", path, ""); answer.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d", answer.StatusCode)
	}
	if _, body := s.do("GET", "/api/v1/schedules", ""); body != "{\"schedules\":[]}\n" {
		t.Errorf("%s", body)
	}
}

// TestScheduleDays takes days and a time in place of a cron expression. A program that sends back what it got may
// change either of them.
func TestScheduleDays(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	put := func(path, body, when string) string {
		t.Helper()
		method := "PUT"
		if path == "" {
			method, path = "POST", "/api/v1/schedules"
		}
		answer, text := s.do(method, path, `{"url":"https://a.example/",`+body+`}`)
		if answer.StatusCode >= 300 || !strings.Contains(text, when) {
			t.Errorf("%s: %d %s, want %s", body, answer.StatusCode, text, when)
		}
		return answer.Header.Get("Location")
	}
	const stored = `"cron":"30 4 * * 1,5","days":["monday","friday"],"time":"04:30"`
	path := put("", `"days":["friday","monday"],"time":"04:30"`, stored)
	put("", `"time":"23:59"`, `"cron":"59 23 * * *","time":"23:59"`)
	put("", `"cron":"30 4 * * fri,mon"`, `"days":["monday","friday"],"time":"04:30"`)
	put("", `"cron":"0 0 1 * *"`, `"cron":"0 0 1 * *","next"`)
	put("", `"every":"24h"`, `"every":"24h0m0s","next"`)
	put(path, stored, stored)
	const other = `"cron":"0 5 * * 2","days":["tuesday"],"time":"05:00"`
	put(path, `"cron":"30 4 * * 1,5","days":["tuesday"],"time":"05:00"`, other)
	put(path, `"cron":"15 6 * * 0","days":["tuesday"],"time":"05:00"`, `"cron":"15 6 * * 0","days":["sunday"],"time":"06:15"`)
	put(path, `"every":"24h","days":["sunday"],"time":"06:15"`, `"every":"24h0m0s","next"`)
	put(path, `"every":"24h"`, `"every":"24h0m0s","next"`)
	put(path, other, other)
	for body, field := range map[string]string{
		`"days":["monday"]`: "time", `"days":["monday"],"time":"24:00"`: "time", `"time":"4.30"`: "time",
		`"days":["montag"],"time":"04:30"`: "days", `"days":["monday","monday"],"time":"04:30"`: "days",
		`"days":["Monday"],"time":"04:30"`: "days", `"every":"24h","time":"04:30"`: "time",
		`"cron":"0 3 * * *","days":["monday"],"time":"04:30"`: "time", `"cron":"x","time":"04:30"`: "time",
		`"cron":"x"`: "cron", `"days":[]`: "every",
	} {
		for _, request := range []string{"POST /api/v1/schedules", "PUT " + path} {
			method, path, _ := strings.Cut(request, " ")
			answer, text := s.do(method, path, `{"url":"https://a.example/",`+body+`}`)
			if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, `"field":"`+field+`"`) {
				t.Errorf("%s %s: %d %s", request, body, answer.StatusCode, text)
			}
		}
	}
}

// TestRunSchedule crawls the site of a schedule now, once at a time.
func TestRunSchedule(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	paused := service.Schedule{URL: slowSite(t), Cron: "5 4 * * *", Paused: true}
	schedule, err := s.service.PutSchedule(t.Context(), paused)
	if err != nil {
		t.Fatal(err)
	}
	path := "/api/v1/schedules/" + schedule.ID + "/run"
	first, body := s.do("POST", path, "")
	again, _ := s.do("POST", path, "")
	crawl := first.Header.Get("Location")
	if first.StatusCode != http.StatusOK || !strings.Contains(body, `"schedule":"`+schedule.ID+`"`) ||
		again.Header.Get("Location") != crawl || !strings.HasPrefix(crawl, "/api/v1/crawls/") {
		t.Errorf("%d %s at %s, then %s", first.StatusCode, body, crawl, again.Header.Get("Location"))
	}
	s.do("POST", crawl+"/stop", "")
	s.wait(crawl)
	if after, _ := s.do("POST", path, ""); after.StatusCode != http.StatusOK || after.Header.Get("Location") == crawl {
		t.Errorf("after its end: %d %s", after.StatusCode, after.Header.Get("Location"))
	}
	if answer, _ := s.do("POST", "/api/v1/schedules/none/run", ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("no schedule: %d", answer.StatusCode)
	}
}

// TestEvents streams a crawl to its end, and resumes after an event.
func TestEvents(t *testing.T) {
	s := newSite(t, nil)
	answer, body := s.do("POST", "/api/v1/crawls", `{"url":"`+shop(t)+`"}`)
	if answer.StatusCode != http.StatusCreated {
		t.Fatal(body)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	path := server.URL + answer.Header.Get("Location") + "/events"
	read := func(header string) (ids []string, names map[string]int) {
		r, _ := http.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Last-Event-ID", header)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%v", answer.Header)
		}
		names = map[string]int{}
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				ids = append(ids, value)
			case "event":
				names[value]++
			case "data":
				checkProgress(t, value)
			}
		}
		return ids, names
	}
	ids, names := read("")
	if len(ids) == 0 || names["progress"] != len(ids) || names["end"] != 1 {
		t.Fatalf("%v %v", ids, names)
	}
	if again, names := read(ids[len(ids)-1]); len(again) > 1 || names["end"] != 1 {
		t.Errorf("after the last event: %v %v", again, names)
	}
}

func checkProgress(t *testing.T, text string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	if text == "{}" {
		return
	}
	if err := apiDescription().validate(json.RawMessage(`{"$ref":"#/$defs/Progress"}`), value); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestProbes says that the server works, and its figures.
func TestProbes(t *testing.T) {
	s := newSite(t, nil)
	for path, text := range map[string]string{
		"/healthz": "ok", "/readyz": "ok", "/metrics": "mapa_crawls_queued 0\n",
	} {
		if answer, body := s.do("GET", path, ""); answer.StatusCode != http.StatusOK || !strings.Contains(body, text) {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
	close(s.closing)
	if answer, _ := s.do("GET", "/readyz", ""); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("while it stops: %d", answer.StatusCode)
	}
}

// FuzzAPI sends what a stranger may send. No request fails the server, and every answer
// has the headers and the form that the document says.
func FuzzAPI(f *testing.F) {
	f.Add("POST", "/api/v1/crawls", `{"url":"a.example","options":{"max-pages":["1",2,true]}}`, "application/json")
	f.Add("GET", "/api/v1/crawls?cursor=zz&limit=7&site=%00", "", "")
	f.Add("GET", "/api/v1/crawls/../../etc/pages?status=4xx&depth=-1&sort=-url", "", "")
	f.Add("PUT", "/api/v1/schedules/x", `{"url":"a.example","every":"1e9h","cron":"* * * * *"}`, "application/json")
	f.Add("GET", "/crawls/a/files/..%2f..%2fx", "", "")
	f.Add("GET", "/api/v1/crawls/a/events?after=18446744073709551616", "", "")
	f.Add("POST", "/login", "password=%ff", "application/x-www-form-urlencoded")
	open := newFuzzSite(f)
	f.Fuzz(func(t *testing.T, method, target, body, mediaType string) {
		r, err := http.NewRequest(method, "http://maps.example.com", strings.NewReader(body))
		if err != nil {
			t.Skip()
		}
		parsed, err := r.URL.Parse(target)
		if err != nil || !strings.HasPrefix(parsed.Path, "/") {
			t.Skip()
		}
		r.URL, r.Host = parsed, "maps.example.com"
		r.Header.Set("Content-Type", mediaType)
		w := httptest.NewRecorder()
		open.ServeHTTP(w, r)
		answer := w.Result()
		text, _ := io.ReadAll(answer.Body)
		if answer.StatusCode >= 500 && answer.StatusCode != http.StatusGatewayTimeout {
			t.Errorf("%s %s: %d %s", method, target, answer.StatusCode, text)
		}
		checkAnswer(t, r, answer, text)
	})
}

// newFuzzSite returns a public server whose queue does not run: nothing is requested.
func newFuzzSite(f *testing.F) *site {
	options, crawls := Options{}, service.Options{Folder: f.TempDir()}
	public(&options, &crawls)
	crawls.App, options.App = newTestApp(), newTestApp()
	crawls.Public.Queue = 50
	var err error
	if options.Service, err = service.Open(f.Context(), crawls); err != nil {
		f.Fatal(err)
	}
	options.Models = newTestModels(&options)
	server, err := New(options)
	if err != nil {
		f.Fatal(err)
	}
	return &site{Server: server, service: options.Service}
}
