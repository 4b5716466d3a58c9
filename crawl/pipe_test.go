package crawl_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
)

// pipeOrigin is the origin of the site that a bubble serves.
const pipeOrigin = "http://127.0.0.1:8080"

// pipeLatency is how long the site takes for every request, since no two events of a
// real crawl happen at the same time.
const pipeLatency = time.Millisecond

// inBubble runs a test in virtual time, so that it does not really wait. The connections
// of a are pipes to the handler, at pipeOrigin.
func inBubble(t *testing.T, handler http.Handler, test func(t *testing.T, a access.Access)) {
	synctest.Test(t, func(t *testing.T) {
		listener := &pipeListener{connections: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(pipeLatency)
			handler.ServeHTTP(w, r)
		})}
		var serving sync.WaitGroup
		serving.Go(func() { server.Serve(listener) })
		defer serving.Wait()
		defer server.Close()
		transport := &http.Transport{DialContext: listener.dial, MaxResponseHeaderBytes: 256 << 10}
		defer transport.CloseIdleConnections()
		test(t, access.Access{Rate: access.PerSecond(0), Transport: transport})
	})
}

// pipeListener accepts the other ends of the pipes that dial returns.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
	close       sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.connections <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.connections:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
}
