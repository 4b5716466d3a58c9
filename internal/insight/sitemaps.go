package insight

import (
	"errors"
	"net/http"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/source"
)

// A Sitemap is what a crawl found at the URL of a sitemap.
type Sitemap struct {
	URL    string `json:"url"`
	Named  bool   `json:"named"`            // robots.txt names it
	Why    Why    `json:"why"`              // it cannot be used
	Pages  int    `json:"pages"`            // that it lists
	Origin string `json:"origin,omitempty"` // of these pages, if it is one
}

// SitemapOf returns what a crawl found at the URL of a sitemap.
func SitemapOf(found crawl.SiteSitemap) Sitemap {
	one := Sitemap{URL: found.URL, Named: found.Named, Pages: found.Pages, Origin: found.Origin}
	if found.Err == nil {
		return one
	}
	one.Why = Why{Detail: crawl.NewDetail(crawl.DetailError, fetch.Why(found.Err))}
	if status, is := errors.AsType[*source.StatusError](found.Err); is {
		one.Why = Why{Status: status.Status, Detail: crawl.NewDetail(crawl.DetailStatus, http.StatusText(status.Status))}
	}
	return one
}

// sitemapCauses reports the sitemaps that robots.txt names and that cannot be used, and one
// that nothing names.
func sitemapCauses(end *End) (all []cause) {
	for _, one := range end.Sitemaps {
		switch {
		case one.Named && one.Why != (Why{}):
			all = append(all, cause{
				rule: "site-sitemap-broken", action: ActionFixSitemap, arguments: Arguments{one.URL, one.Why},
			})
		case !one.Named && one.Pages > 0 && (one.Origin == "" || hostOf(one.Origin) == hostOf(one.URL)):
			all = append(all, cause{
				rule: "site-sitemap-unnamed", action: ActionUseSitemap, arguments: Arguments{one.URL, one.Pages},
			})
		}
	}
	return all
}
