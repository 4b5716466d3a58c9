package crawl_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// A hostileHost is another site that treats the checks of links badly.
type hostileHost struct {
	scheme string // http when empty
	answer func(conn net.Conn, r *http.Request)
	robots bool // the same for robots.txt, which else is missing
	want   decision
}

const pageHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

// repeat writes text, with a pause, until the client leaves.
func repeat(conn net.Conn, text string, pause time.Duration) {
	for {
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// hang waits until the client leaves.
func hang(conn net.Conn, _ *http.Request) { _, _ = io.Copy(io.Discard, conn) }

// afterHead answers GET, and refuses HEAD, so that GET follows.
func afterHead(get func(conn net.Conn, r *http.Request)) func(net.Conn, *http.Request) {
	return func(conn net.Conn, r *http.Request) {
		if r.Method == http.MethodHead {
			_, _ = io.WriteString(conn, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			return
		}
		get(conn, r)
	}
}

// redirect answers with a redirect to a new URL.
func redirect(to func(r *http.Request) string) func(net.Conn, *http.Request) {
	return func(conn net.Conn, r *http.Request) {
		fmt.Fprintf(conn, "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to(r))
	}
}

// bomb is a compressed body of 256 MB of zeros.
var bomb = sync.OnceValue(func() []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for range 256 {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	return packed.Bytes()
})

var hostileHosts = map[string]hostileHost{
	"silent.example":        {want: "unreachable: no answer in time", answer: hang},
	"silent-robots.example": {want: "unreachable: robots.txt: no answer in time", answer: hang, robots: true},
	"drip-header.example": {want: "unreachable: no answer in time", answer: func(conn net.Conn, _ *http.Request) {
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-Slow: ")
		repeat(conn, "z", time.Second)
	}},
	"drip-body.example": {want: "client-error: Not Found", answer: afterHead(func(conn net.Conn, _ *http.Request) {
		_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n")
		repeat(conn, "z", time.Second)
	})},
	"loop.example": {want: "redirect-loop: redirect loop", answer: redirect(func(r *http.Request) string {
		return r.URL.Path
	})},
	"endless.example": {want: "redirect-loop: too many redirects", answer: redirect(func(r *http.Request) string {
		return r.URL.Path + "z"
	})},
	"across.example": {want: "redirect-loop: too many redirects", answer: redirect(func(r *http.Request) string {
		return fmt.Sprintf("http://%d.across.example%sz", len(r.URL.Path)%7, r.URL.Path)
	})},
	"huge.example": {want: "out-of-scope", answer: afterHead(func(conn net.Conn, _ *http.Request) {
		_, _ = io.WriteString(conn, pageHead+"Content-Length: 10000000000\r\n\r\n")
		repeat(conn, strings.Repeat("z", 1<<16), time.Millisecond)
	})},
	"bomb.example": {want: "out-of-scope", answer: afterHead(func(conn net.Conn, _ *http.Request) {
		fmt.Fprintf(conn, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", pageHead, len(bomb()))
		_, _ = conn.Write(bomb())
	})},
	"closes.example":  {want: "unreachable: connection dropped", answer: func(net.Conn, *http.Request) {}},
	"garbage.example": {want: "unreachable: TLS failed", scheme: "https"},
}

// internet serves the site and its links over pipes, each by the host that it names.
type internet struct {
	serving  sync.WaitGroup
	page     string
	began    time.Time
	mutex    sync.Mutex
	healthy  int           // answers of healthy hosts
	finished time.Duration // when the last of them was sent
}

func (n *internet) dial(_ context.Context, _, address string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	n.serving.Go(func() {
		defer theirs.Close()
		host, _, _ := net.SplitHostPort(address)
		n.serve(theirs, host)
	})
	return ours, nil
}

func (n *internet) serve(conn net.Conn, host string) {
	hostile, isHostile := hostileHosts[host]
	if !isHostile && strings.HasSuffix(host, ".across.example") {
		hostile, isHostile = hostileHosts["across.example"], true
	}
	if hostile.scheme == "https" {
		go hang(conn, nil) // or the client waits until its hello is read
		repeat(conn, "garbage\r\n", time.Second)
		return
	}
	reader := bufio.NewReader(conn)
	for {
		r, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		time.Sleep(pipeLatency)
		switch body := ""; {
		case isHostile && (hostile.robots || r.URL.Path != "/robots.txt"):
			hostile.answer(conn, r)
			return
		case r.URL.Path == "/robots.txt":
			_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
		default:
			if host == "site.example" {
				body = n.page
			}
			n.count(host)
			fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", pageHead, len(body), body)
		}
	}
}

// count notes an answer.
func (n *internet) count(host string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if strings.HasPrefix(host, "healthy") {
		n.healthy++
		n.finished = time.Since(n.began)
	}
}

// checkLinks crawls a page with links to hostile hosts, if isHostile, and to 200 pages on 40
// healthy ones after these.
func checkLinks(t *testing.T, isHostile bool) (found map[string]decision, n *internet) {
	n = &internet{began: time.Now()}
	var page strings.Builder
	if isHostile {
		for link := range linksPerHost {
			for host, h := range hostileHosts {
				scheme := "http"
				if h.scheme != "" {
					scheme = h.scheme
				}
				fmt.Fprintf(&page, "<a href=%s://%s/%d>a</a>", scheme, host, link)
			}
		}
	}
	for link := range 200 {
		fmt.Fprintf(&page, "<a href=http://healthy%d.example/%d>a</a>", link%40, link)
	}
	n.page = page.String()
	transport := &http.Transport{DialContext: n.dial, MaxResponseHeaderBytes: 256 << 10}
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: "http://site.example/", Access: access.Access{Transport: transport}, Checks: crawl.Checks{External: true},
	})
	if err != nil {
		t.Error(err)
	}
	transport.CloseIdleConnections()
	n.serving.Wait()
	return decisions(store, "http://site.example"), n
}

const linksPerHost = 6 // more than may be in flight

// TestHostileLinks checks links to hosts that hang, trickle, redirect without end, send too much
// or break off. Each ends with its own finding, and the links to other hosts are checked
// meanwhile, as soon as without them.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	bomb()
	synctest.Test(t, func(t *testing.T) {
		_, calm := checkLinks(t, false)
		found, n := checkLinks(t, true)
		if calm.healthy != 200 || n.healthy != 200 || n.finished != calm.finished {
			t.Errorf("%d links were checked after %v; %d after %v without hostile hosts",
				n.healthy, n.finished, calm.healthy, calm.finished)
		}
		for host, h := range hostileHosts {
			scheme := "http"
			if h.scheme != "" {
				scheme = h.scheme
			}
			for link := range linksPerHost {
				if got := found[fmt.Sprintf("%s://%s/%d", scheme, host, link)]; got != h.want {
					t.Errorf("%s/%d: %+v, want %+v", host, link, got, h.want)
				}
			}
		}
	})
}
