package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestSuspects says of sites whose sitemap lacks most pages what is wrong and what to do, and never
// to upload it.
func TestSuspects(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html lang=en><title>%[1]s</title><h1>%[1]s</h1><p>Some words about %[1]s.</p>`
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		want  []string
	}{
		"log-in": {
			func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/login" {
					http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusFound)
					return
				}
				fmt.Fprintf(w, page+`<form method=post><input name=user><input name=p type=password></form>`, "Log in")
			},
			[]string{
				"The sitemap cannot be used: the pages lead to the log-in form at",
				"Crawl as a visitor who has logged in", `href="/?url=`,
			},
		},
		"staging": {
			func(w http.ResponseWriter, r *http.Request) {
				canonical := `<link rel=canonical href="https://www.shop.test` + r.URL.Path + `">`
				fmt.Fprintf(w, canonical+page+`<a href="/a">A</a><a href="/b">B</a>`, r.URL.Path)
			},
			[]string{"https://www.shop.test/ on 3 of 3 pages", "Make the sitemap for https://www.shop.test/", `name="base-url"`},
		},
		"script": {
			func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>`))
			},
			[]string{"1 page has no content without JavaScript"},
		},
		"soft 404": {
			func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					fmt.Fprintf(w, page, "Nothing here")
					return
				}
				fmt.Fprintf(w, page+`<a href="/a">A</a><a href="/b">B</a><a href="/c">C</a><a href="/d">D</a>`, "Home")
			},
			[]string{"but 4 of 5 pages", "Look at the reasons"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				test.serve(w, r)
			}))
			defer target.Close()
			_, text := newSite(t, nil).submit(url.Values{"url": {target.URL}})
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("the page has no %q: %s", want, text)
				}
			}
			for _, wrong := range []string{"Your sitemap is ready", "The crawl failed", "failed</span>", "no broken links"} {
				if strings.Contains(text, wrong) {
					t.Errorf("the page has %q", wrong)
				}
			}
		})
	}
}
