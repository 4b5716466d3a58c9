package insight

import (
	"cmp"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// ruleOtherHost is the rule of a site whose pages lead to another one, and ruleCopy that of a site
// that says what its public address is.
const ruleOtherHost, ruleCopy = "site-other-host", "site-copy"

// otherHost reports a crawled site that is a copy of another one: its canonicals, its start page or
// its links say so.
func (j *judge) otherHost() (*cause, error) {
	site, pages, err := j.canonicalSite()
	if err != nil || site == "" {
		if address, err := j.publicAddress(); err != nil || address != "" {
			return &cause{rule: ruleCopy, isCopy: true, action: ActionBaseURL, arguments: Arguments{address}}, err
		}
		return j.linkedSite()
	}
	t := &j.totals
	return &cause{
		rule: ruleOtherHost, unusable: isMost(t.reasons[crawl.ReasonCanonical], t.fetched),
		isCopy: j.urls.has(1, isPrivate), action: ActionBaseURL, arguments: Arguments{site, pages, t.fetched},
	}, nil
}

// publicAddress returns the public address that the start page of a copy gives as its own, or "". For
// a site of this machine robots.txt may give it too, and sitemaps and feeds must not name another one.
func (j *judge) publicAddress() (string, error) {
	start := j.totals.start
	if start == nil || !j.end.BaseURL && !j.urls.has(1, isPrivate) {
		return "", nil
	}
	origin, address, isSaid, isOne := "", "", false, true
	add := func(url string, says bool) bool {
		host := hostOf(url)
		if host == "" || isPrivateHost(host) {
			return false
		}
		isOne = isOne && (origin == "" || hostOf(origin) == host)
		origin, isSaid = cmp.Or(origin, urlnorm.Origin(url)), isSaid || says
		return true
	}
	addPage := func(url string) {
		if add(url, true) {
			address = cmp.Or(address, siteWithPath(url, start.Link.URL))
		}
	}
	for _, edge := range append([]crawl.Edge{{To: start.Page.Target, Kind: crawl.EdgeCanonical}}, j.counts.named...) {
		if edge.To == 0 || j.urls.has(edge.To, isPage) || j.end.BaseURL && edge.Kind != crawl.EdgeCanonical {
			continue
		}
		link, err := j.crawled.Link(edge.To)
		if err != nil {
			return "", err
		}
		if edge.Kind == crawl.EdgeCanonical {
			addPage(link.URL)
		} else {
			add(link.URL, false)
		}
	}
	if facts := start.Page.Facts; facts != nil {
		for _, fault := range facts.Faults {
			if fault.Rule == ruleCopy {
				addPage(fault.Text)
			}
		}
	}
	for _, one := range j.end.Sitemaps {
		if !j.end.BaseURL {
			add(one.URL, one.Named)
			add(one.Origin, false)
		}
	}
	if !isSaid || !isOne {
		return "", nil
	}
	return cmp.Or(address, origin+"/"), nil
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

// linkedSite reports a site of this machine, or a single page, that links mostly to one other site, and
// to no page of its own.
func (j *judge) linkedSite() (*cause, error) {
	t := &j.totals
	if j.end.BaseURL || !j.urls.has(1, isPrivate) && !t.onlyStart() {
		return nil, nil
	}
	for id, used := range j.counts.used {
		if used && j.urls.has(crawl.ID(id), isPage) && !j.urls.has(crawl.ID(id), isExternal) {
			return nil, nil
		}
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
		rule: ruleOtherHost, unusable: t.onlyStart(), action: ActionBaseURL, arguments: Arguments{site + "/", most, all},
	}
	if !j.urls.has(1, isPrivate) {
		one.action = ActionCrawlOther
	}
	return one, nil
}
