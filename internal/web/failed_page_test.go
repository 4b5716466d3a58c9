package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// TestFailedPage shows failures with the address that answers in a narrow window, and crawls that
// address by the button.
func TestFailedPage(t *testing.T) {
	t.Parallel()
	garden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("<!doctype html><title>Garden</title><p>Some words of a page."))
	}))
	defer garden.Close()
	server, _ := newApplication(t, nil)
	script := programtest.AxeScript(t)
	long := "/" + strings.Repeat("tomates", 30)
	for _, l := range []look{{width: 320, language: "es"}, {width: phone, dark: true}} {
		b := newTab(t, server, "/", l)
		b.fill("#url", strings.Replace(garden.URL, "http:", "https:", 1)+long)
		b.follow(".start .primary")
		b.sees(".headline", garden.URL+long)
		b.check(script, "a site without TLS", l)
		b.isNarrow()
		b.open("/")
		b.fill("#url", garden.URL+long)
		b.follow(".start .primary")
		b.sees(".headline", "(404)")
		b.sees(".headline", garden.URL)
		b.check(script, "a page that does not exist", l)
		b.isNarrow()
		b.follow(".form .primary")
		b.sees("h1", strings.TrimPrefix(garden.URL, "http://"))
		b.sees("main", "sitemap.xml")
	}
}
