package web

import (
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// TestShownLimits shows visitors the limits of the server in numbers.
func TestShownLimits(t *testing.T) {
	for language, want := range map[string][2]string{
		"en": {"A crawl visits up to 1,500 pages here, and the result is kept for 3 days.", "up to 100,000 of its pages"},
		"es": {"hasta 1500 páginas, y el resultado se guarda 3 días.", "hasta 100.000 de sus páginas"},
	} {
		s := newSite(t, func(o *Options, c *service.Options) {
			public(o, c)
			c.Public.Pages, c.Public.Expiry = 1500, 72*time.Hour
		})
		for i, path := range []string{"/", "/owner"} {
			if _, page := s.do("GET", path, "", "Accept-Language", language); !strings.Contains(page, want[i]) {
				t.Errorf("%s in %s has no %q: %s", path, language, want[i], page)
			}
		}
	}
}
