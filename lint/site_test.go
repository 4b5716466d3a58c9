package lint

import (
	"context"
	"testing"
)

// siteFunc is a function as a Site.
type siteFunc func(url string) *Answer

func (f siteFunc) Get(_ context.Context, url string, _ int64) (*Answer, error) { return f(url), nil }

// TestForeignRedirect follows a redirect to a URL that is not of the web.
func TestForeignRedirect(t *testing.T) {
	for _, target := range []string{"javascript:alert(1)", "file:///etc/passwd"} {
		var requested []string
		chain := follow(t.Context(), siteFunc(func(url string) *Answer {
			requested = append(requested, url)
			return &Answer{Status: 301, Location: target}
		}), "https://example.com/", 0)
		if chain.err != nil || chain.redirects() != 1 || len(requested) != 1 || chain.own() != nil {
			t.Errorf("%s: %+v after requests for %q", target, chain, requested)
		}
	}
}
