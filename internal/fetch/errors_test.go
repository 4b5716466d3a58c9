package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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

// TestTLSFaults explains certificates that cannot be trusted, and what is no TLS.
func TestTLSFaults(t *testing.T) {
	now := time.Now()
	day := func(days int) time.Time { return now.AddDate(0, 0, days) }
	self := x509.Certificate{RawIssuer: []byte("a"), RawSubject: []byte("a")}
	signed := x509.Certificate{RawIssuer: []byte("a"), RawSubject: []byte("b"), Issuer: pkix.Name{CommonName: "Company"}}
	many := x509.Certificate{DNSNames: strings.Fields("a b c d e f g")}
	named := x509.Certificate{DNSNames: []string{"a.example"}, IPAddresses: []net.IP{net.IPv4(192, 0, 2, 1)}}
	expired, early := x509.Certificate{NotAfter: day(-2)}, x509.Certificate{NotBefore: day(2), NotAfter: day(9)}
	for _, test := range []struct {
		err   error
		fault TLSFault
		want  string
	}{
		{x509.UnknownAuthorityError{Cert: &self}, TLSUntrusted, "the certificate is self-signed"},
		{x509.UnknownAuthorityError{Cert: &signed}, TLSUntrusted,
			"the certificate is signed by an unknown authority, CN=Company"},
		{x509.HostnameError{Host: "b.example", Certificate: &named}, TLSName,
			"the certificate is for a.example, 192.0.2.1, not for b.example"},
		{x509.HostnameError{Host: "z", Certificate: &many}, TLSName,
			"the certificate is for a, b, c, d, e and 2 more hosts, not for z"},
		{x509.HostnameError{Host: "z", Certificate: &x509.Certificate{}}, TLSName, "the certificate is for no host, not for z"},
		{x509.CertificateInvalidError{Cert: &expired, Reason: x509.Expired}, TLSExpired,
			"the certificate expired on " + day(-2).UTC().Format(time.DateOnly)},
		{x509.CertificateInvalidError{Cert: &early, Reason: x509.Expired}, TLSExpired,
			"the certificate is valid from " + day(2).UTC().Format(time.DateOnly) + " only"},
		{tls.RecordHeaderError{}, TLSMissing, "the server does not speak TLS"},
		{http.ErrSchemeMismatch, TLSMissing, "the server does not speak TLS"},
		{errors.New("remote error: tls: handshake failure"), TLSOther, "remote error: tls: handshake failure"},
	} {
		err := newError(t.Context(), "https://b.example/", &tls.CertificateVerificationError{Err: test.err})
		if test.fault == TLSMissing || test.fault == TLSOther {
			err = newError(t.Context(), "https://b.example/", test.err)
		}
		failed, is := errors.AsType[*TLSError](error(err))
		if !is || failed.Fault != test.fault || failed.Error() != test.want || err.Kind != KindTLS ||
			!errors.Is(err, test.err) {
			t.Errorf("%v: %v", test.err, err)
		}
	}
}
