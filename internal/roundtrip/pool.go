package roundtrip

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// A pool is an [http.Transport] and its connections.
type pool struct {
	transport *http.Transport
	retired   chan struct{} // closed when an exchange was abandoned
	retire    func()        // closes retired, once, and soon the connections

	mutex  sync.Mutex
	conns  map[*conn]struct{}
	closed bool
}

// newPool returns a pool that takes over a transport.
func newPool(transport *http.Transport) *pool {
	p := &pool{transport: transport, retired: make(chan struct{}), conns: map[*conn]struct{}{}}
	dial := p.transport.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	p.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		opened, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return p.keep(opened)
	}
	p.retire = sync.OnceFunc(func() {
		close(p.retired)
		time.AfterFunc(grace, p.close)
	})
	return p
}

// keep notes a connection, so that close can close it.
func (p *pool) keep(opened net.Conn) (net.Conn, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		_ = opened.Close()
		return nil, ErrAbandoned
	}
	c := &conn{Conn: opened, pool: p}
	p.conns[c] = struct{}{}
	return c, nil
}

// close closes all connections. It needs no lock of net/http.
func (p *pool) close() {
	p.mutex.Lock()
	p.closed = true
	conns := p.conns
	p.conns = nil
	p.mutex.Unlock()
	for c := range conns {
		_ = c.Conn.Close()
	}
}

// A conn is a connection of a pool.
type conn struct {
	net.Conn
	pool *pool
}

// Close closes the connection.
func (c *conn) Close() error {
	c.pool.mutex.Lock()
	delete(c.pool.conns, c)
	c.pool.mutex.Unlock()
	return c.Conn.Close()
}
