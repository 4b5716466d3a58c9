package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/web"
)

// TestWidths looks at the pages with the picture of folders, lists and the menu in narrow and wide windows, light and
// dark. The full form does it in all widths and both languages.
func TestWidths(t *testing.T) {
	t.Parallel()
	script := programtest.AxeScript(t)
	server, crawls := newApplication(t, nil)
	site := newLargeSite(t)
	result := crawlSite(t, server, site)
	crawlSite(t, server, site) // from the second one on, there are charts
	label := strings.Repeat("l", service.MaxLabelLength)
	if err := crawls.SetLabels(t.Context(), strings.TrimPrefix(site, "http://"), []string{label, "shop"}); err != nil {
		t.Fatal(err)
	}
	ignored := "/sites/" + strings.TrimPrefix(site, "http://") + "/ignored"
	postForm(t, server, strings.TrimSuffix(ignored, "d"), url.Values{
		"rule": {"thin-content"}, "url": {"/" + label + label + label}, "value": {label},
		"reason": {label + label}, "name": {label},
	})
	looks := []look{{width: 320, language: "es"}, {width: 1440}}
	if isTorture {
		looks = nil
		for _, width := range []int64{320, phone, 600, 768, 960, 1440} {
			for _, language := range []string{"en", "es"} {
				looks = append(looks, look{width: width, language: language})
			}
		}
	}
	for _, l := range looks {
		t.Run(fmt.Sprint(l.width, l.language), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, server, "/", l)
			for _, path := range []string{
				"/", result, result + "/pages?sort=-linked_from", result + "/tree", result + "/findings?rule=link-broken&severity=error",
				"/sites/" + strings.TrimPrefix(site, "http://"), "/sites?deleted=www.example.com",
				"/sites?label=" + label, "/schedules/many", ignored,
				"/sites/" + strings.TrimPrefix(site, "http://") + "/ignore?rule=thin-content&url=/a/" + strings.Repeat("b", 90) + "/c",
			} {
				b.open(path)
				b.check(script, path, l)
				b.isNarrow()
				if b.number(`document.querySelector(".top").offsetHeight`) > 64 {
					t.Errorf("%s: the menu has more than one row", path)
				}
			}
			b.open(result)
			b.click(".treemap summary")
			b.click(".more summary")
			b.check(script, "the open menu and the list of folders", l)
			b.isNarrow()
		})
	}
}

// TestTreemapLinks follows a field of the picture, and the same in the list without JavaScript.
func TestTreemapLinks(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	site := newLargeSite(t)
	result := crawlSite(t, server, site)
	for _, path := range []string{result, "/sites/" + strings.TrimPrefix(site, "http://")} {
		for _, noScript := range []bool{false, true} {
			b := newTab(t, server, path, look{noScript: noScript})
			b.follow(`.map a[href*="f119"]`)
			b.sees("[role=status]", "2 addresses")
			b.open(path)
			b.click(".treemap summary")
			b.follow(`.treemap li a[href*="f119"]`)
			b.sees("[role=status]", "2 addresses")
		}
	}
}

// TestFirstTabs counts the keys from the beginning of a result to its download, and types on the start page at once.
func TestFirstTabs(t *testing.T) {
	t.Parallel()
	b, _ := openResult(t)
	links := b.number(`[...document.querySelectorAll("a[href], button, summary, input:not([type=hidden])")]
		.filter((one) => one.checkVisibility()).findIndex((one) => one.matches(".downloads .button"))`)
	if links < 1 || links > 10 {
		t.Errorf("%v elements get the focus before the download", links)
	}
	b.open("/")
	if focused := b.text("document.activeElement.id"); focused != "url" {
		t.Errorf("%q has the focus", focused)
	}
}

// TestOpener checks that no browser is sent a header that it ignores with an error.
func TestOpener(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]string{
		"": "same-origin", "https://maps.example.com": "same-origin", "http://maps.example.com": "",
	} {
		server, _ := newApplication(t, func(o *web.Options, _ *service.Options) {
			if origin != "" {
				o.Origin, o.Password = origin, "correct horse battery"
			}
		})
		response, err := http.Get(server + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Cross-Origin-Opener-Policy"); got != want {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
}
