package insight

import (
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// otherHost reports a crawled site that is a copy of another one: its canonicals or its links lead
// there.
func (j *judge) otherHost() (*cause, error) {
	site, pages, err := j.canonicalSite()
	if err != nil || site == "" {
		return j.linkedSite()
	}
	t := &j.totals
	return &cause{
		rule: "site-other-host", unusable: isMost(t.reasons[crawl.ReasonCanonical], t.fetched), action: ActionBaseURL,
		arguments: Arguments{site, pages, t.fetched},
	}, nil
}

// canonicalSite returns the address at which most pages of the crawl have their canonical URL,
// with their own path, and how many pages.
func (j *judge) canonicalSite() (site string, pages int, err error) {
	t := &j.totals
	all := t.reasons[crawl.ReasonCanonical]
	if all*2 <= t.fetched {
		return "", 0, nil
	}
	counts := map[string]int{}
	for _, one := range t.canonicals {
		page, err := j.crawled.Link(one.from)
		if err != nil {
			return "", 0, err
		}
		canonical, err := j.crawled.Link(one.to)
		if err != nil {
			return "", 0, err
		}
		if other := siteWithPath(canonical.URL, page.URL); other != "" {
			if counts[other]++; counts[other] > counts[site] {
				site = other
			}
		}
	}
	if site == "" {
		return "", 0, nil
	}
	if pages = all * counts[site] / len(t.canonicals); pages*2 <= t.fetched {
		return "", 0, nil
	}
	return site, pages, nil
}

// siteWithPath returns the address below which a URL on another host has the path of
// a page, with or without its final slash, or "".
func siteWithPath(other, page string) string {
	otherOrigin, otherPath := urlnorm.CutOrigin(strings.TrimSuffix(other, "index.html"))
	origin, path := urlnorm.CutOrigin(strings.TrimSuffix(page, "index.html"))
	_, host, _ := strings.Cut(origin, "://")
	_, otherHost, _ := strings.Cut(otherOrigin, "://")
	folder, found := strings.CutSuffix(strings.TrimSuffix(otherPath, "/"), strings.TrimSuffix(path, "/"))
	if !found || host == otherHost {
		return ""
	}
	return otherOrigin + folder + "/"
}

// minOtherLinks is how many URLs of another site a local copy links to, at least.
const minOtherLinks = 3

// linkedSite reports a site of this machine, or a single page, that links mostly to one other site.
func (j *judge) linkedSite() (*cause, error) {
	t := &j.totals
	if j.end.BaseURL || !j.urls.has(1, isPrivate) && !t.onlyStart() {
		return nil, nil
	}
	site, most, all := "", 0, 0
	for origin, n := range t.others {
		if all += n; n > most || n == most && origin < site {
			site, most = origin, n
		}
	}
	if most < minOtherLinks || most*2 < all || most <= t.Listed {
		return nil, nil
	}
	one := &cause{
		rule: "site-other-host", unusable: t.onlyStart(), action: ActionBaseURL, arguments: Arguments{site + "/", most, all},
	}
	if !j.urls.has(1, isPrivate) {
		one.action = ActionCrawlOther
	}
	return one, nil
}
