package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/web"
)

// TestShareNewest shares the newest result of a site from the page of the site, copies the link and passes it on, and
// opens it without a log-in.
func TestShareNewest(t *testing.T) {
	t.Parallel()
	script := programtest.AxeScript(t)
	for _, test := range []struct {
		look                            look
		heading, made, copied, headline string
	}{
		{look{width: 320, language: "es"}, "Siempre el resultado más reciente", "El resultado está compartido", "Copiado.",
			"El sitemap incluye"},
		{look{width: 1440}, "Always the newest result", "The result is shared", "Copied.", "The sitemap lists"},
		{look{noScript: true}, "Always the newest result", "The result is shared", "", "The sitemap lists"},
	} {
		t.Run(fmt.Sprint(test.look.width, test.look.language), func(t *testing.T) {
			t.Parallel()
			const password = "correct horse battery"
			server, _ := newApplication(t, func(o *web.Options, _ *service.Options) { o.Password = password })
			b := newTab(t, server, "/login?back=/", test.look)
			inspect := func(where string) {
				t.Helper()
				b.isNarrow()
				if !test.look.noScript {
					b.check(script, where, test.look)
				}
			}
			b.call("Page.addScriptToEvaluateOnNewDocument", object{
				"source": "Navigator.prototype.share = async (data) => { window.passedOn = data; }",
			})
			b.fill("#password", password)
			b.follow(".form .primary")
			site := newTarget(t, false)
			b.crawl(site)
			b.sees("h2.headline", test.headline)
			b.open("/sites/" + strings.TrimPrefix(site.URL, "http://"))
			b.follow(`.heading a[href$="/shares"]`)
			b.sees("h1", test.heading)
			inspect("the shares of a site")
			b.follow(".form .primary")
			b.sees("h2", test.made)
			inspect("a share of a site")
			link := b.text(`document.getElementById("link").value`)
			if test.copied == "" {
				if b.number(`document.querySelectorAll("[data-copy], [data-share]").length`) != 2 ||
					b.number(`document.querySelector("[data-link]").getClientRects().length`) != 0 {
					t.Error("without a script, there are buttons for it")
				}
			} else {
				b.click("[data-copy]")
				b.sees("[data-link] [role=status]", test.copied)
				inspect("a link that was copied")
				b.click("[data-share]")
				passedOn, _ := await(b, "window.passedOn?.url", func(url string) bool { return url != "" })
				if passedOn != link {
					t.Errorf("%q is passed on, want %q", passedOn, link)
				}
			}
			b.open("/shares")
			inspect("all shares")
			b.call("Network.clearBrowserCookies", nil)
			b.open(strings.TrimPrefix(link, server))
			b.sees("h2.headline", test.headline)
			b.isNarrow()
			b.open("/crawls/" + strings.Repeat("a", 26))
			b.sees(".hero .lead", map[string]string{"": "for a link", "es": "un enlace"}[test.look.language])
			inspect("a result that is not shared")
		})
	}
}
