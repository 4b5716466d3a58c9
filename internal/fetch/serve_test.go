package fetch

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/programtest"
)

// serve starts a server on loopback and returns its URL.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// serveRaw starts a server that may answer with anything: answer gets a connection
// from which one request was read.
func serveRaw(t *testing.T, answer func(net.Conn)) string {
	return "http://" + programtest.Listen(t, func(conn net.Conn) {
		readRequest(conn)
		answer(conn)
	}) + "/"
}

func readRequest(conn net.Conn) {
	if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		io.Copy(io.Discard, req.Body)
	}
}

// quick returns a client without rate limit and retries.
func quick(t *testing.T, options Options) *Client {
	t.Helper()
	if options.Rate == (access.Rate{}) {
		options.Rate = access.PerSecond(0)
	}
	if options.Retry.Tries == 0 {
		options.Retry.Tries = 1
	}
	client, err := New(&options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func get(t *testing.T, fetcher Fetcher, req Request) *Response {
	t.Helper()
	res, err := fetcher.Fetch(context.Background(), &req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// piped returns a client whose connections are pipes to answer, for tests in a
// synctest bubble.
func piped(t *testing.T, options Options, answer func(net.Conn)) *Client {
	var servers sync.WaitGroup
	t.Cleanup(servers.Wait)
	options.Dial = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		servers.Go(func() {
			defer theirs.Close()
			readRequest(theirs)
			answer(theirs)
		})
		return ours, nil
	}
	return quick(t, options)
}

// fetcherFunc is a function as a Fetcher.
type fetcherFunc func(context.Context, *Request) (*Response, error)

func (f fetcherFunc) Fetch(ctx context.Context, req *Request) (*Response, error) {
	return f(ctx, req)
}
