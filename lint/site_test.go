package lint

import (
	"net/http"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// redirecting answers every request but those for robots.txt with a redirect.
type redirecting struct {
	target    string
	requested []string
}

// RoundTrip implements [http.RoundTripper].
func (t *redirecting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/robots.txt" {
		return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody}, nil
	}
	t.requested = append(t.requested, r.URL.String())
	return &http.Response{StatusCode: 301, Header: http.Header{"Location": {t.target}}, Body: http.NoBody}, nil
}

// TestForeignRedirect follows a redirect to a URL that is not of the web.
func TestForeignRedirect(t *testing.T) {
	for _, target := range []string{"javascript:alert(1)", "file:///etc/passwd"} {
		transport := &redirecting{target: target}
		client, err := fetch.New(&fetch.Options{Access: access.Access{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		chain := follow(t.Context(), fetch.NewSite(client, nil), "https://example.com/", 0)
		if chain.err != nil || chain.redirects() != 1 || len(transport.requested) != 1 || chain.own() != nil {
			t.Errorf("%s: %+v after requests for %q", target, chain, transport.requested)
		}
	}
}
