package http1

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// TestVersion requests a page of servers that prefer HTTP/2, that know nothing else, and
// that speak it though it was not offered.
func TestVersion(t *testing.T) {
	trusted := httptest.NewTLSServer(nil)
	t.Cleanup(trusted.Close)
	certificates := trusted.TLS.Certificates
	roots := trusted.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	const (
		page  = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
		frame = "\x00\x00\x00\x04\x00\x00\x00\x00\x00" // SETTINGS of HTTP/2
	)
	for name, test := range map[string]struct {
		speaks []string
		answer string
		want   string // of the body, or of the error
	}{
		"both":      {[]string{"h2", "http/1.1"}, page, "hi"},
		"no ALPN":   {nil, page, "hi"},
		"HTTP/2":    {[]string{"h2"}, frame, "malformed"},
		"unoffered": {nil, frame, "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			offered := make(chan []string, 1)
			address := serveOnce(t, &tls.Config{
				Certificates: certificates, NextProtos: test.speaks,
				GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
					offered <- slices.Clone(hello.SupportedProtos)
					return nil, nil
				},
			}, test.answer)
			transport := NewTransport(&tls.Config{RootCAs: roots, NextProtos: []string{"h2"}})
			defer transport.CloseIdleConnections()
			got := get(t, transport, address)
			if !strings.Contains(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if protocols := <-offered; !slices.Equal(protocols, []string{"http/1.1"}) {
				t.Errorf("offered %q", protocols)
			}
		})
	}
}

// get returns the body of an answer, or the text of the error.
func get(t *testing.T, transport http.RoundTripper, address string) string {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// serveOnce answers one request of each connection, and returns the URL.
func serveOnce(t *testing.T, config *tls.Config, answer string) string {
	return "https://" + programtest.Listen(t, func(conn net.Conn) {
		secured := tls.Server(conn, config)
		if secured.Handshake() != nil {
			return
		}
		if _, err := secured.Read(make([]byte, 4096)); err == nil {
			_, _ = io.WriteString(secured, answer)
		}
		_ = secured.Close()
	}) + "/"
}
