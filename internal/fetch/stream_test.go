package fetch

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
)

// TestHTTPClient follows a redirect to another origin, which must not get the header
// of the first.
func TestHTTPClient(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Header.Get("Authorization")+"|"+r.UserAgent())
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Basic eA==" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.Redirect(w, r, other.URL, http.StatusFound)
	}))
	defer first.Close()
	client, err := New(&Options{Access: access.Access{UserAgent: "T",
		Headers: map[string]http.Header{first.URL: {"Authorization": {"Basic eA=="}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	answer, err := httpClient(client).Get(first.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); string(body) != "|T" || err != nil {
		t.Errorf("the other origin saw %q, %v", body, err)
	}
}

// TestHTTPClientUser requests URLs with user information, by itself and after a redirect.
// Only what the options have for the origin is sent.
func TestHTTPClientUser(t *testing.T) {
	var to string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		io.WriteString(w, r.Header.Get("Authorization"))
	}))
	defer server.Close()
	to = strings.Replace(server.URL, "://", "://me:pw@", 1) + "/"
	for want, headers := range map[string]map[string]http.Header{
		"": nil, "Basic eA==": {server.URL: {"Authorization": {"Basic eA=="}}},
	} {
		client := quick(t, Options{Access: access.Access{Headers: headers}})
		for _, address := range []string{to, server.URL + "/redirect"} {
			answer, err := httpClient(client).Get(address)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if string(body) != want || err != nil {
				t.Errorf("%s: %q, %v, want %q", address, body, err, want)
			}
		}
	}
}

func TestHTTPClientBounds(t *testing.T) {
	silent := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }))
	defer server.Close()
	defer close(silent)
	for name, test := range map[string]struct {
		options Options
		want    error
	}{
		"silence": {Options{Timeouts: Timeouts{Answer: 50 * time.Millisecond}}, KindAnswerTimeout},
		"guard":   {Options{Guard: &Guard{}}, KindBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := New(&test.options)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if _, err := httpClient(client).Get(server.URL); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// TestHTTPClientUnicode requests a host that is not ASCII.
func TestHTTPClientUnicode(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.URL.Host+r.URL.Path)
	}))
	defer proxy.Close()
	client, err := New(&Options{Access: access.Access{Proxy: proxy.URL}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	answer, err := httpClient(client).Get("http://b\u00fccher.example/s%C3%BCd")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); string(body) != "xn--bcher-kva.example/s\u00fcd" || err != nil {
		t.Errorf("the proxy saw %q, %v", body, err)
	}
}

// httpClient returns a client of net/http that sends requests by the stream of a client.
func httpClient(c *Client) *http.Client { return &http.Client{Transport: Waiting{c.Stream(nil)}} }

// TestGivenTransport sends all requests by the transport of the options, with the header and
// the cookies of their origin, and with URLs whose fields are set.
func TestGivenTransport(t *testing.T) {
	var got []string
	given := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		got = append(got, r.URL.Host+r.URL.Path+" "+r.Header.Get("X-Key")+" "+r.Header.Get("Cookie"))
		answer := httptest.NewRecorder()
		http.SetCookie(answer, &http.Cookie{Name: "c", Value: r.URL.Host})
		return answer.Result(), nil
	})
	client := quick(t, Options{Access: access.Access{
		Transport: given, Cookies: true, Headers: map[string]http.Header{"http://a.example": {"X-Key": {"k"}}},
	}})
	for _, address := range []string{"http://a.example/%41?b", "http://b.example/"} {
		get(t, client, Request{URL: address})
		answer, err := httpClient(client).Get(address)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	want := []string{"a.example/A k ", "a.example/A k c=a.example", "b.example/  ", "b.example/  c=b.example"}
	if !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// TestSharedStream shares the rate of a client with whoever gets its stream as a transport.
func TestSharedStream(t *testing.T) {
	own := quick(t, Options{}).Stream(nil)
	for transport, shares := range map[http.RoundTripper]bool{own: true, http.DefaultTransport: false} {
		stream, err := NewStream(&access.Access{Transport: transport})
		if err != nil || (stream == own) != shares {
			t.Errorf("%T is shared: %t, %v", transport, stream == own, err)
		}
	}
}
