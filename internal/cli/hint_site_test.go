package cli_test

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// TestSiteHints reads what is said of sites that cannot be crawled or listed as they are asked.
func TestSiteHints(t *testing.T) {
	t.Chdir(t.TempDir())
	answer := func(status int, name, value string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set(name, value)
			w.WriteHeader(status)
			io.WriteString(w, "<title>Home</title><p>home")
		}
	}
	serve := func(handler http.Handler) string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	page := answer(http.StatusOK, "Content-Type", "text/html")
	trusted := httptest.NewUnstartedServer(page)
	trusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	trusted.StartTLS()
	t.Cleanup(trusted.Close)
	old := httptest.NewUnstartedServer(page)
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11}
	old.StartTLS()
	t.Cleanup(old.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: trusted.Certificate().Raw})
	if err := os.WriteFile("ca.pem", authority, 0o600); err != nil {
		t.Fatal(err)
	}
	plain, login := serve(page), serve(answer(http.StatusUnauthorized, "WWW-Authenticate", "Basic"))
	host := strings.TrimPrefix(plain, "http://")
	untrusted := "the certificate is self-signed\n" +
		"  name the authority's certificate with --ca-file, or trust any certificate with --insecure\n"
	for _, test := range []struct{ arguments, want string }{
		{"crawl " + trusted.URL, untrusted},
		{"list " + trusted.URL + "/sitemap.xml", untrusted},
		{"announce --to robots " + trusted.URL + "/sitemap.xml", untrusted},
		{"crawl --ca-file ca.pem " + strings.Replace(trusted.URL, "127.0.0.1", "localhost", 1),
			"the certificate is for example.com, *.example.com, 127.0.0.1, ::1, not for localhost\n" +
				"  use a name that the certificate is for, or trust any certificate with --insecure\n"},
		{"list " + old.URL + "/sitemap.xml", "tls: protocol version not supported\n" +
			"  the site offers no version or cipher that is safe: ask its owner, or try http://\n"},
		{"crawl " + strings.Replace(plain, "http:", "https:", 1), "the server does not speak TLS; " + plain +
			" answers\n  name the site with http://\n"},
		{"crawl --user a:b " + host, "the server does not speak TLS; " + plain + " answers; http is not tried with credentials\n" +
			"  name the site with http:// to send --user without encryption\n"},
		{"crawl a:b@" + host, "to send the name and password without encryption\n"},
		{"crawl --header X-A:b " + host, "to send --header without encryption\n"},
		{"crawl " + login, "401 Unauthorized\n  send a name and password with --user, or a cookie with --cookie\n"},
		{"crawl --header X-A:b " + login, "401 Unauthorized\n  send a name and password with --user, or a cookie with --cookie\n"},
		{"crawl --user a:b --cookie c=d " + login, "401 Unauthorized: it refuses the credentials\n" +
			"  the site refuses --user and --cookie: check them\n"},
		{"list " + login + "/sitemap.xml", "401 Unauthorized\n  send a name and password with --user, or a cookie with --cookie\n"},
		{"list --user a:b " + login + "/sitemap.xml", "401 Unauthorized\n  the site refuses the name and password: check them\n"},
	} {
		code, stderr := run(t, strings.Fields(test.arguments)...)
		if code != 4 || !strings.HasSuffix(stderr, test.want) || strings.Count(stderr, "\n") != 2 {
			t.Errorf("%s: code %d\n%swant\n%s", test.arguments, code, stderr, test.want)
		}
	}
}

// TestRetryLater says until when a site asks to wait.
func TestRetryLater(t *testing.T) {
	t.Chdir(t.TempDir())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	for _, arguments := range [][]string{{"crawl", server.URL}, {"list", server.URL + "/sitemap.xml"}} {
		earliest := time.Now().Add(23 * time.Hour)
		code, stderr := run(t, arguments...)
		_, after, _ := strings.Cut(stderr, "run the same command again after ")
		at, err := time.ParseInLocation("2006-01-02 15:04", strings.TrimSpace(after), time.Local)
		if code != 4 || err != nil || at.Before(earliest) || at.After(earliest.Add(2*time.Hour)) {
			t.Errorf("%s: code %d\n%s", arguments, code, stderr)
		}
	}
}
