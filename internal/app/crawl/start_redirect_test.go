package crawl_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/sitemap"
)

// hostsProxy serves a handler for all hosts and records the credentials of each.
func hostsProxy(t *testing.T, handler http.HandlerFunc) (address string, credentials func(host string) string) {
	var mutex sync.Mutex
	seen := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		seen[r.Host] = r.Header.Get("Authorization") + r.Header.Get("Cookie") + r.Header.Get("X-Token")
		mutex.Unlock()
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func(host string) string {
		mutex.Lock()
		defer mutex.Unlock()
		return seen[host]
	}
}

// redirectingHost redirects all of one host to another, and serves a page and an
// orphan on every other.
func redirectingHost(from, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.Host == from:
			http.Redirect(w, r, to+r.URL.Path, http.StatusMovedPermanently)
		case r.URL.Path == "/" || r.URL.Path == "/orphan":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s</title><p>text of %s on %s</p>", r.URL.Path, r.URL.Path, r.Host)
		default:
			http.NotFound(w, r)
		}
	}
}

func TestStartRedirects(t *testing.T) {
	for _, test := range []struct {
		start, to   string
		sitemap     string // home page that is crawled; "" for an error
		credentials bool   // are sent there
	}{
		{"http://example.com", "http://www.example.com", "http://www.example.com/", true},
		{"http://www.example.com/", "http://example.com", "http://example.com/", true},
		{"http://example.co.uk/", "http://shop.example.co.uk", "http://shop.example.co.uk/", false},
		{"http://example.com/", "http://u:secret@www.example.com", "http://www.example.com/", true},
		{"http://example.com/", "http://example.org", "", false},
		{"http://one.co.uk/", "http://other.co.uk", "", false},
		{"http://10.0.0.1/", "http://11.0.0.1", "", false},
		{"http://localhost/", "http://www.localhost", "", false},
	} {
		t.Run(test.start+" to "+test.to, func(t *testing.T) {
			t.Chdir(t.TempDir())
			from := strings.Trim(strings.TrimPrefix(test.start, "http://"), "/")
			proxy, credentials := hostsProxy(t, redirectingHost(from, test.to))
			var moved []appcrawl.StartMoved
			a := &app.App{
				Stdin: strings.NewReader("/orphan\n"),
				OnEvent: func(e app.Event) {
					if m, ok := e.(appcrawl.StartMoved); ok {
						moved = append(moved, m)
					}
				},
			}
			settings := appcrawl.NewSettings()
			settings.Access.Proxy, settings.Access.Rate = proxy, access.PerSecond(0)
			settings.Access.User, settings.Access.Header = "name:password", []string{"X-Token: secret"}
			settings.Seeds.Lists = []string{"-"}
			result, err := appcrawl.Run(t.Context(), a, test.start, settings)
			if test.sitemap == "" {
				if found, ok := errors.AsType[*crawl.MovedError](err); !ok || found.To != test.to+"/" || len(moved) > 0 {
					t.Fatalf("%v, %v; want an error that names %s/", err, moved, test.to)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if result.Listed != 2 || result.Details.Folder != from {
				t.Errorf("%d pages in %s, want 2, with the seed of standard input, in %s",
					result.Listed, result.Details.Folder, from)
			}
			if len(moved) != 1 || moved[0].To != test.sitemap || moved[0].CredentialsDropped == test.credentials {
				t.Errorf("events %+v", moved)
			}
			got := credentials(strings.Trim(strings.TrimPrefix(test.sitemap, "http://"), "/"))
			if got != "" != test.credentials {
				t.Errorf("credentials %q, want some: %v", got, test.credentials)
			}
			if left, _ := filepath.Glob("*/.stdin-*"); len(left) > 0 {
				t.Errorf("left %v", left)
			}
			// The same command again, and other spellings, are the same crawl.
			settings.Seeds.Lists, settings.Output = nil, from
			for _, again := range []string{test.start, strings.ToUpper(strings.TrimSuffix(test.start, "/")), test.sitemap} {
				if _, err := appcrawl.Run(t.Context(), a, again, settings); err != nil {
					t.Errorf("again as %s: %v", again, err)
				}
			}
		})
	}
}

// TestCookieFileMoves sends the cookies of a file to the hosts that it names, also when the
// start redirects to another spelling of its host.
func TestCookieFileMoves(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "example.com\tFALSE\t/\tFALSE\t0\tbare\thunter2\n" +
		"www.example.com\tFALSE\t/\tFALSE\t0\twww\t1\n" +
		"www.example.com\tFALSE\t/\tTRUE\t0\tsecure\thunter2\n" +
		".example.com\tTRUE\t/\tFALSE\t0\tboth\t1\n"
	if err := os.WriteFile("cookies.txt", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ start, to, want string }{
		{"http://example.com", "http://www.example.com", "www=1; both=1"},
		{"http://www.example.com", "http://example.com", "bare=hunter2; both=1"},
		{"http://example.com", "http://shop.example.com", ""},
	} {
		proxy, credentials := hostsProxy(t, redirectingHost(strings.TrimPrefix(test.start, "http://"), test.to))
		settings := appcrawl.NewSettings()
		settings.Access.Proxy, settings.Access.Rate, settings.Output = proxy, access.PerSecond(0), t.TempDir()
		settings.Access.CookieFile = "cookies.txt"
		if _, err := appcrawl.Run(t.Context(), new(app.App), test.start, settings); err != nil {
			t.Fatal(err)
		}
		if got := credentials(strings.TrimPrefix(test.to, "http://")); got != test.want {
			t.Errorf("%s received %q, want %q", test.to, got, test.want)
		}
	}
}

// TestLongStart crawls starts that no sitemap may list: by themselves, percent-encoded, with
// the path of the public URL, and after a redirect to another host. Nothing is requested
// except for the redirect, and nothing is written.
func TestLongStart(t *testing.T) {
	path := func(bytes int) string { return "/" + strings.Repeat("a", bytes) }
	const host = "http://www.example.com"
	longest := path(sitemap.MaxLocLength - len(host) - 1)
	for name, test := range map[string]struct {
		start, base string
		is          error
	}{
		"longest":  {host + longest, "", nil},
		"one more": {host + longest + "a", "", addresses.ErrUnlistableStart},
		"any":      {host + path(10_000), "", addresses.ErrUnlistableStart},
		"encoded":  {host + "/" + strings.Repeat("ü", 400), "", addresses.ErrUnlistableStart},
		"host":     {"http://" + strings.Repeat("ü", 50) + ".example" + path(1_980), "", addresses.ErrUnlistableStart},
		"public":   {host + longest, "https://shop.example.com/de/", addresses.ErrUnlistableStart},
		"base":     {host, "https://shop.example.com" + path(2_000) + "/", sitemap.ErrTooLong},
		"redirect": {"http://example.com" + longest, "", crawl.ErrStart},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			requests := 0
			proxy, _ := hostsProxy(t, func(w http.ResponseWriter, r *http.Request) {
				requests++
				if r.Host == "example.com" && r.URL.Path != "/robots.txt" {
					http.Redirect(w, r, host+r.URL.Path+"a", http.StatusFound)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<title>Home</title><p>text")
			})
			settings := appcrawl.NewSettings()
			settings.Access.Proxy, settings.Access.Rate, settings.BaseURL = proxy, access.PerSecond(0), test.base
			result, err := appcrawl.Run(t.Context(), (&app.App{}), test.start, settings)
			if test.is == nil {
				if err != nil || result.Listed != 1 {
					t.Fatalf("%+v, %v", result, err)
				}
				return
			}
			text := fmt.Sprint(err)
			if !errors.Is(err, test.is) || !strings.Contains(text, "longer than 2047 characters") || len(text) > 600 {
				t.Errorf("error %v", err)
			}
			if left, _ := filepath.Glob("*"); len(left) > 0 || requests > 0 != (name == "redirect") {
				t.Errorf("%d requests, and %q is left", requests, left)
			}
		})
	}
}

// TestBareHost crawls hosts that are named without a scheme.
func TestBareHost(t *testing.T) {
	t.Chdir(t.TempDir())
	site := redirectingHost("", "")
	plain := httptest.NewServer(site)
	t.Cleanup(plain.Close)
	encrypted := httptest.NewUnstartedServer(site)
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused handshake is expected
	encrypted.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	var used []string
	a := &app.App{OnEvent: func(e app.Event) {
		if f, ok := e.(appcrawl.HTTPFallback); ok {
			used = append(used, f.To)
		}
	}}
	crawlHost := func(host, user string) error {
		settings := appcrawl.NewSettings()
		settings.Access.Rate, settings.Access.User, settings.Output = access.PerSecond(0), user, t.TempDir()
		used = nil
		_, err := appcrawl.Run(t.Context(), a, host, settings)
		return err
	}
	host := plain.Listener.Addr().String()
	if err := crawlHost(host, ""); err != nil || len(used) != 1 || used[0] != "http://"+host {
		t.Errorf("a host that only speaks http: %v, events %v", err, used)
	}
	if err := crawlHost(host, "name:password"); !errors.Is(err, crawl.ErrStart) || len(used) > 0 {
		t.Errorf("with --user: %v, events %v; want an error and no request over http", err, used)
	}
	if err := crawlHost("https://"+host, ""); !errors.Is(err, crawl.ErrStart) || len(used) > 0 {
		t.Errorf("with https:// : %v, events %v; want an error", err, used)
	}
	if err := crawlHost(encrypted.Listener.Addr().String(), ""); cause.Of(err) != cause.TLSUntrusted || len(used) > 0 {
		t.Errorf("a certificate that is not trusted: %v, events %v; want an error", err, used)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := crawlHost(listener.Addr().String(), ""); cause.Of(err) != cause.ConnectionRefused {
		t.Errorf("nothing listens: %v", err)
	}
}
