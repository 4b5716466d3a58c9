package browser

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A proxy answers every request of one browser. It dials nothing: what passes [visit.answer] is sent
// by the transport of the page. The browser's user name and password say which tab asks; without
// them, as other programs of this machine and the browser's own services are, a request is refused.
type proxy struct {
	listener    net.Listener
	server      *http.Server // for the browser
	inside      *http.Server // for the requests in tunnels
	tunnels     *tunnels
	certificate *certificate
	password    string
	cache       cache

	mu   sync.Mutex
	tabs map[string]*tab // by user name
}

// insideKey is the key of a tunnel in the contexts of its requests.
type insideKey struct{}

func newProxy() (*proxy, error) {
	certificate, err := newCertificate()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{
		listener: listener, certificate: certificate, password: rand.Text(), tabs: map[string]*tab{},
		tunnels: &tunnels{opened: make(chan net.Conn), closed: make(chan struct{})},
	}
	const headerTime = 10 * time.Second
	p.server = &http.Server{Handler: http.HandlerFunc(p.serve), ReadHeaderTimeout: headerTime, ErrorLog: silent}
	p.inside = &http.Server{
		Handler: http.HandlerFunc(p.serveInside), ReadHeaderTimeout: headerTime, ErrorLog: silent,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if encrypted, is := c.(*tls.Conn); is {
				c = encrypted.NetConn()
			}
			return context.WithValue(ctx, insideKey{}, c)
		},
	}
	go func() { _ = p.server.Serve(listener) }() // until close
	go func() { _ = p.inside.Serve(p.tunnels) }()
	return p, nil
}

// close ends all requests.
func (p *proxy) close() error {
	close(p.tunnels.closed)
	return errors.Join(p.server.Close(), p.inside.Close())
}

// address is what the browser is given as its proxy.
func (p *proxy) address() string { return p.listener.Addr().String() }

// add makes the proxy know a tab by its name.
func (p *proxy) add(t *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tabs[t.name] = t
}

func (p *proxy) remove(t *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tabs, t.name)
}

// findTab returns the tab that a request names with the right password.
func (p *proxy) findTab(r *http.Request) *tab {
	encoded, _ := strings.CutPrefix(r.Header.Get("Proxy-Authorization"), "Basic ")
	text, err := base64.StdEncoding.DecodeString(encoded)
	name, password, _ := strings.Cut(string(text), ":")
	if err != nil || subtle.ConstantTimeCompare([]byte(password), []byte(p.password)) != 1 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tabs[name]
}

// serve answers a request that the browser sends to its proxy.
func (p *proxy) serve(w http.ResponseWriter, r *http.Request) {
	t := p.findTab(r)
	switch {
	case t == nil:
		w.Header().Set("Proxy-Authenticate", `Basic realm="mapa"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
	case r.Method == http.MethodConnect:
		p.open(w, r.Host, t)
	case r.URL.Scheme != "http":
		w.WriteHeader(http.StatusForbidden)
	default:
		p.answer(w, r, t)
	}
}

// serveInside answers a request in a tunnel. Its host is that of the tunnel, whatever the request
// says.
func (p *proxy) serveInside(w http.ResponseWriter, r *http.Request) {
	in := r.Context().Value(insideKey{}).(*tunnel)
	r.URL.Scheme, r.URL.Host = "http", in.host
	if r.TLS != nil {
		r.URL.Scheme = "https"
	}
	p.answer(w, r, in.tab)
}

func (p *proxy) answer(w http.ResponseWriter, r *http.Request, t *tab) {
	if r.URL.Host == greetingHost {
		w.WriteHeader(http.StatusOK)
		return
	}
	v := t.visit.Load()
	if v == nil {
		w.WriteHeader(http.StatusForbidden) // between two pages
		return
	}
	v.answer(w, r, &p.cache)
}

// open answers CONNECT. The host and port are only a name.
func (p *proxy) open(w http.ResponseWriter, host string, t *tab) {
	plain, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if _, err := plain.Write([]byte("HTTP/1.1 200 OK\r\n\r\n")); err != nil {
		plain.Close()
		return
	}
	in := &tunnel{Conn: plain, reader: buffered.Reader, tab: t}
	_ = plain.SetReadDeadline(time.Now().Add(10 * time.Second))
	first, err := in.reader.Peek(1)
	if err != nil {
		plain.Close()
		return
	}
	_ = plain.SetReadDeadline(time.Time{})
	const handshake = 22 // the first byte of TLS
	if first[0] != handshake {
		in.host = strings.TrimSuffix(host, ":80")
		p.tunnels.add(in)
		return
	}
	in.host = strings.TrimSuffix(host, ":443")
	p.tunnels.add(tls.Server(in, p.certificate.config))
}

// A tunnel is a connection that CONNECT made.
type tunnel struct {
	net.Conn
	reader *bufio.Reader // has what arrived already
	tab    *tab
	host   string
}

func (t *tunnel) Read(p []byte) (int, error) { return t.reader.Read(p) }

// tunnels is the listener of the server that reads tunnels.
type tunnels struct {
	opened chan net.Conn
	closed chan struct{}
}

func (t *tunnels) add(c net.Conn) {
	select {
	case t.opened <- c:
	case <-t.closed:
		c.Close()
	}
}

// Accept returns the next tunnel.
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.opened:
		return c, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close does nothing: the proxy closes the listener.
func (t *tunnels) Close() error { return nil }

// Addr returns no address.
func (t *tunnels) Addr() net.Addr { return &net.TCPAddr{} }
