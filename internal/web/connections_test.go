package web

import (
	"io"
	"net"
	"net/netip"
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
