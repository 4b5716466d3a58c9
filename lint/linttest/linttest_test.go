package linttest_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/lint/linttest"
)

// recorder is a test that records what it would print.
type recorder struct {
	testing.TB
	errors, logs []string
	fatal        bool
}

func (r *recorder) Helper()           {}
func (r *recorder) Log(args ...any)   { r.logs = append(r.logs, fmt.Sprint(args...)) }
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

// Fatalf ends the goroutine, as that of a test does.
func (r *recorder) Fatalf(format string, args ...any) {
	r.errors, r.fatal = append(r.errors, fmt.Sprintf(format, args...)), true
	panic(r)
}

// run calls check with a recorder.
func run(t *testing.T, check func(testing.TB)) (r *recorder) {
	r = &recorder{TB: t}
	defer func() {
		if failed := recover(); failed != nil && failed != any(r) {
			panic(failed)
		}
	}()
	check(r)
	return r
}

func urlset(entries string) string {
	return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n" + entries + "\n</urlset>\n"
}

const (
	good = "<url><loc>https://example.com/</loc></url>"
	bad  = "<url><loc>https://example.com/</loc><priority>2</priority></url>"
)

func site(entries string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("example.com/sitemap.xml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("ETag", `"1"`)
		fmt.Fprint(w, urlset(entries))
	})
	return mux
}

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	for name, entries := range map[string]string{"good.xml": good, "bad.xml": bad} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(urlset(entries)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, check := range map[string]func(testing.TB, string){
		"file": func(t testing.TB, entries string) {
			file := map[string]string{good: "good.xml", bad: "bad.xml"}[entries]
			linttest.Check(t, filepath.Join(folder, file), nil)
		},
		"bytes": func(t testing.TB, entries string) {
			linttest.CheckBytes(t, []byte(urlset(entries)), &lint.Options{BaseURL: "https://example.com/"})
		},
		"handler": func(t testing.TB, entries string) {
			linttest.CheckHandler(t, site(entries), "https://example.com/sitemap.xml", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if r := run(t, func(t testing.TB) { check(t, good) }); len(r.errors) > 0 {
				t.Errorf("a good sitemap fails: %s", r.errors)
			}
			r := run(t, func(t testing.TB) { check(t, bad) })
			if len(r.errors) != 1 || !strings.Contains(r.errors[0], "[priority-range]\n\t"+bad+"\n\tfix: ") || r.fatal {
				t.Errorf("a bad sitemap fails with %q", r.errors)
			}
		})
	}
}

// TestInfo wants findings of SeverityInfo to be logged only.
func TestInfo(t *testing.T) {
	r := run(t, func(t testing.TB) {
		sitemap := urlset(strings.Replace(bad, "2", "0.5", 1))
		linttest.CheckBytes(t, []byte(sitemap), &lint.Options{Engines: lint.EngineGoogle})
	})
	if len(r.errors) > 0 || !slices.ContainsFunc(r.logs,
		func(s string) bool { return strings.Contains(s, "[priority-ignored]") }) {
		t.Errorf("errors %q, logs %q", r.errors, r.logs)
	}
}

// TestFatal wants what cannot be checked to fail the test.
func TestFatal(t *testing.T) {
	for want, options := range map[string]*lint.Options{
		"unknown rule": {Only: []string{"no-such-rule"}},
		"no sitemap":   nil,
	} {
		r := run(t, func(tb testing.TB) { linttest.Check(tb, t.TempDir(), options) })
		if !r.fatal || !strings.Contains(r.errors[0], want) {
			t.Errorf("errors %q, want %q", r.errors, want)
		}
	}
}
