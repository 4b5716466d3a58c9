package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/programtest"
)

func TestAnswer(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("X-Robots-Tag", "noindex")
		w.WriteHeader(http.StatusNonAuthoritativeInfo)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, r.UserAgent())
	})
	buffer := make([]byte, 100, 4096)
	res := get(t, quick(t, Options{}), Request{URL: address + "/a?b=c#d", Buffer: buffer})
	if want := "GET /a?b=c Mapa (+https://github.com/mapatools/mapa)"; string(res.Body) != want {
		t.Errorf("body %q, want %q", res.Body, want)
	}
	if &res.Body[0] != &buffer[0] {
		t.Error("the body is not in the caller's buffer")
	}
	if res.Status != 203 || res.Header.Get("X-Robots-Tag") != "noindex" || res.Tries != 1 || res.Truncated || res.Skipped {
		t.Errorf("response %+v", res)
	}
	if res.Transferred != int64(len(res.Body)) || res.Latency <= 0 || res.Duration < res.Latency {
		t.Errorf("wire %d, latency %v, duration %v", res.Transferred, res.Latency, res.Duration)
	}
}

// TestPathAsGiven sends paths that net/url would change or reject.
func TestPathAsGiven(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RequestURI) })
	client := quick(t, Options{})
	for given, want := range map[string]string{
		"":                  "/",
		"?q":                "/?q",
		"/a%2Fb/../c":       "/a%2Fb/../c",
		"/%7Euser/~user":    "/%7Euser/~user",
		"//double//slash":   "//double//slash",
		"//double%2Fa?b?c":  "//double%2Fa?b?c",
		"//double?":         "//double?",
		"/a b\tc":           "/a%20b%09c",
		"/caf\u00e9":        "/caf%C3%A9",
		"/a\r\nHost: evil":  "/a%0D%0AHost:%20evil",
		"/a?b={c}|\"d\"[]^": "/a?b={c}|\"d\"[]^",
	} {
		if got := string(get(t, client, Request{URL: address + given, AnyType: true}).Body); got != want {
			t.Errorf("%q was asked as %q, want %q", given, got, want)
		}
	}
}

// TestBrokenEscape has its own server: that of net/http rejects the request.
func TestBrokenEscape(t *testing.T) {
	lines := make(chan string, 1)
	address := programtest.Listen(t, func(conn net.Conn) {
		start := make([]byte, 4096)
		n, _ := conn.Read(start)
		line, _, _ := strings.Cut(string(start[:n]), "\r\n")
		lines <- line
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	get(t, quick(t, Options{}), Request{URL: "http://" + address + "/100%/%zz"})
	if got := <-lines; got != "GET /100%/%zz HTTP/1.1" {
		t.Errorf("request line %q", got)
	}
}

func TestHead(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead {
			t.Errorf("method %s", r.Method)
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Length", "12345")
	})
	res := get(t, quick(t, Options{}), Request{URL: address, Head: true})
	if res.Status != 200 || len(res.Body) != 0 || res.Skipped || res.Header.Get("Content-Length") != "12345" {
		t.Errorf("response %+v", res)
	}
}

func TestConditional(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") == "Mon, 02 Jan 2006 15:04:05 GMT" {
			w.WriteHeader(http.StatusNotModified)
		}
	})
	client := quick(t, Options{})
	same := Request{URL: address, IfNoneMatch: `"v1"`, IfModifiedSince: "Mon, 02 Jan 2006 15:04:05 GMT"}
	if res := get(t, client, same); res.Status != 304 || len(res.Body) != 0 {
		t.Errorf("response %+v", res)
	}
	if res := get(t, client, Request{URL: address}); res.Status != 200 {
		t.Error("a condition was sent with a request that has none")
	}
}

// TestNoLimits disables all limits.
func TestNoLimits(t *testing.T) {
	none := Options{
		Limits:   Limits{Body: -1, Header: -1},
		Timeouts: Timeouts{Connect: -1, Handshake: -1, Answer: -1, Idle: -1, Total: -1, Speed: -1},
		Retry:    Retry{Tries: -1, Backoff: -1, MaxRetryAfter: -1},
		Access:   access.Access{Rate: access.PerSecond(0)},
		PerHost:  -1,
	}
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(gzipped(make([]byte, 11<<20)))
	})
	if res := get(t, quick(t, none), Request{URL: address, AnyType: true}); len(res.Body) != 11<<20 || res.Truncated {
		t.Errorf("%d bytes, truncated %t", len(res.Body), res.Truncated)
	}
}

// TestVersion requests pages of a server that prefers HTTP/2, also with the transport for
// another try.
func TestVersion(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto+" "+r.RequestURI)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client := quick(t, Options{Access: access.Access{TLS: server.Client().Transport.(*http.Transport).TLSClientConfig}})
	for _, fresh := range []bool{false, true} {
		res := get(t, client, Request{URL: server.URL + "/a%2Fb?c", fresh: fresh})
		if string(res.Body) != "HTTP/1.1 /a%2Fb?c" {
			t.Errorf("fresh %t: body %q", fresh, res.Body)
		}
	}
}

// TestProxy requests an http and an https site through a proxy.
func TestProxy(t *testing.T) {
	var lines []string
	var credentials string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lines = append(lines, r.Method+" "+r.RequestURI)
		credentials = r.Header.Get("Proxy-Authorization")
		if r.Method == http.MethodConnect {
			http.Error(w, "no", http.StatusForbidden)
		}
	}))
	defer proxy.Close()
	through, _ := url.Parse(proxy.URL)
	through.User = url.UserPassword("me", "secret")
	client := quick(t, Options{Access: access.Access{Proxy: through.String()}})
	get(t, client, Request{URL: "http://shop.example/a%2Fb?c"})
	if credentials == "" {
		t.Error("the proxy got no credentials")
	}
	if _, err := client.Fetch(context.Background(), &Request{URL: "https://shop.example/"}); !errors.Is(err, KindProxy) ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
	proxy.Close()
	for _, scheme := range []string{"http", "socks5"} {
		client := quick(t, Options{Access: access.Access{Proxy: scheme + "://" + through.Host}})
		if _, err := client.Fetch(context.Background(), &Request{URL: "http://shop.example/"}); !errors.Is(err, KindProxy) {
			t.Errorf("no %s proxy there: %v", scheme, err)
		}
	}
	want := "[GET http://shop.example/a%2Fb?c CONNECT shop.example:443]"
	if got := fmt.Sprint(lines); got != want {
		t.Errorf("the proxy was asked %s, want %s", got, want)
	}
}

func TestBadOptions(t *testing.T) {
	for name, a := range map[string]access.Access{
		"proxy scheme":    {Proxy: "ftp://proxy.example"},
		"proxy no URL":    {Proxy: "http://me:secret@[proxy"},
		"proxy no host":   {Proxy: "http://"},
		"proxy and guard": {Proxy: "http://proxy.example", PublicOnly: true},
		"origin":          {Headers: map[string]http.Header{"shop.example": {"A": {"b"}}}},
		"value":           {Headers: map[string]http.Header{"https://shop.example": {"A": {"b\r\nC: d"}}}},
		"name":            {Headers: map[string]http.Header{"https://shop.example": {"A: b": {"c"}}}},
		"host":            {Headers: map[string]http.Header{"https://shop.example": {"host": {"other.example"}}}},
		"user agent":      {UserAgent: "a\nb"},
	} {
		if _, err := New(&Options{Access: a}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestWorkers has many workers on one client, each with its own buffer.
func TestWorkers(t *testing.T) {
	var most, now atomic.Int64
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		w.Write(gzipped([]byte(strings.Repeat(r.URL.Path, 1000))))
	})
	client := quick(t, Options{PerHost: 3})
	failures := make(chan error)
	for worker := range 16 {
		go func() {
			var buffer []byte
			var failed error
			for i := range 20 {
				path := fmt.Sprintf("/%d/%d", worker, i)
				res, err := client.Fetch(context.Background(), &Request{URL: address + path, Buffer: buffer})
				if err == nil && string(res.Body) != strings.Repeat(path, 1000) {
					err = errors.New("the body is another's")
				}
				if err != nil {
					failed = err
					break
				}
				buffer = res.Body
			}
			failures <- failed
		}()
	}
	for range 16 {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	if most.Load() > 3 {
		t.Errorf("%d requests at once, more than 3", most.Load())
	}
}
