package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// TestPatterns reads what people type for addresses, and shows it again.
func TestPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"/blog/": "/blog/", "/a*b": "/a.*b", "?page=": `\?page=`, "a+b(c)": `a\+b\(c\)`, "": "",
	} {
		if got := patternOf(text); got != want {
			t.Errorf("the pattern of %q is %q, want %q", text, got, want)
		}
		if got := textOf(want); got != text {
			t.Errorf("the text of %q is %q, want %q", want, got, text)
		}
	}
	got := optionsOf(url.Values{"include": {" /a/ \r\n\r\n/b/*\n"}, "outputs": {"xml", "txt"}, "max-pages": {" 5 "},
		"images": {"true"}, "assets": {"no"}, "url": {"x"}, "header": {"A: b"}})
	if len(got) != 4 || !slices.Equal(got["include"], []string{"/a/", "/b/.*"}) || len(got["outputs"]) != 2 ||
		!slices.Equal(got["max-pages"], []string{"5"}) || !slices.Equal(got["images"], []string{"true"}) {
		t.Errorf("the options are %v", got)
	}
}

// TestLocalPath refuses to lead to other hosts.
func TestLocalPath(t *testing.T) {
	for text, want := range map[string]string{
		"/sites?a=b": "/sites?a=b", "/sites/a%2Fb": "/sites/a%2Fb", "/": "/", "": "/", "//evil.example/": "/",
		"https://evil.example/": "/", `/\evil.example`: "/", "/\t/evil.example": "/", "sites": "/", "/%2F/x": "/",
		"javascript:alert(1)": "/", "///evil.example": "/",
	} {
		if got := localPath(text); got != want {
			t.Errorf("localPath(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestScripts bounds what a page loads, and keeps scripts and styles out of the templates.
func TestScripts(t *testing.T) {
	const most = 30_000 // bytes
	size := 0
	for name, text := range allAssets().files {
		if strings.HasSuffix(name, ".js") {
			size += len(text)
		}
	}
	if size == 0 || size > most {
		t.Errorf("the scripts have %d bytes, more than %d", size, most)
	}
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := templateFiles.ReadFile("templates/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, inline := range []string{"<style", " style=", "<script>", " onclick", "javascript:"} {
			if strings.Contains(string(text), inline) {
				t.Errorf("%s has %s, which the policy forbids", entry.Name(), inline)
			}
		}
	}
}

// TestVisitorPages checks what a public server shows to strangers.
func TestVisitorPages(t *testing.T) {
	s := newSite(t, public)
	answer, page := s.do("GET", "/", "")
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the start page answers %s", answer.Status)
	}
	for _, hidden := range []string{"/sites", "/schedules", "/tools/why", "subdomains", "external", "Pause"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the start page shows %s to strangers", hidden)
		}
	}
	for _, shown := range []string{`href="/tools/lint"`, `href="/tools/robots"`, "up to 2,000 pages here"} {
		if !strings.Contains(page, shown) {
			t.Errorf("the start page does not show %s to strangers", shown)
		}
	}
	_, page = s.do("GET", "/owner?url=www.example.com", "")
	if !strings.Contains(page, "https://www.example.com/.well-known/mapa-") {
		t.Errorf("the file of the proof is not shown: %s", page)
	}
	if _, page := s.do("GET", "/about", ""); !strings.Contains(page, `href="mailto:abuse@example.com"`) {
		t.Errorf("nobody can complain: %s", page)
	}
	for _, path := range []string{"/sites", "/schedules", "/schedules/new", "/tools/why", "/compare?old=a&new=b"} {
		if answer, _ := s.do("GET", path, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %s to strangers", path, answer.Status)
		}
	}
}

// TestExplanations checks that every failure and every limit of the service is explained in
// all languages.
func TestExplanations(t *testing.T) {
	for _, l := range catalog.Languages() {
		c := catalog.For(l)
		for _, kind := range []service.LimitKind{
			service.LimitDay, service.LimitAtOnce, service.LimitQueue, service.LimitEgress, service.LimitDisk,
		} {
			if text, is := explainInput(c, &service.LimitError{Kind: kind}); !is || text == "" {
				t.Errorf("%s: the limit %s is not explained", l, kind)
			}
		}
		for field := range fieldTexts {
			if text, is := explainInput(c, &service.ScheduleError{Field: field}); !is || text == "" {
				t.Errorf("%s: a wrong %s is not explained", l, field)
			}
		}
	}
}

// TestPreparing shows a page that loads itself again while a large result is prepared.
func TestPreparing(t *testing.T) {
	s := newSite(t, nil)
	r := httptest.NewRequest("GET", "/crawls/x", nil)
	r.Header.Set("Accept-Language", "es")
	w := httptest.NewRecorder()
	s.fail(w, r, errPreparing)
	for _, want := range []string{`<meta http-equiv="refresh" content="3">`, "Preparando el resultado"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page has no %s: %s", want, w.Body.String())
		}
	}
	if w.Code != http.StatusAccepted || w.Header().Get("Retry-After") != "3" {
		t.Errorf("the answer is %d, Retry-After: %s", w.Code, w.Header().Get("Retry-After"))
	}
}
