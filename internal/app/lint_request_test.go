package app

import "testing"

// TestLintSites sends credentials to the site that is published only when no source is at
// a URL.
func TestLintSites(t *testing.T) {
	s := LintSettings{BaseURL: "https://public.example/", Request: RequestSettings{User: "me:secret"}}
	for source, want := range map[string]string{
		"https://preview.example/sitemap.xml": "https://preview.example", "./sitemap.xml": "https://public.example",
	} {
		options, err := s.Request.client(new(App), s.sites([]string{source}), nil)
		if err != nil || len(options.Headers) == 0 || options.Headers[len(options.Headers)-1].Origin != want {
			t.Errorf("%s: %+v, %v", source, options, err)
		}
	}
}
