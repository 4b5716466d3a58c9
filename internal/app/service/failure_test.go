package service

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A tunnel is a proxy for all hosts. By https it leads to a site with the certificate of
// example.com, by http to a site that answers itself.
type tunnel struct {
	*httptest.Server
	secure *httptest.Server

	mutex    sync.Mutex
	requests []string
}

func newTunnel(t *testing.T) *tunnel {
	t.Helper()
	p := &tunnel{secure: httptest.NewUnstartedServer(http.NotFoundHandler())}
	p.secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.secure.StartTLS()
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	t.Cleanup(p.secure.Close)
	return p
}

// ServeHTTP implements [http.Handler].
func (p *tunnel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	p.requests = append(p.requests, r.Method+" "+r.Host+r.URL.Path+r.Header.Get("Authorization"))
	p.mutex.Unlock()
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w)
	case r.Host == "redirects.test":
		http.Redirect(w, r, "https://"+r.Host+r.URL.Path, http.StatusMovedPermanently)
	case r.URL.Path == "/robots.txt" && r.Host == "closed.test":
		fmt.Fprint(w, "User-agent: *\nAllow: /missing\nDisallow: /\n")
	case r.URL.Path == "/gone":
		w.WriteHeader(http.StatusGone)
	case r.URL.Path != "/", r.Host == "empty.test":
		http.NotFound(w, r)
	case r.Host == "moves.test":
		http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
	case r.Host == "languages.test":
		http.Redirect(w, r, "/es/", http.StatusFound)
	default:
		fmt.Fprint(w, "<title>Home</title><p>A page with words of its own.")
	}
}

// connect copies both ways between a client and the site with TLS.
func (p *tunnel) connect(w http.ResponseWriter) {
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	site, err := net.Dial("tcp", p.secure.Listener.Addr().String())
	if err != nil {
		return
	}
	defer site.Close()
	fmt.Fprint(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		defer site.Close()
		_, _ = io.Copy(site, client)
	}()
	_, _ = io.Copy(client, site)
}

// received returns the requests since the last call.
func (p *tunnel) received() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	requests := p.requests
	p.requests = nil
	return requests
}

// TestOtherAddress suggests the address that answers, with the reason why the start does not.
func TestOtherAddress(t *testing.T) {
	t.Parallel()
	p := newTunnel(t)
	s, _ := start(t, Options{Folder: t.TempDir()})
	for _, test := range []struct {
		address, code, certificate, want string
	}{
		{"c8.test", FailureTLSName, "example.com", "http://c8.test"},
		{"https://c8.test/", FailureTLSName, "example.com", "http://c8.test/"},
		{"me:hunter2@c8.test", FailureTLSName, "example.com", "http://c8.test"},
		{"example.com", "tls-untrusted", "", "http://example.com"},
		{"redirects.test", FailureTLSName, "example.com", ""},
		{"empty.test", FailureTLSName, "example.com", ""},
		{"http://garden.test/no-existe?a=b", FailureNotFound, "", "http://garden.test/"},
		{"http://garden.test/gone", FailureGone, "", "http://garden.test/"},
		{"http://me:hunter2@garden.test/missing", FailureNotFound, "", "http://garden.test/"},
		{"http://languages.test/missing", FailureNotFound, "", "http://languages.test/"},
		{"http://moves.test/missing", FailureNotFound, "", ""},
		{"http://closed.test/missing", FailureNotFound, "", ""},
		{"http://empty.test/missing", FailureNotFound, "", ""},
		{"http://empty.test/", FailureNotFound, "", ""},
	} {
		options := map[string][]string{"rate": {"0"}, "proxy": {p.URL}}
		c, err := s.Start(t.Context(), Request{URL: test.address, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		c = ended(t, s, c.ID)
		if f := c.Failure; c.State != StateFailed || f == nil || f.Code != test.code || f.Address != test.want ||
			f.Certificate != test.certificate {
			t.Errorf("%s: %s, %+v", test.address, c.State, f)
		}
		// The crawl itself requests robots.txt, the sitemap and the start.
		requests := slices.DeleteFunc(p.received(), func(r string) bool { return strings.HasPrefix(r, "CONNECT") })
		if len(requests) > 5 {
			t.Errorf("%s: the requests are %q", test.address, requests)
		}
		for _, r := range requests {
			if strings.HasPrefix(test.address, "me:") && strings.Contains(r, "Basic") {
				t.Errorf("%s: credentials were sent over http: %s", test.address, r)
			}
		}
	}
	options := map[string][]string{"rate": {"0"}, "proxy": {p.URL}}
	c, err := s.Start(t.Context(), Request{URL: "http://garden.test/", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if c = ended(t, s, c.ID); c.State != StateDone {
		t.Errorf("a crawl that does not fail: %s, %+v", c.State, c.Failure)
	}
	if roots := slices.DeleteFunc(p.received(), func(r string) bool { return r != "GET garden.test/" }); len(roots) != 1 {
		t.Errorf("a crawl that does not fail requests the root %d times", len(roots))
	}
}
