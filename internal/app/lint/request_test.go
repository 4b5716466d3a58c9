package lint

import (
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
)

// TestLintSites sends credentials to the site that is published only when no source is at
// a URL.
func TestLintSites(t *testing.T) {
	s := Settings{BaseURL: "https://public.example/", Request: access.RequestSettings{User: "me:secret"}}
	for source, want := range map[string]string{
		"https://preview.example/sitemap.xml": "https://preview.example", "./sitemap.xml": "https://public.example",
	} {
		options, err := s.Request.Client(new(app.App), s.sites([]string{source}), nil)
		if err != nil || len(options.Headers) == 0 || options.Headers[len(options.Headers)-1].Origin != want {
			t.Errorf("%s: %+v, %v", source, options, err)
		}
	}
}
