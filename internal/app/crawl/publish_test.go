package crawl

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/publish"
)

// TestPublishCrawl publishes a crawl to another folder, again and after it was cut off,
// and keeps what is there when it must not be replaced.
func TestPublishCrawl(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%[1]s</title><p>This is %[1]s.<a href=/a>a</a><a href=/b>b</a>", r.URL.Path)
	}))
	defer site.Close()
	folder, target := filepath.Join(t.TempDir(), "crawl"), t.TempDir()
	if _, err := crawlSite(t, &app.App{}, site.URL, folder); err != nil {
		t.Fatal(err)
	}
	settings := NewSettings()
	settings.PublishFolder = target
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(target, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large := "https://example.com/\n" + strings.Repeat("https://example.com/x\n", 50)
	for _, step := range []struct {
		name          string
		prepare       func()
		want          func(error) bool
		pages, before int
	}{
		{"an empty folder", func() {}, nil, 3, 0},
		{"once more", func() {}, nil, 3, 3},
		{"a report of somebody else", func() { write("report.html", "mine") }, nil, 3, 3},
		{"a sitemap of somebody else", func() { os.Remove(filepath.Join(target, outputs.FilesName)) },
			isA[*outputs.ForeignFileError], 0, 0},
		{"after it was cut off", func() { write(outputs.FilesName, outputs.ClaimPrefix+"xml\n") }, nil, 3, 3},
		{"a loss of pages", func() { write("sitemap.xml", large) }, isA[*publish.RefusedError], 0, 0},
		{"no such folder", func() { settings.PublishFolder += "/none" }, isA[*crawlfile.FolderError], 0, 0},
	} {
		step.prepare()
		p, err := Publish(t.Context(), (&app.App{}), folder, "", settings)
		if err != nil {
			if step.want == nil || !step.want(err) {
				t.Errorf("%s: %v", step.name, err)
			}
			continue
		}
		sitemap := filepath.Join(target, "sitemap.xml")
		if p.Pages != step.pages || p.Before != step.before || !p.Complete || p.Sitemap != sitemap {
			t.Errorf("%s: %+v", step.name, p)
		}
	}
	if text, err := os.ReadFile(filepath.Join(target, "report.html")); err != nil || string(text) != "mine" {
		t.Errorf("report.html: %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(target, "sitemap.xml")); err != nil || string(text) != large {
		t.Errorf("sitemap.xml: %.100q, %v", text, err)
	}
}

// isA returns a function that reports whether an error is a T.
func isA[T error](err error) bool {
	_, is := errors.AsType[T](err)
	return is
}

// TestNewlyBroken finds what broke since the crawl before.
func TestNewlyBroken(t *testing.T) {
	t.Parallel()
	broken := map[string]bool{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken[r.URL.Path] {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%[1]s</title><p>This is %[1]s.", r.URL.Path)
		for _, name := range "abcdefgh" {
			fmt.Fprintf(w, "<a href=/%c>%c</a>", name, name)
		}
	}))
	defer site.Close()
	parent := t.TempDir()
	broken["/a"] = true
	for i, names := range []string{"", "/b /c /d", "/a"} {
		folder := filepath.Join(parent, fmt.Sprint(i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			if err := CopyCrawl(filepath.Join(parent, fmt.Sprint(i-1)), folder); err != nil {
				t.Fatal(err)
			}
		}
		for name := range strings.FieldsSeq(names) {
			broken[name] = true
		}
		settings := NewSettings()
		settings.Output, settings.Access.Rate = folder, access.PerSecond(0)
		result, err := RunSite(t.Context(), (&app.App{}), site.URL, settings)
		if err != nil {
			t.Fatal(err)
		}
		isBroken := func(change *compare.Change) bool { return change.Kind == compare.KindNewlyBroken }
		for limit := range 5 {
			want := 0
			if result.Changes != nil {
				want = min(limit, result.Changes.NewlyBroken)
			}
			first, err := FirstChanges(t.Context(), folder, limit, isBroken)
			if err != nil || len(first[compare.KindNewlyBroken]) != want {
				t.Errorf("crawl %d: %+v, want %d, %v", i, first, want, err)
			}
		}
		changes, err := FirstChanges(t.Context(), folder, 2, isBroken)
		first := changes[compare.KindNewlyBroken]
		if want := []int{0, 2, 0}[i]; err != nil || len(first) != want {
			t.Errorf("crawl %d: %+v, %v", i, first, err)
		}
		if len(first) > 0 && (first[0].URL != site.URL+"/b" || first[0].New.Status != 404 ||
			first[0].New.Decision != "client-error") {
			t.Errorf("crawl %d: %+v", i, first)
		}
	}
}
