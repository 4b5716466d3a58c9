package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
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
	pages    bitSet // by ID: those with findings
	total    int
	kinds    [faultKinds]int
	links    []alternateLink
}

// alternateLink is an hreflang link from a page to another version.
type alternateLink struct {
	page     crawl.ID
	from, to uint64
	language string
}

func (l *hreflangCheck) report(f hreflangFinding) {
	l.pages.add(f.page)
	l.kinds[f.fault]++
	if l.total++; len(l.findings) < maxFaults {
		l.findings = append(l.findings, f)
	}
}

// add records the hreflang links of a page. Only listed pages count: search engines
// ignore those of other pages.
func (l *hreflangCheck) add(r *crawl.Record, listed bool) {
	if !listed || r.Page.Extensions == nil {
		return
	}
	own := hashText(r.Link.URL)
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
			l.links = append(l.links, alternateLink{r.Link.ID, own, to, v.Hreflang})
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
func (l *hreflangCheck) compare(ctx context.Context, file crawl.Reader, listed []bool) error {
	if len(l.links) == 0 {
		return nil
	}
	known, err := pagesByURL(ctx, file)
	if err != nil {
		return err
	}
	back := make([][2]uint64, len(l.links))
	for i, c := range l.links {
		back[i] = [2]uint64{c.from, c.to}
	}
	pair := func(a, b [2]uint64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	slices.SortFunc(back, pair)
	for _, c := range l.links {
		at, found := slices.BinarySearchFunc(known, c.to,
			func(p hashedPage, hash uint64) int { return cmp.Compare(p.hash, hash) })
		if !found {
			continue
		}
		other := known[at].id
		if !listed[other] {
			l.report(hreflangFinding{c.page, faultNotListed, other, c.language})
		} else if _, named := slices.BinarySearchFunc(back, [2]uint64{c.to, c.from}, pair); !named {
			l.report(hreflangFinding{c.page, faultNoReturnLink, other, c.language})
		}
	}
	l.links = nil
	return nil
}

// pagesByURL returns the pages of the site sorted by the hash of their URLs.
func pagesByURL(ctx context.Context, file crawl.Reader) ([]hashedPage, error) {
	var known []hashedPage
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		if classOf(&r) != classOther {
			known = append(known, hashedPage{hashText(r.Link.URL), r.Link.ID})
		}
	}
	slices.SortFunc(known, func(a, b hashedPage) int { return cmp.Compare(a.hash, b.hash) })
	return known, nil
}

// mark sets want for the pages of the findings.
func (l *hreflangCheck) mark(want []bool) {
	for _, f := range l.findings {
		want[f.page], want[f.other] = true, true
	}
}
