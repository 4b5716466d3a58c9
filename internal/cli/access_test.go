package cli_test

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// crawlWith runs mapa crawl in the current folder.
func crawlWith(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), append([]string{"crawl", "-o", "out", "--rate", "0", "--fresh"}, args...),
		strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// TestCertificates crawls a site whose certificate nobody signed.
func TestCertificates(t *testing.T) {
	t.Chdir(t.TempDir())
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>home</p>")
	}))
	site.Config.ErrorLog = log.New(io.Discard, "", 0)
	site.StartTLS()
	defer site.Close()
	block := &pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw}
	for name, text := range map[string][]byte{"ca.pem": pem.EncodeToMemory(block), "empty.pem": nil} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		code int
		args []string
	}{
		{4, nil}, {0, []string{"--insecure"}}, {0, []string{"--ca-file", "ca.pem"}}, {2, []string{"--ca-file", "empty.pem"}},
		{2, []string{"--ca-file", "missing.pem"}},
	} {
		if code, _, stderr := crawlWith(t, append(test.args, site.URL)...); code != test.code {
			t.Errorf("%v: exit code %d, want %d: %s", test.args, code, test.code, stderr)
		}
	}
}

// TestLongAddress gives commands addresses that no sitemap may list.
func TestLongAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	long := "http://127.0.0.1:1/" + strings.Repeat("a", 2048)
	for _, args := range [][]string{
		{"crawl", long}, {"crawl", "127.0.0.1:1", "--base-url", long}, {"build", "-", "--base-url", long},
	} {
		var stdout, stderr bytes.Buffer
		code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), "longer than 2047 characters") || stderr.Len() > 500 {
			t.Errorf("%.30q: exit code %d: %s", args, code, stderr.String())
		}
	}
}

// TestTimeout gives up on a page that never answers.
func TestTimeout(t *testing.T) {
	t.Chdir(t.TempDir())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>home</p><a href=/slow>slow</a>")
	}))
	defer site.Close()
	code, stdout, stderr := crawlWith(t, "--timeout", "100ms", site.URL)
	if code != 0 || !strings.Contains(stdout, "/slow (took too long)") {
		t.Errorf("%d, %s, %s", code, stdout, stderr)
	}
}

// TestAccept takes a status for no broken link, and lists no page for it.
func TestAccept(t *testing.T) {
	t.Chdir(t.TempDir())
	cookies := make(chan string, 100)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cookies <- r.Header.Get("Cookie")
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusGone)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>home</p><a href=/gone>gone</a>")
	}))
	defer site.Close()
	if _, stdout, _ := crawlWith(t, "--accept", "200-299,404", site.URL); !strings.Contains(stdout, "1 broken URL") {
		t.Errorf("404 accepted: %s", stdout)
	}
	_, stdout, stderr := crawlWith(t, "--accept", "200-299,410", site.URL)
	if strings.Contains(stdout, "broken") || !strings.Contains(stdout, "1 page in the sitemap") {
		t.Errorf("410 accepted: %s%s", stdout, stderr)
	}
	for _, wrong := range []string{"x", "200-", "300-200", "20"} {
		code, _, stderr := crawlWith(t, "--accept", wrong, site.URL)
		if code != 2 || !strings.Contains(stderr, "--accept: unknown status ") {
			t.Errorf("--accept %s: %d, %s", wrong, code, stderr)
		}
	}
	if err := os.WriteFile("cookies.txt", []byte("127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for len(cookies) > 0 {
		<-cookies
	}
	if code, _, stderr := crawlWith(t, "--cookie-file", "cookies.txt", "--cookie", "b=2", site.URL); code != 0 {
		t.Fatal(stderr)
	}
	if sent := <-cookies; sent != "b=2; session=1" {
		t.Errorf("the site received %q", sent)
	}
}

// TestQuietAndVerbose prints more or less to standard error, and the same results.
func TestQuietAndVerbose(t *testing.T) {
	t.Chdir(t.TempDir())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>home</p>")
	}))
	defer site.Close()
	if err := os.WriteFile("mapa.yaml", []byte("rate: 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, stderr := crawlWith(t, site.URL); stderr != "mapa: settings from mapa.yaml\n" {
		t.Errorf("%q", stderr)
	}
	code, stdout, stderr := crawlWith(t, "-q", site.URL)
	if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "1 page in ") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("-q: %d, %q, %q", code, stdout, stderr)
	}
	if _, _, stderr = crawlWith(t, "-v", site.URL); !strings.Contains(stderr, "mapa: 200 "+site.URL+"/\n") {
		t.Errorf("-v: %q", stderr)
	}
	code, _, stderr = crawlWith(t, "-q", "http://127.0.0.1:1")
	if code != 4 || !strings.Contains(stderr, "connection refused") {
		t.Errorf("-q: %d, %q", code, stderr)
	}
}

// TestEnvironment: flags override the environment, which overrides mapa.yaml.
func TestEnvironment(t *testing.T) {
	t.Chdir(t.TempDir())
	agents := make(chan string, 100)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents <- r.UserAgent()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>home</p>")
	}))
	defer site.Close()
	if err := os.WriteFile("mapa.yaml", []byte("user-agent: file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	agent := func(args ...string) string {
		for len(agents) > 0 {
			<-agents
		}
		if code, _, stderr := crawlWith(t, append(args, site.URL)...); code != 0 {
			t.Fatal(stderr)
		}
		return <-agents
	}
	if got := agent(); got != "file" {
		t.Errorf("mapa.yaml: %q", got)
	}
	t.Setenv("MAPA_USER_AGENT", "environment")
	if got := agent(); got != "environment" {
		t.Errorf("environment: %q", got)
	}
	if got := agent("--user-agent", "flag"); got != "flag" {
		t.Errorf("flag: %q", got)
	}
	t.Setenv("MAPA_MAX_PAGES", "many")
	code, _, stderr := crawlWith(t, site.URL)
	if code != 2 || !strings.Contains(stderr, `mapa: MAPA_MAX_PAGES: "many" is not a whole number`) {
		t.Errorf("%d, %q", code, stderr)
	}
}

// TestSourceAccess asks a protected site with a certificate that nobody signed for its
// sitemap, by each command that reads sitemaps.
func TestSourceAccess(t *testing.T) {
	t.Chdir(t.TempDir())
	foreign := make(chan http.Header, 100)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { foreign <- r.Header }))
	defer other.Close()
	ended := make(chan struct{})
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		switch {
		case password != "b" || r.Header.Get("X-Key") != "k" || r.Header.Get("Cookie") != "c=1":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(w, "Sitemap: %s/moved.xml\nSitemap: https://%s/sitemap.txt\n", other.URL, r.Host)
		case r.URL.Path == "/slow.txt":
			<-ended
		default:
			fmt.Fprintf(w, "https://%s/\n", r.Host)
		}
	}))
	site.Config.ErrorLog = log.New(io.Discard, "", 0)
	site.StartTLS()
	defer site.Close()
	defer close(ended)
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	access := []string{"--insecure", "--user", "a:b", "--header", "X-Key: k", "--cookie", "c=1"}
	sitemap, list := site.URL+"/sitemap.txt", site.URL+"/list.txt"
	for _, command := range [][]string{
		{"list", sitemap}, {"lint", sitemap}, {"lint", sitemap, "--live"}, {"diff", sitemap, list},
	} {
		if code, printed := run(append(command, access...)...); code != 0 {
			t.Errorf("%v with access: exit code %d: %s", command, code, printed)
		}
		if code, printed := run(append(command, access[1:]...)...); code != 4 || !strings.Contains(printed, "certificate") {
			t.Errorf("%v without --insecure: exit code %d: %s", command, code, printed)
		}
		if code, printed := run(append(command, access[0])...); code != 4 || !strings.Contains(printed, "401") {
			t.Errorf("%v without credentials: exit code %d: %s", command, code, printed)
		}
	}
	slow := append([]string{"list", site.URL + "/slow.txt", "--timeout", "300ms"}, access...)
	if code, printed := run(slow...); code != 4 {
		t.Errorf("a slow sitemap: exit code %d: %s", code, printed)
	}
	run(append([]string{"list", site.URL, "--cross-host"}, access...)...)
	if header := <-foreign; header.Get("Authorization")+header.Get("X-Key")+header.Get("Cookie") != "" {
		t.Errorf("another site received %v", header)
	}
}

// TestOneSite refuses to send a password to two sites, by each command that takes several.
func TestOneSite(t *testing.T) {
	t.Chdir(t.TempDir())
	site := func(password *string) *httptest.Server {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, sent, _ := r.BasicAuth(); sent != *password {
				t.Errorf("%s received the password %q", r.URL, sent)
			}
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			fmt.Fprintf(w, "http://%s/\n", r.Host)
		}))
		t.Cleanup(server.Close)
		return server
	}
	password, none := "b", ""
	mine, other := site(&password), site(&none)
	sitemap, foreign := mine.URL+"/sitemap.txt", other.URL+"/sitemap.txt"
	if err := os.WriteFile("sites.txt", []byte(sitemap+"\n"+foreign+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(sitemap, "http://", "http://a:b@", 1)
	for _, test := range []struct {
		code int
		args []string
	}{
		{2, []string{"list", sitemap, foreign, "--user", "a:b"}}, {0, []string{"list", own, foreign}},
		{2, []string{"list", sitemap, foreign, "--cookie", "a=b"}},
		{2, []string{"list", sitemap, foreign, "--header", "Authorization: Basic YTpi"}},
		{2, []string{"lint", sitemap, foreign, "--user", "a:b"}}, {0, []string{"lint", own, foreign}},
		{2, []string{"diff", sitemap, foreign, "--user", "a:b"}}, {1, []string{"diff", own, foreign}},
		{2, []string{"build", sitemap, foreign, "--base-url", mine.URL, "--user", "a:b"}},
		{2, []string{"announce", sitemap, "--previous", foreign, "--to", "robots", "--user", "a:b"}},
		{2, []string{"watch", sitemap, foreign, "--user", "a:b"}},
		{2, []string{"watch", "--sites", "sites.txt", "--user", "a:b"}},
	} {
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), test.args, strings.NewReader(""), &out, &errs)
		if code != test.code || test.code == 2 && !strings.Contains(errs.String(), "is for one site") {
			t.Errorf("%v: exit code %d: %s%s", test.args, code, out.String(), errs.String())
		}
	}
}

// TestHTTPFallback reads the sitemap of a bare host that does not speak https.
func TestHTTPFallback(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sitemap.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "http://%s/\n", r.Host)
	}))
	defer site.Close()
	host := strings.TrimPrefix(site.URL, "http://")
	for _, command := range []string{"list", "lint"} {
		for _, source := range []string{host, strings.Replace(host, "127.0.0.1", "localhost", 1)} {
			var out, errs bytes.Buffer
			code := cli.Run(t.Context(), []string{command, source}, strings.NewReader(""), &out, &errs)
			if code != 0 {
				t.Errorf("%s %s: exit code %d: %s", command, source, code, errs.String())
			}
		}
	}
}
