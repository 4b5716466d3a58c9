package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/programtest"
)

// documentedLocation returns the lines for nginx below a path, as the document has them.
func documentedLocation(t *testing.T) string {
	text, err := os.ReadFile("../../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)### Below a path.*?```nginx\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatal("the document has no lines for nginx")
	}
	return string(block[1])
}

// A person opens pages through nginx.
type person struct {
	t      *testing.T
	client *http.Client
}

// startNginx starts nginx in front of a server, with lines for its configuration, and
// returns a person whose browser reaches it as example.com.
func startNginx(t *testing.T, server, lines string) *person {
	t.Helper()
	program := programtest.Find(t, "nginx", "nginx-light")
	folder := t.TempDir()
	socket := filepath.Join(folder, "socket")
	text := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log; events {}
http {
	access_log off; client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c;
	uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
	server { listen unix:%[2]s; %[3]s }
}`, folder, socket, strings.ReplaceAll(lines, "http://127.0.0.1:8700", server))
	name := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	nginx := exec.CommandContext(ctx, program, "-c", name, "-e", filepath.Join(folder, "error.log"))
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- nginx.Wait() }()
	t.Cleanup(func() { stop(); <-ended })
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	for range time.Tick(10 * time.Millisecond) {
		if c, err := dial(t.Context(), "", ""); err == nil {
			c.Close()
			break
		}
		if len(ended) > 0 || t.Context().Err() != nil {
			log, _ := os.ReadFile(filepath.Join(folder, "error.log"))
			t.Fatalf("nginx does not start: %s", log)
		}
	}
	jar, _ := cookiejar.New(nil) // which does not fail
	return &person{t, &http.Client{Jar: jar, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}}
}

// opens requests a page, or submits a form to it, and returns where redirects lead, and the
// text there.
func (p *person) opens(path string, fields url.Values) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), "GET", "http://example.com"+path, nil)
	if fields != nil {
		request, err = http.NewRequestWithContext(p.t.Context(), "POST", "http://example.com"+path,
			strings.NewReader(fields.Encode()))
		request.Header.Set("Content-Type", form)
		request.Header.Set("Origin", "http://example.com")
	}
	if err != nil {
		p.t.Fatal(err)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer, string(text)
}

// TestNginxPath uses the server through nginx as the document configures it.
func TestNginxPath(t *testing.T) {
	s := newSite(t, func(o *Options, crawls *service.Options) {
		belowPath(o, crawls)
		o.Origin = "http://example.com/mapa"
	})
	server := httptest.NewServer(s)
	defer server.Close()
	p := startNginx(t, server.URL, documentedLocation(t))
	answer, text := p.opens("/mapa", nil)
	if answer.Request.URL.Path != "/mapa/login" || !strings.Contains(text, `action="/mapa/login"`) {
		t.Fatalf("a stranger is at %s: %s", answer.Request.URL, text)
	}
	if answer, _ := p.opens("/mapa/login", url.Values{"password": {password}}); answer.Request.URL.Path != "/mapa/" {
		t.Fatalf("the login leads to %s", answer.Request.URL)
	}
	answer, _ = p.opens("/mapa/crawls", url.Values{"url": {shop(t)}})
	crawl := answer.Request.URL.Path
	if _, text := p.opens(crawl+"/events", nil); !strings.Contains(text, "event: end") {
		t.Errorf("the events of %s do not end: %s", crawl, text)
	}
	for path, want := range map[string]string{
		crawl: `href="` + crawl + `/files/sitemap.xml"`, crawl + "/files/sitemap.xml": "<urlset", crawl + "/files.zip": "PK",
		crawl + "/pages": `href="` + crawl + `/export?`, crawl + "/files/report.html": "<!doctype html>",
		"/mapa/sites": `href="/mapa/sites/`, "/mapa/static/" + allAssets().names["web.css"]: "{",
	} {
		if answer, text := p.opens(path, nil); answer.StatusCode != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d without %s", path, answer.StatusCode, want)
		}
	}
	if answer, _ := p.opens("/mapa/logout", url.Values{"a": nil}); answer.Request.URL.Path != "/mapa/login" {
		t.Errorf("the logout leads to %s", answer.Request.URL)
	}
}

// TestNginxStripsPath says what is wrong when a proxy removes the path.
func TestNginxStripsPath(t *testing.T) {
	s := newSite(t, belowPath)
	server := httptest.NewServer(s)
	defer server.Close()
	lines := strings.Replace(documentedLocation(t), "8700;", "8700/;", 1)
	answer, text := startNginx(t, server.URL, lines).opens("/mapa/sites", nil)
	if answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "A proxy must keep this path") {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}
