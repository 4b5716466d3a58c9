package crawl

import (
	"context"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A CanonicalSite is another address of the crawled site: most pages name the same
// path there as canonical, as the pages of a preview do.
type CanonicalSite struct {
	URL   string `json:"url"`   // such as https://example.com/
	Pages int64  `json:"pages"` // that name it
	Of    int64  `json:"of"`    // pages that could be listed
}

// BrokenCanonicals says that most pages are left out because their canonical URL is broken, as of
// a copy that does not serve the URLs of the site.
type BrokenCanonicals struct {
	Pages  int64  `json:"pages"`  // that name one
	Of     int64  `json:"of"`     // pages that could be listed
	Page   string `json:"page"`   // the first of them
	Target string `json:"target"` // its canonical
	Why    string `json:"why"`    // what is wrong with that
}

// maxCanonicals is how many pages are read to find a CanonicalSite or BrokenCanonicals.
const maxCanonicals = 1000

// findObstacles finds what keeps all or most pages out of the sitemap: a canonical on
// another host or one that is broken, and noindex headers.
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
	pairs, err := readCanonicals(ctx, file)
	if err != nil {
		return err
	}
	share := func(n int) int64 { return int64(float64(n) / float64(len(pairs)) * float64(site.Pages)) }
	broken := brokenCanonicals(pairs)
	if n := share(len(broken)); n*2 > site.Of {
		first := &broken[0]
		r.BrokenCanonicals = &BrokenCanonicals{
			Pages: n, Of: site.Of, Page: first.page, Target: first.target.Link.URL, Why: report.Failure(&first.target),
		}
	}
	url, n := mostCanonical(pairs)
	if site.URL, site.Pages = url, share(n); site.Pages*2 > site.Of {
		r.Canonical = &site
	}
	return nil
}

// A canonicalPair is the URL of a page with the canonical that it names.
type canonicalPair struct {
	page   string
	target crawl.Record
}

// readCanonicals returns the first pages with another page as canonical.
func readCanonicals(ctx context.Context, file crawl.Reader) (pairs []canonicalPair, err error) {
	var targets []crawl.ID
	for record, err := range file.Pages(ctx, crawl.ReasonCanonical) {
		if err != nil {
			return nil, err
		}
		pairs, targets = append(pairs, canonicalPair{page: record.Link.URL}), append(targets, record.Page.Target)
		if len(pairs) == maxCanonicals {
			break
		}
	}
	for i, id := range targets {
		if pairs[i].target, _, err = file.Page(id); err != nil {
			return nil, err
		}
		pairs[i].target.Page.Links = nil
	}
	return pairs, nil
}

// brokenCanonicals returns the pages whose canonical is broken.
func brokenCanonicals(pairs []canonicalPair) (broken []canonicalPair) {
	for _, p := range pairs {
		if p.target.Page.Broken() {
			broken = append(broken, p)
		}
	}
	return broken
}

// mostCanonical returns the address at which most canonical URLs have the path of
// their page, and the number of those pages.
func mostCanonical(pairs []canonicalPair) (site string, pages int) {
	counts := map[string]int{}
	for _, p := range pairs {
		if other := siteWithPath(p.target.Link.URL, p.page); other != "" {
			if counts[other]++; counts[other] > counts[site] {
				site = other
			}
		}
	}
	return site, counts[site]
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
