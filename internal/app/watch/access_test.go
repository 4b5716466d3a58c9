package watch

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// entryOf is a sitemap with one page.
func entryOf(page string) string {
	return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` + page + `</loc></url></urlset>`
}

// TestWatchAccess follows a site that wants a password, a cookie and a header, over TLS
// with a certificate of its own. Other hosts that its index and its redirects lead to, and
// the webhook, get none of them.
func TestWatchAccess(t *testing.T) {
	var other, site *httptest.Server
	other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "Cookie", "X-Token"} {
			if value := r.Header.Get(name); value != "" {
				t.Errorf("%s got %s: %s", r.URL, name, value)
			}
		}
		fmt.Fprint(w, entryOf(other.URL+r.URL.Path))
	}))
	defer other.Close()
	site = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		if name != "me" || password != "secret" || r.Header.Get("X-Token") != "token-secret" ||
			r.Header.Get("Cookie") != "session=cookie-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch r.URL.Path {
		case "/robots.txt":
		case "/sitemap.xml":
			fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for _, child := range []string{site.URL + "/own.xml", site.URL + "/moved.xml", other.URL + "/listed.xml"} {
				fmt.Fprintf(w, "<sitemap><loc>%s</loc></sitemap>", child)
			}
			fmt.Fprint(w, "</sitemapindex>")
		case "/own.xml":
			fmt.Fprint(w, entryOf(site.URL+"/page"))
		case "/moved.xml":
			http.Redirect(w, r, other.URL+"/redirected.xml", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	if err := os.WriteFile(authority, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	settings := NewSettings()
	settings.State = filepath.Join(t.TempDir(), "watch.sqlite")
	settings.CrossHost = true
	settings.Request = access.RequestSettings{
		User: "me:secret", Cookie: "session=cookie-secret", Header: []string{"X-Token: token-secret"}, CAFile: authority,
	}
	follow := func(out io.Writer) *Result {
		t.Helper()
		result, err := Run(t.Context(), new(app.App), []string{site.URL},
			func() (*Settings, error) { return settings, nil }, nil, out)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Failed) > 0 {
			t.Errorf("failed: %v", result.Failed)
		}
		return result
	}
	var out strings.Builder
	if result := follow(&out); result.Events != 3 || strings.Contains(out.String(), "secret") {
		t.Errorf("%d events: %s", result.Events, out.String())
	}
	settings.State, settings.Webhook = filepath.Join(t.TempDir(), "watch.sqlite"), other.URL+"/webhook"
	if result := follow(io.Discard); result.Events != 3 {
		t.Errorf("%d events", result.Events)
	}
}

// TestWatchReload keeps the settings when new ones are wrong.
func TestWatchReload(t *testing.T) {
	sites := filepath.Join(t.TempDir(), "sites.txt")
	if err := os.WriteFile(sites, []byte("http://127.0.0.1:1/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := NewSettings()
	settings.State, settings.SitesFile = filepath.Join(t.TempDir(), "watch.sqlite"), sites
	w := &watchRun{app: new(app.App), read: func() (*Settings, error) { return settings, nil }}
	var err error
	if w.store, err = sqlitestore.Open(t.Context(), settings.State); err != nil {
		t.Fatal(err)
	}
	defer w.close()
	prepared, err := w.prepare()
	if err == nil {
		err = w.use(t.Context(), prepared)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := w.watcher
	if err := os.WriteFile(sites, []byte("ftp://example.com/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if prepared, err = w.prepare(); err == nil {
		err = w.use(t.Context(), prepared)
	}
	if err == nil || w.watcher != before || len(w.options.Sites) != 1 || !strings.HasPrefix(w.options.Sites[0], "http:") {
		t.Errorf("error %v, following %v", err, w.options.Sites)
	}
}
