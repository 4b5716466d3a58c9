package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// frameConn is one connection of a server that writes HTTP/2 frames itself.
type frameConn struct {
	number int // of the connection, from 1
	framer *http2.Framer
	mutex  sync.Mutex
	block  hpackBuffer
}

type hpackBuffer []byte

func (b *hpackBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// reply sends a complete response.
func (c *frameConn) reply(stream uint32, body string) {
	c.write(func(f *http2.Framer) error {
		c.block = c.block[:0]
		encoder := hpack.NewEncoder(&c.block)
		encoder.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
		encoder.WriteField(hpack.HeaderField{Name: "content-type", Value: "text/html"})
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: c.block, EndHeaders: true})
		return f.WriteData(stream, true, []byte(body))
	})
}

func (c *frameConn) write(frame func(*http2.Framer) error) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return frame(c.framer)
}

// deadlock makes the HTTP/2 client of net/http wait for itself. It widens the window
// of the stream beyond its maximum twice.
func (c *frameConn) deadlock(stream uint32) {
	const most = 1<<31 - 1
	for range 2 {
		c.write(func(f *http2.Framer) error { return f.WriteWindowUpdate(stream, most) })
	}
}

// breakConn sends data on stream 0, which is an error of the whole connection.
func (c *frameConn) breakConn() {
	c.write(func(f *http2.Framer) error { return f.WriteData(0, true, []byte("x")) })
}

// frameAnswer answers the request of a stream.
type frameAnswer func(c *frameConn, stream uint32, path string)

// serveFrames starts a server that calls answer for every request, each in its own
// goroutine, and returns its URL and a client that trusts it.
func serveFrames(t *testing.T, options Options, answer frameAnswer) (string, *Client) {
	t.Helper()
	trusted := httptest.NewTLSServer(nil)
	t.Cleanup(trusted.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	config := &tls.Config{Certificates: trusted.TLS.Certificates, NextProtos: []string{"h2"}}
	var accepted atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serveConn(tls.Server(conn, config), int(accepted.Add(1)), answer)
		}
	}()
	client := quick(t, options)
	client.transport.TLSClientConfig = trusted.Client().Transport.(*http.Transport).TLSClientConfig
	return "https://" + listener.Addr().String(), client
}

func serveConn(conn net.Conn, number int, answer frameAnswer) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	c := &frameConn{number: number, framer: http2.NewFramer(conn, conn)}
	c.framer.AllowIllegalWrites = true
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.write(func(f *http2.Framer) error { return f.WriteSettings() })
	for {
		frame, err := c.framer.ReadFrame()
		if err != nil {
			return
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				c.write((*http2.Framer).WriteSettingsAck)
			}
		case *http2.MetaHeadersFrame:
			id, path := frame.StreamID, frame.PseudoValue("path")
			go answer(c, id, path)
		}
	}
}

// inTime calls f, which must return before the time is up.
func inTime(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
}

// isLate reports whether a request had not enough time, as on a machine that is busy.
func isLate(err error) bool {
	return errors.Is(err, KindAnswerTimeout) || errors.Is(err, KindTotalTimeout)
}

// fetchAgain requests a URL until the machine has the time for it.
func fetchAgain(t *testing.T, client *Client, url string) (*Response, error) {
	for {
		res, err := client.Fetch(t.Context(), &Request{URL: url, Buffer: make([]byte, 1024)})
		if !isLate(err) {
			return res, err
		}
	}
}

// TestDeadlock requests a page that deadlocks the HTTP/2 client of net/http. The
// request must end by its deadline, or when it is canceled, and other requests must
// still work.
func TestDeadlock(t *testing.T) {
	t.Parallel()
	answer := func(c *frameConn, stream uint32, path string) {
		if path == "/deadlock" {
			c.deadlock(stream)
			return
		}
		c.reply(stream, path)
	}
	for name, test := range map[string]struct {
		timeouts Timeouts
		cancel   time.Duration // after the start
		kind     Kind
	}{
		"answer": {Timeouts{Answer: 500 * time.Millisecond}, time.Minute, KindAnswerTimeout},
		"total":  {Timeouts{Total: 500 * time.Millisecond}, time.Minute, KindTotalTimeout},
		"cancel": {Timeouts{}, 500 * time.Millisecond, KindCanceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin, client := serveFrames(t, Options{Timeouts: test.timeouts}, answer)
			ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
			defer cancel()
			inTime(t, func() {
				if _, err := client.Fetch(ctx, &Request{URL: origin + "/deadlock"}); !errors.Is(err, test.kind) {
					t.Errorf("error %v, want %v", err, test.kind)
				}
				res, err := fetchAgain(t, client, origin+"/next")
				if err != nil || string(res.Body) != "/next" {
					t.Errorf("next: %+v, %v", res, err)
				}
			})
		})
	}
}

// TestDeadlockOthers has requests under way, and starts more, on a transport that is
// deadlocked. They are repeated on another one.
func TestDeadlockOthers(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	start := sync.OnceFunc(func() { close(started) })
	var shared atomic.Int32 // the number of the connection that is open
	origin, client := serveFrames(t, Options{Timeouts: Timeouts{Answer: time.Second}, Retry: Retry{Tries: 2}},
		func(c *frameConn, stream uint32, path string) {
			switch {
			case path == "/deadlock" && c.number == int(shared.Load()):
				c.deadlock(stream)
				start()
			case path == "/deadlock", path == "/before" && c.number == int(shared.Load()): // never answered
			case path == "/open":
				shared.Store(int32(c.number))
				c.reply(stream, path)
			default:
				c.reply(stream, path)
			}
		})
	fetch := func(path string) {
		if res, err := fetchAgain(t, client, origin+path); err != nil || string(res.Body) != path {
			t.Errorf("%s: %+v, %v", path, res, err)
		}
	}
	inTime(t, func() {
		fetch("/open") // the connection that the others share
		var running sync.WaitGroup
		for range 3 {
			running.Go(func() { fetch("/before") })
		}
		running.Go(func() {
			_, err := client.Fetch(t.Context(), &Request{URL: origin + "/deadlock"})
			if !errors.Is(err, KindAnswerTimeout) {
				t.Errorf("deadlock: %v", err)
			}
			start() // the connection may have been closed before
		})
		<-started
		for range 3 {
			running.Go(func() { fetch("/after") })
		}
		running.Wait()
		client.Close()
	})
}

// getAgain is fetchAgain through the client of net/http.
func getAgain(client *Client, url string) (string, error) {
	for {
		answer, err := client.HTTP().Get(url)
		if err == nil {
			var body []byte
			body, err = io.ReadAll(answer.Body)
			answer.Body.Close()
			if err == nil {
				return string(body), nil
			}
		}
		if !isLate(err) {
			return "", err
		}
	}
}

// TestDeadlockStream reads through the client of net/http.
func TestDeadlockStream(t *testing.T) {
	t.Parallel()
	origin, client := serveFrames(t, Options{Timeouts: Timeouts{Answer: 500 * time.Millisecond}},
		func(c *frameConn, stream uint32, path string) {
			switch path {
			case "/deadlock":
				c.deadlock(stream)
			case "/body":
				c.write(func(f *http2.Framer) error {
					block := []byte{0x88} // :status 200
					return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndHeaders: true})
				})
				c.deadlock(stream)
			default:
				c.reply(stream, path)
			}
		})
	inTime(t, func() {
		if _, err := client.HTTP().Get(origin + "/deadlock"); !errors.Is(err, KindAnswerTimeout) {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/body", nil)
		if err != nil {
			t.Error(err)
			return
		}
		if answer, err := client.HTTP().Do(r); err == nil {
			if _, err := io.ReadAll(answer.Body); err == nil {
				t.Error("a body without end has an end")
			}
			answer.Body.Close()
		}
		body, err := getAgain(client, origin+"/next")
		if body != "/next" || err != nil {
			t.Errorf("body %q, %v", body, err)
		}
	})
}

// TestBrokenConnection requests good pages on a connection that another page breaks.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	const pages = 5
	var waiting sync.WaitGroup
	waiting.Add(pages)
	origin, client := serveFrames(t, Options{Retry: Retry{Tries: 2, Backoff: time.Millisecond}},
		func(c *frameConn, stream uint32, path string) {
			switch {
			case path == "/broken" && c.number == 1:
				waiting.Wait()
				c.breakConn()
			case path == "/broken":
				c.breakConn()
			case path == "/good" && c.number == 1:
				waiting.Done()
			default:
				c.reply(stream, path)
			}
		})
	fetch := func(path string) error {
		res, err := client.Fetch(t.Context(), &Request{URL: origin + path})
		if err == nil && string(res.Body) != path {
			t.Errorf("%s: body %q", path, res.Body)
		}
		return err
	}
	inTime(t, func() {
		if err := fetch("/open"); err != nil {
			t.Error(err)
		}
		var running sync.WaitGroup
		for range pages {
			running.Go(func() {
				if err := fetch("/good"); err != nil {
					t.Error(err)
				}
			})
		}
		running.Go(func() {
			if err := fetch("/broken"); !errors.Is(err, KindMalformed) {
				t.Errorf("broken page: %v", err)
			}
		})
		running.Wait()
	})
}
