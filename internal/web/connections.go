package web

import (
	"net"
	"sync"
)

// maxClientConnections is the number of connections that one network may have open, of
// maxConnections.
const maxClientConnections = 200

// A fairListener bounds the connections of each network, so that one that opens many and
// sends nothing does not keep others out. Proxies and this machine have no bound: their
// connections are those of many.
type fairListener struct {
	net.Listener
	server *Server

	mutex sync.Mutex
	open  map[string]int // by network
}

// Accept implements [net.Listener]. It closes connections beyond the bound.
func (l *fairListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address, ok := addressOf(conn.RemoteAddr().String())
		if !ok || address.IsLoopback() || l.server.isTrusted(address) {
			return conn, nil
		}
		network := networkOf(address)
		if l.take(network) {
			return &fairConn{conn, sync.OnceFunc(func() { l.release(network) })}, nil
		}
		_ = conn.Close() // nothing was sent
	}
}

func (l *fairListener) take(network string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.open[network] >= maxClientConnections {
		return false
	}
	if l.open == nil {
		l.open = map[string]int{}
	}
	l.open[network]++
	return true
}

func (l *fairListener) release(network string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.open[network]--; l.open[network] == 0 {
		delete(l.open, network)
	}
}

// A fairConn is a connection that counts until it is closed.
type fairConn struct {
	net.Conn
	release func()
}

// Close implements [net.Conn].
func (c *fairConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
