package app_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/sitemap"
)

// placement is how a sitemap is written: compressed, with its images apart, in a folder of its
// own.
type placement struct{ gzip, apart, publish bool }

// TestSitemapPlace compares all that say where a sitemap is published: the parts in its index,
// the line for robots.txt in that file and in the report, and what announce and lint look up.
func TestSitemapPlace(t *testing.T) {
	site := map[string]string{"index.html": `<title>Home</title><p>home <img src="a.png"><a href="a.html">a</a>`, "a.html": "<title>A</title><p>page a"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, found := site[strings.TrimPrefix(strings.Replace(r.URL.Path+"#", "/#", "/index.html", 1), "/")]
		if !found {
			text, found = site[strings.TrimPrefix(r.URL.Path, "/")]
		}
		if !found {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	public := t.TempDir()
	for name, text := range site {
		if err := os.WriteFile(filepath.Join(public, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ address, base, want string }{
		{server.URL, "", server.URL + "/"},
		{server.URL, "https://host.example/", "https://host.example/"},
		{server.URL, "https://host.example/Project/", "https://host.example/Project/"},
		{server.URL, "https://host.example/Project", "https://host.example/Project/"},
		{public, "https://host.example/Project/", "https://host.example/Project/"},
		{public, "https://host.example/Project", "https://host.example/Project/"},
		{"build", "https://host.example/Project/", "https://host.example/Project/"},
		{"build", "https://host.example/Project", "https://host.example/Project/"},
		{"build", "https://host.example/", "https://host.example/"},
	} {
		for _, placed := range []placement{{}, {gzip: true}, {apart: true}, {publish: true}, {true, true, true}} {
			folder := filepath.Join(t.TempDir(), "out")
			robots := filepath.Join(t.TempDir(), "robots.txt")
			if err := os.WriteFile(robots, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			published := folder
			var err error
			if test.address == "build" {
				err = buildSite(t, folder, test.base, robots, placed)
			} else {
				s := appcrawl.NewSettings()
				s.Output, s.BaseURL, s.Access.Rate = folder, test.base, access.PerSecond(0)
				if placed.publish {
					published = filepath.Join(t.TempDir(), "published")
					s.PublishFolder = published
				}
				placed.set(&s.Publish, robots)
				_, err = appcrawl.Run(t.Context(), &app.App{}, test.address, s)
			}
			if err != nil {
				t.Fatalf("%+v: %v", test, err)
			}
			checkPlace(t, folder, published, robots, test.want, placed)
		}
	}
}

func (p placement) set(s *outputs.PublishSettings, robots string) {
	s.RobotsTxt, s.Gzip, s.Sets = robots, p.gzip, []string{"a=a"}
	if p.apart {
		s.Apart = []string{"images"}
	}
}

// buildSite builds the sitemap of two pages of a base URL.
func buildSite(t *testing.T, folder, base, robots string, placed placement) error {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list.txt")
	root := strings.TrimSuffix(base, "/") + "/"
	if err := os.WriteFile(list, []byte(root+"\n"+root+"a.html\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := build.NewSettings()
	s.Output, s.BaseURL, s.Lists = folder, base, []string{list}
	placed.set(&s.Publish, robots)
	_, err := build.Run(t.Context(), &app.App{}, s)
	return err
}

// checkPlace compares what the files of a crawl or a build say about the place of the sitemap.
func checkPlace(t *testing.T, folder, published, robots, want string, placed placement) {
	t.Helper()
	name := "sitemap.xml"
	if placed.gzip {
		name += ".gz"
	}
	index, err := os.Open(filepath.Join(published, name))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	var places []string
	for entry, err := range sitemap.NewReader(index).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		loc := string(entry.Loc)
		places = append(places, loc[:strings.LastIndexByte(loc, '/')+1])
	}
	text, err := os.ReadFile(robots)
	if err != nil {
		t.Fatal(err)
	}
	places = append(places, strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(text)), "Sitemap: "), name))
	recorded, err := outputs.PublishedAt(folder)
	if err != nil {
		t.Fatal(err)
	}
	places = append(places, recorded)
	if report, err := os.ReadFile(filepath.Join(folder, "report.html")); err == nil {
		_, line, _ := strings.Cut(string(report), "Sitemap: ")
		end := strings.Index(line, name)
		if end < 0 {
			t.Fatal("the report names no sitemap")
		}
		places = append(places, line[:end])
	}
	if len(places) < 3 || slices.ContainsFunc(places, func(place string) bool { return place != want }) {
		t.Errorf("%s: %q, want %s everywhere", folder, places, want)
	}
	checkFiles(t, published, want)
}

// checkFiles lints the files as they are published below a URL.
func checkFiles(t *testing.T, folder, want string) {
	t.Helper()
	linter, err := lint.New(&lint.Options{Engines: lint.EngineAll, BaseURL: want})
	if err != nil {
		t.Fatal(err)
	}
	for finding, err := range linter.Check(t.Context(), folder) {
		if err != nil {
			t.Fatal(err)
		}
		if finding.Severity > lint.SeverityInfo {
			t.Errorf("%s below %s: %v", folder, want, &finding)
		}
	}
}
