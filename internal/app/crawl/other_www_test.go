package crawl

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
)

// A namedSite answers for its host. No other name is known.
type namedSite string

// RoundTrip implements [http.RoundTripper].
func (s namedSite) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != string(s) {
		return nil, &net.DNSError{Err: "no such host", Name: r.URL.Host, IsNotFound: true}
	}
	answer := &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader("<p>home")),
	}
	if r.URL.Path == "/robots.txt" {
		answer.StatusCode = http.StatusNotFound
	}
	return answer, nil
}

// TestOtherWWW suggests the name with or without www. where only that one is known.
func TestOtherWWW(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ asked, start, site, want string }{
		{"https://www.garden.test/a", "", "garden.test", "https://garden.test/a"},
		{"https://garden.test/a", "", "www.garden.test", "https://www.garden.test/a"},
		{"https://garden.test/", "", "other.test", ""},
		{"https://garden/", "", "www.garden", ""},
		{"https://192.0.2.1/", "", "www.192.0.2.1", ""},
		{"https://old.test/", "https://shop.old.test/", "www.shop.old.test", ""}, // it redirected there
	} {
		for _, kind := range []fetch.Kind{fetch.KindNoHost, fetch.KindDNS} {
			start := test.start
			if start == "" {
				start = test.asked
			}
			r := &crawlRun{start: crawlStart{asked: test.asked}, options: crawl.Options{
				Start: start, Access: access.Access{Rate: access.PerSecond(0), Transport: namedSite(test.site)},
			}}
			failed := &crawl.StartError{URL: start, Err: &fetch.Error{URL: start, Kind: kind}}
			got := ""
			if other, is := errors.AsType[*OtherAddressError](r.withOtherAddress(t.Context(), failed)); is {
				got = other.To
			}
			if got != test.want {
				t.Errorf("%s, %v: %q, want %q", start, kind, got, test.want)
			}
		}
	}
}

// TestOtherAddressPublic requests nothing of this machine for strangers.
func TestOtherAddressPublic(t *testing.T) {
	t.Parallel()
	site := http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a request for %s", r.URL)
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = site.Serve(listener) }()
	defer site.Close()
	start := "http://" + listener.Addr().String() + "/missing"
	r := &crawlRun{start: crawlStart{asked: start}, options: crawl.Options{
		Start: start, Access: access.Access{PublicOnly: true},
	}}
	for _, failed := range []*crawl.StartError{
		{URL: start, Status: http.StatusNotFound}, {URL: start, Err: fetch.KindRefused},
		{URL: start, Err: &fetch.TLSError{Fault: fetch.TLSName}},
	} {
		if err := r.withOtherAddress(t.Context(), failed); err != error(failed) {
			t.Errorf("a private address: %v", err)
		}
	}
}
