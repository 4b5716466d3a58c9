package roundtrip

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// piped returns a Transport whose connections are pipes, and a channel of their other
// ends.
func piped(t *testing.T) (*Transport, <-chan net.Conn) {
	servers := make(chan net.Conn, 10)
	transport := New(&http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		servers <- theirs
		return ours, nil
	}})
	return transport, servers
}

// TestAbandon has an exchange that never ends. Its connections are closed, and later
// exchanges get another http.Transport.
func TestAbandon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, servers := piped(t)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		never := make(chan struct{})
		defer close(never)
		var first http.RoundTripper
		start := time.Now()
		err := transport.Do(ctx, func(own http.RoundTripper) {
			first = own
			_, _ = own.(*http.Transport).DialContext(t.Context(), "tcp", "shop.example:80")
			<-never
		})
		if !errors.Is(err, ErrAbandoned) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 6*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if _, err := (<-servers).Read(make([]byte, 1)); err == nil {
			t.Error("the connection is still open")
		}
		if _, err := first.(*http.Transport).DialContext(t.Context(), "tcp", "shop.example:80"); err == nil {
			t.Error("an abandoned transport still connects")
		}
		err = transport.Do(t.Context(), func(own http.RoundTripper) {
			if own == first {
				t.Error("the abandoned transport is used again")
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestAbandonOthers has an exchange that never ends and others under way. Those that
// end soon are not abandoned.
func TestAbandonOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, _ := piped(t)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		never := make(chan struct{})
		defer close(never)
		for ends, want := range map[time.Duration]error{6500 * time.Millisecond: nil, time.Hour: ErrAbandoned} {
			go func() {
				err := transport.Do(t.Context(), func(http.RoundTripper) { time.Sleep(ends) })
				if !errors.Is(err, want) {
					t.Errorf("an exchange of %v: %v, want %v", ends, err, want)
				}
			}()
		}
		_ = transport.Do(ctx, func(http.RoundTripper) { <-never })
		time.Sleep(2 * time.Hour)
	})
}

// TestAlone has two exchanges that must not share a connection, which is closed after
// each.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, servers := piped(t)
		for range 2 {
			err := transport.DoAlone(t.Context(), func(own http.RoundTripper) {
				_, _ = own.(*http.Transport).DialContext(t.Context(), "tcp", "shop.example:80")
			})
			if err != nil {
				t.Error(err)
			}
			if _, err := (<-servers).Read(make([]byte, 1)); err == nil {
				t.Error("the connection is still open")
			}
		}
	})
}

// TestAbandonMany has a server that makes one exchange after another wait for ever. It is
// asked by HTTP/1.1 then.
func TestAbandonMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport := New(&http.Transport{ForceAttemptHTTP2: true})
		never := make(chan struct{})
		defer close(never)
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		for n := range maxAbandoned + 1 {
			_ = transport.Do(canceled, func(own http.RoundTripper) {
				protocols := own.(*http.Transport).Protocols
				if only := protocols != nil && protocols.HTTP1() && !protocols.HTTP2(); only != (n == maxAbandoned) {
					t.Errorf("after %d abandoned exchanges: %v", n, protocols)
				}
				<-never
			})
		}
	})
}
