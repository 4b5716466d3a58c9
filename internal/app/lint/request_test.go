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
		_, options, err := s.optionsFor(new(app.App), []string{source})
		headers := options.Source.Access.Headers
		if err != nil || len(headers) != 1 || headers[want].Get("Authorization") == "" {
			t.Errorf("%s: %+v, %v", source, headers, err)
		}
	}
}
