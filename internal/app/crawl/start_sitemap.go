package crawl

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/source"
)

const (
	// probeTime is how long it may take to read the first pages of a sitemap.
	probeTime = time.Minute
	// probedPages is how many of its pages are read.
	probedPages = 1000
)

// useSitemap begins with the site of a sitemap, and with the pages of the sitemap, where the user
// named that as the start. err says why the start is no page.
func (r *crawlRun) useSitemap(ctx context.Context, err error) bool {
	start, is := errors.AsType[*crawl.StartError](err)
	if !is || start.Status != http.StatusOK || r.site != nil || r.start.sitemap != "" || !mayBeSitemap(start.MediaType) {
		return false
	}
	site := r.siteOfSitemap(ctx, r.options.Start)
	if site == "" {
		return false
	}
	r.app.Notify("notice.sitemap", addresses.TruncatedAddress(r.options.Start), addresses.TruncatedAddress(site))
	r.beginWithSitemap(site, r.options.Start)
	return true
}

// mayBeSitemap reports whether a sitemap may have a media type.
func mayBeSitemap(mediaType string) bool {
	return mediaType == "text/plain" || mediaType == "application/octet-stream" ||
		strings.Contains(mediaType, "xml") || strings.Contains(mediaType, "gzip")
}

// siteOfSitemap returns the start of the site that a sitemap is of, or "" if it lists no page: its
// folder if that is the site of --base-url or a page of the sitemap, otherwise the root of its host.
func (r *crawlRun) siteOfSitemap(ctx context.Context, sitemap string) (site string) {
	root, err := url.Parse(sitemap)
	if err != nil {
		return ""
	}
	root.RawQuery, root.Fragment, root.User = "", "", nil
	folder := *root
	folder.Path, folder.RawPath = root.Path[:strings.LastIndex(root.Path, "/")+1], ""
	root.Path, root.RawPath = "/", ""
	options, err := r.options.Source()
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	read := 0
	for address, err := range sitemapAddresses(ctx, []string{sitemap}, options) {
		named, failed := errors.AsType[*source.Error](err)
		switch {
		case failed && named.Index == "", ctx.Err() != nil, read == probedPages:
			return site
		case err != nil || !urlnorm.IsHTTP(address):
			continue
		case r.options.BaseURL != "" || address == folder.String():
			return folder.String()
		}
		site, read = root.String(), read+1
	}
	return site
}

// beginWithSitemap moves the run to a site, whose crawl begins with a sitemap too.
func (r *crawlRun) beginWithSitemap(site, sitemap string) {
	settings := *r.settings
	settings.Seeds.Sitemaps = append(slices.Clone(settings.Seeds.Sitemaps), sitemap)
	r.settings = &settings
	next := r.start
	next.sitemap = sitemap
	r.moveTo(next, site)
}
