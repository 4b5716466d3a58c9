package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing := "http://" + closed.Addr().String()
	closed.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	for name, test := range map[string]struct {
		address string
		kind    Kind
	}{
		"refused":        {refusing, KindRefused},
		"untrusted":      {secure.URL, KindTLS},
		"plain, not TLS": {strings.Replace(plain, "http:", "https:", 1), KindTLS},
		"dropped":        {serveRaw(t, func(net.Conn) {}), KindDropped},
		"dropped in header": {serveRaw(t, func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nServer: x\r\n") }),
			KindDropped},
		"dropped in gzip": {serveRaw(t, func(c net.Conn) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9000\r\n\r\n%s", gzipped(page)[:1000])
		}), KindDropped},
		"reset": {serveRaw(t, func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
			c.(*net.TCPConn).SetLinger(0)
		}), KindDropped},
		"not HTTP": {serveRaw(t, func(c net.Conn) { fmt.Fprint(c, "SSH-2.0-OpenSSH_9.2\r\n\r\n") }), KindMalformed},
		"broken chunk": {serveRaw(t,
			func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n") }), KindMalformed},
		"big header":     {serve(t, bigHeader), KindHeaderTooLarge},
		"endless header": {serveRaw(t, endlessHeader), KindHeaderTooLarge},
		"no scheme":      {"/page", KindInvalid},
		"other scheme":   {"ftp://shop.example/", KindInvalid},
		"no host":        {"http:///page", KindInvalid},
		"bad port":       {"http://127.0.0.1:port/", KindInvalid},
	} {
		_, err := quick(t, Options{}).Fetch(context.Background(), &Request{URL: test.address})
		failed, ok := errors.AsType[*Error](err)
		if !ok || failed.Kind != test.kind || !errors.Is(err, test.kind) {
			t.Errorf("%s: %v, want %v", name, err, test.kind)
		}
	}
}

func bigHeader(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Big", strings.Repeat("x", 1<<20))
}

func endlessHeader(conn net.Conn) {
	fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
	for {
		if _, err := fmt.Fprint(conn, "X-More: and more\r\n"); err != nil {
			return
		}
	}
}

// TestDialKinds has failures that a test cannot cause on loopback.
func TestDialKinds(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for _, test := range []struct {
		err  error
		kind Kind
	}{
		{dial(&net.DNSError{Err: "no such host", Name: "nowhere.example", IsNotFound: true}), KindNoHost},
		{dial(&net.DNSError{Err: "server misbehaving", Name: "shop.example", IsTemporary: true}), KindDNS},
		{dial(&net.DNSError{Err: "i/o timeout", Name: "shop.example", IsTimeout: true}), KindDNS},
		{dial(context.DeadlineExceeded), KindConnectTimeout},
		{dial(errors.New("no route to host")), KindUnreachable},
		{dial(fmt.Errorf("%w: 10.0.0.1 is not public", KindBlocked)), KindBlocked},
		{x509.HostnameError{Host: "shop.example", Certificate: &x509.Certificate{}}, KindTLS},
		{errors.New("remote error: tls: handshake failure"), KindTLS},
	} {
		client := quick(t, Options{Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, test.err
		}})
		_, err := client.Fetch(context.Background(), &Request{URL: "http://shop.example/"})
		if !errors.Is(err, test.kind) {
			t.Errorf("%v, want %v", err, test.kind)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := error(&Error{URL: "http://shop.example/", Kind: KindRefused, Err: errors.New("dial tcp")})
	if got := err.Error(); got != "fetch http://shop.example/: connection refused: dial tcp" {
		t.Error(got)
	}
	err = &Error{URL: "http://shop.example/", Kind: KindTooSlow}
	if got := err.Error(); got != "fetch http://shop.example/: body too slow" {
		t.Error(got)
	}
	for kind := KindInvalid; kind <= KindDelayTooLong; kind++ {
		if kind.Error() == "" {
			t.Errorf("kind %d has no words", int(kind))
		}
	}
	if Kind(0).Error() != (KindDelayTooLong + 1).Error() {
		t.Error("kinds outside the list")
	}
}
