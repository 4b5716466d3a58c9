package browser

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"testing"
)

// TestProxyStrangers refuses every request of another program of this machine.
func TestProxyStrangers(t *testing.T) {
	t.Parallel()
	p, err := newProxy()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	basic := func(text string) string {
		return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(text)) + "\r\n"
	}
	p.add(&tab{name: "1"})
	for _, test := range []struct {
		request, header string
		want            int
	}{
		{"GET http://site.test/", "", http.StatusProxyAuthRequired},
		{"CONNECT site.test:443", "", http.StatusProxyAuthRequired},
		{"GET http://site.test/", basic("1:x"), http.StatusProxyAuthRequired},
		{"GET http://site.test/", basic("1:"), http.StatusProxyAuthRequired},
		{"GET http://site.test/", basic("2:" + p.password), http.StatusProxyAuthRequired},
		{"GET http://site.test/", "Proxy-Authorization: Basic ?\r\n", http.StatusProxyAuthRequired},
		{"GET /", basic("1:" + p.password), http.StatusForbidden},
		{"GET ftp://site.test/", basic("1:" + p.password), http.StatusForbidden},
		{"GET http://site.test/", basic("1:" + p.password), http.StatusForbidden}, // no page is open
		{"GET http://greeting.mapa.invalid/", basic("1:" + p.password), http.StatusOK},
	} {
		c, err := net.Dial("tcp", p.address())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: site.test\r\n%s\r\n", test.request, test.header)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != test.want {
			t.Errorf("%s %s: %v, %v", test.request, test.header, answer, err)
		}
		c.Close()
	}
}

// TestCache gives way to new answers when it is full.
func TestCache(t *testing.T) {
	t.Parallel()
	var c cache
	body := make([]byte, maxCachedEntry)
	for i := range 20 {
		key := fmt.Sprint(i)
		if c.claim(t.Context(), key) != nil {
			t.Fatalf("%s is known", key)
		}
		c.settle(key, cached{status: 200, body: body})
		if c.claim(t.Context(), key) == nil || c.size > maxCached || len(c.entries) != len(c.order) {
			t.Fatalf("%d bytes, %d answers", c.size, len(c.entries))
		}
	}
	if c.claim(t.Context(), "failed") == nil {
		c.settle("failed", cached{})
	}
	if c.claim(t.Context(), "failed") != nil {
		t.Error("a failure is kept")
	}
}
