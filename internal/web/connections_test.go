package web

import (
	"context"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
)

// A givenListener accepts connections from given addresses.
type givenListener struct {
	net.Listener
	from []string
}

// givenConn is a connection from an address.
type givenConn struct {
	net.Conn
	from string
}

func (l *givenListener) Accept() (net.Conn, error) {
	if len(l.from) == 0 {
		return nil, io.EOF
	}
	from := l.from[0]
	l.from = l.from[1:]
	conn, _ := net.Pipe()
	return &givenConn{conn, from}, nil
}

func (c *givenConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.from))
}

// TestFairConnections keeps one network from taking all connections, and gives back those
// that are closed.
func TestFairConnections(t *testing.T) {
	s := &Server{options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	accept := func(l *fairListener) (conns []net.Conn) {
		for {
			conn, err := l.Accept()
			if err != nil {
				return conns
			}
			conns = append(conns, conn)
		}
	}
	for from, want := range map[string]int{
		"192.0.2.1:5000": maxClientConnections, "[2001:db8::1]:5000": maxClientConnections,
		"[::ffff:192.0.2.1]:5000": maxClientConnections,
		"127.0.0.1:5000":          maxClientConnections + 5, "10.1.2.3:5000": maxClientConnections + 5,
	} {
		given := &givenListener{}
		l := &fairListener{Listener: given, server: s}
		for range maxClientConnections + 5 {
			given.from = append(given.from, from)
		}
		conns := accept(l)
		if len(conns) != want {
			t.Errorf("%s has %d connections, want %d", from, len(conns), want)
		}
		given.from = []string{"198.51.100.7:5000"}
		if others := accept(l); len(others) != 1 {
			t.Errorf("%s keeps others out", from)
		}
		for _, conn := range append(conns, conns...) { // a server may close twice
			_ = conn.Close()
		}
		given.from = []string{from}
		if again := accept(l); len(again) != 1 || len(l.open) > 2 {
			t.Errorf("%s cannot connect again: %v", from, l.open)
		}
	}
}

// TestUnclearRequests sends requests whose end a proxy may see elsewhere, each with another
// request after it. The first one is answered, and the connection is closed.
func TestUnclearRequests(t *testing.T) {
	s := newSite(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	const last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	const chunked, noChunks = "Transfer-Encoding: chunked\r\n", "\r\n0\r\n\r\n"
	for name, test := range map[string]struct {
		first, header, body string
		answers             int
	}{
		"plain":             {"GET /healthz HTTP/1.1", "", "\r\n", 2},
		"length":            {"GET /healthz HTTP/1.1", "Content-Length: 2\r\n", "\r\n{}", 2},
		"length and chunks": {"GET /healthz HTTP/1.1", "Content-Length: 3\r\n" + chunked, noChunks, 1},
		"chunks and length": {"POST /api/v1/crawls HTTP/1.1", chunked + "Content-Length: 1\r\n", "\r\n2\r\n{}" + noChunks, 1},
		"two lengths":       {"GET /healthz HTTP/1.1", "Content-Length: 0\r\nContent-Length: 0\r\n" + chunked, noChunks, 1},
		"chunks":            {"GET /healthz HTTP/1.1", chunked, noChunks, 1},
		"HTTP/1.0":          {"GET /healthz HTTP/1.0", "Connection: keep-alive\r\nContent-Length: 5\r\n" + chunked, noChunks, 1},
		"1.0, no length":    {"GET /healthz HTTP/1.0", "Connection: keep-alive\r\n" + chunked, "\r\n", 1},
		"no page":           {"PUT /none HTTP/1.1", "Content-Length: 9\r\n" + chunked, noChunks, 1},
		"foreign host":      {"GET http://evil.example/ HTTP/1.1", "Content-Length: 9\r\n" + chunked, noChunks, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, test.first+"\r\nHost: localhost\r\n"+test.header+test.body+last); err != nil {
				t.Error(err)
			}
			text, err := io.ReadAll(conn)
			if got := strings.Count(string(text), "HTTP/1."); got != test.answers || err != nil {
				t.Errorf("%d answers, want %d, %v:\n%s", got, test.answers, err, text)
			}
		})
	}
}
