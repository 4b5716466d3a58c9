package crawl

import (
	"context"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A CanonicalSite is another address of the crawled site: most pages name the same
// path there as canonical, as the pages of a preview do.
type CanonicalSite struct {
	URL   string `json:"url"`   // such as https://example.com/
	Pages int64  `json:"pages"` // that name it
	Of    int64  `json:"of"`    // pages that could be listed
}

// maxCanonicals is how many pages are read to find a CanonicalSite.
const maxCanonicals = 1000

// findObstacles finds what keeps all or most pages out of the sitemap: a canonical on
// another host, and noindex headers.
func (r *Result) findObstacles(ctx context.Context, file crawl.Reader, summary *crawl.Summary) error {
	if r.Listed == 0 {
		for record, err := range file.Pages(ctx, crawl.ReasonNoIndex) {
			if err != nil {
				return err
			}
			if record.Page.Detail == crawl.DetailRobotsHeader {
				r.Details.NoIndexHeader++
			}
		}
	}
	site := CanonicalSite{Pages: summary.Reasons[crawl.ReasonCanonical]}
	for _, reason := range []crawl.Reason{
		crawl.ReasonListed, crawl.ReasonCanonical, crawl.ReasonNoIndex, crawl.ReasonNoList,
		crawl.ReasonDuplicate, crawl.ReasonParameterVariant,
	} {
		site.Of += summary.Reasons[reason]
	}
	if site.Pages*2 <= site.Of {
		return nil
	}
	var err error
	var share float64
	if site.URL, share, err = mostCanonical(ctx, file); err != nil || site.URL == "" {
		return err
	}
	if site.Pages = int64(share * float64(site.Pages)); site.Pages*2 > site.Of {
		r.Canonical = &site
	}
	return nil
}

// mostCanonical returns the address at which most canonical URLs have the path of
// their page, and the share of those pages.
func mostCanonical(ctx context.Context, file crawl.Reader) (site string, share float64, err error) {
	var pages []crawl.Record
	for record, err := range file.Pages(ctx, crawl.ReasonCanonical) {
		if err != nil {
			return "", 0, err
		}
		if pages = append(pages, record); len(pages) == maxCanonicals {
			break
		}
	}
	counts := map[string]int{}
	for i := range pages {
		target, _, err := file.Page(pages[i].Page.Target)
		if err != nil {
			return "", 0, err
		}
		if other := siteWithPath(target.Link.URL, pages[i].Link.URL); other != "" {
			if counts[other]++; counts[other] > counts[site] {
				site = other
			}
		}
	}
	if site == "" {
		return "", 0, nil
	}
	return site, float64(counts[site]) / float64(len(pages)), nil
}

// siteWithPath returns the address below which a URL on another host has the path of
// a page, or "".
func siteWithPath(other, page string) string {
	otherOrigin, otherPath := urlnorm.CutOrigin(strings.TrimSuffix(other, "index.html"))
	origin, path := urlnorm.CutOrigin(strings.TrimSuffix(page, "index.html"))
	_, host, _ := strings.Cut(origin, "://")
	_, otherHost, _ := strings.Cut(otherOrigin, "://")
	folder, found := strings.CutSuffix(otherPath, path)
	if !found || host == otherHost {
		return ""
	}
	return otherOrigin + folder + "/"
}
