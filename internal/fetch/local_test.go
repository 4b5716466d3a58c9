package fetch

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

// TestLocal answers requests for one origin by a transport that looks at the fields of the
// URL, as handlers do.
func TestLocal(t *testing.T) {
	for address, want := range map[string]string{
		"http://shop.example":              "/",
		"http://shop.example/a?b=/c":       "/a b=/c",
		"http://shop.example/a%2Fb":        "/a/b",
		"http://shop.example//a":           "//a",
		"http://shop.example/100%":         "/100%",
		"http://shop.example/%D7%A9%D7%9C": "/\u05e9\u05dc",
	} {
		var got string
		transport := roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if got = r.URL.Path; r.URL.RawQuery != "" {
				got += " " + r.URL.RawQuery
			}
			return httptest.NewRecorder().Result(), nil
		})
		client := quick(t, Options{Local: &Local{Origin: "http://shop.example", Transport: transport}})
		get(t, client, Request{URL: address})
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// TestLocalFiles answers requests by the files of a file system.
func TestLocalFiles(t *testing.T) {
	files := http.NewFileTransportFS(fstest.MapFS{"tea.html": {Data: []byte("tea")}})
	client := quick(t, Options{Local: &Local{Origin: "http://shop.example", Transport: files}})
	for address, want := range map[string]int{
		"http://shop.example/tea.html": 200, "http://shop.example/tea.html?x": 200, "http://shop.example/coffee.html": 404,
	} {
		if res := get(t, client, Request{URL: address}); res.Status != want {
			t.Errorf("%s: %d, want %d", address, res.Status, want)
		}
	}
}

// roundTripFunc is a function as an [http.RoundTripper].
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
