package report

import (
	"cmp"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/sitemap"
)

const (
	// maxFaults limits the list of hreflang errors. Their count is exact.
	maxFaults = 5000
	// maxVersions is the number of versions of one page that are checked.
	maxVersions = 500
)

// hreflangFault is a kind of hreflang error
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
type hreflangFault int

const (
	faultNoSelfLink   hreflangFault = iota // no self-referencing hreflang
	faultNoReturnLink                      // the version does not link back
	faultNotListed                         // the version is not a listed page
	faultTwoURLs                           // one language has two URLs
	faultKinds
)

type hreflangFinding struct {
	page     crawl.ID
	fault    hreflangFault
	other    crawl.ID // version with the error, or 0
	language string
}

// hreflangCheck compares the hreflang links of pages. It keeps hashes of URLs, which
// is enough for a comparison.
type hreflangCheck struct {
	findings []hreflangFinding
	pages    bitset.Set[crawl.ID] // by ID: those with findings
	total    int
	kinds    [faultKinds]int
	links    []alternateLink
	hashes   []uint64             // of the URLs of the site, by ID; 0 for other URLs
	listed   bitset.Set[crawl.ID] // by ID
}

// alternateLink is an hreflang link from a page to another version.
type alternateLink struct {
	page     crawl.ID
	to       uint64
	language string
}

func (l *hreflangCheck) report(f hreflangFinding) {
	l.pages.Add(f.page)
	l.kinds[f.fault]++
	if l.total++; len(l.findings) < maxFaults {
		l.findings = append(l.findings, f)
	}
}

// add records a page of the site and its hreflang links. Only listed pages count: search
// engines ignore those of other pages.
func (l *hreflangCheck) add(r *crawl.Record, listed bool) {
	own := hashText(r.Link.URL)
	for crawl.ID(len(l.hashes)) <= r.Link.ID {
		l.hashes = append(l.hashes, 0)
	}
	l.hashes[r.Link.ID] = own
	if listed {
		l.listed.Add(r.Link.ID)
	}
	if !listed || r.Page.Extensions == nil {
		return
	}
	versions := r.Page.Extensions.Alternates
	versions = versions[:min(len(versions), maxVersions)]
	itself, named := false, 0
	for i := range versions {
		v := &versions[i]
		if v.Hreflang == "" {
			continue
		}
		named++
		to := hashText(v.Href)
		itself = itself || to == own
		if hasOtherURL(versions[:i], v) {
			l.report(hreflangFinding{r.Link.ID, faultTwoURLs, 0, v.Hreflang})
		}
		if to != own {
			l.links = append(l.links, alternateLink{r.Link.ID, to, v.Hreflang})
		}
	}
	if named == 0 {
		return
	}
	if !itself {
		l.report(hreflangFinding{page: r.Link.ID, fault: faultNoSelfLink, language: r.Page.Language})
	}
}

func hasOtherURL(versions []sitemap.Alternate, v *sitemap.Alternate) bool {
	for i := range versions {
		if versions[i].Hreflang == v.Hreflang && versions[i].Href != v.Href {
			return true
		}
	}
	return false
}

// compare finds versions that do not link back or are not listed. It skips versions
// that the crawl does not know.
func (l *hreflangCheck) compare() {
	known := l.versions()
	back := make([][2]uint64, len(l.links))
	for i, c := range l.links {
		back[i] = [2]uint64{l.hashes[c.page], c.to}
	}
	pair := func(a, b [2]uint64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	slices.SortFunc(back, pair)
	for _, c := range l.links {
		at, _ := slices.BinarySearchFunc(known, c.to, hashedPage.compareHash)
		other := known[at].id
		if other == 0 {
			continue
		}
		if !l.listed.Has(other) {
			l.report(hreflangFinding{c.page, faultNotListed, other, c.language})
		} else if _, named := slices.BinarySearchFunc(back, [2]uint64{c.to, l.hashes[c.page]}, pair); !named {
			l.report(hreflangFinding{c.page, faultNoReturnLink, other, c.language})
		}
	}
	l.links, l.hashes, l.listed = nil, nil, nil
}

// versions returns what pages name as versions, sorted by the hashes of the URLs. The ID of
// a URL that the crawl does not know is 0.
func (l *hreflangCheck) versions() []hashedPage {
	named := make([]hashedPage, len(l.links))
	for i := range l.links {
		named[i].hash = l.links[i].to
	}
	slices.SortFunc(named, func(a, b hashedPage) int { return cmp.Compare(a.hash, b.hash) })
	named = slices.Compact(named)
	if len(named) == 0 {
		return nil
	}
	for id, hash := range l.hashes {
		if at, found := slices.BinarySearchFunc(named, hash, hashedPage.compareHash); found {
			named[at].id = crawl.ID(id)
		}
	}
	return named
}

// mark sets want for the pages of the findings.
func (l *hreflangCheck) mark(want []bool) {
	for _, f := range l.findings {
		want[f.page], want[f.other] = true, true
	}
}
