package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

const (
	// maxFaults bounds the list of hreflang faults; their number is exact.
	maxFaults = 5000
	// maxVersions is how many versions of a page are looked at.
	maxVersions = 500
)

// A hreflangFault is what is wrong with the language versions that a page names
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
type hreflangFault int

const (
	faultNoSelfLink hreflangFault = iota // a page that names versions names itself too
	faultNoReturnLink                        // every version names every other
	faultNotListed                        // a version is a page that can be listed
	faultTwoURLs                          // a language has one address
)

type hreflangFinding struct {
	page     crawl.ID
	fault    hreflangFault
	other    crawl.ID // the version; 0 for none
	language string
}

// hreflangCheck compares the versions that pages name with each other. Addresses
// are kept as hashes, which is all that a comparison needs.
type hreflangCheck struct {
	findings []hreflangFinding
	total    int
	links   []alternateLink
}

// A alternateLink is that a page has a version in another language.
type alternateLink struct {
	page     crawl.ID
	from, to uint64
	language string
}

func (l *hreflangCheck) report(f hreflangFinding) {
	if l.total++; len(l.findings) < maxFaults {
		l.findings = append(l.findings, f)
	}
}

// add takes in what a page says of its versions. Only listed pages count: of
// the others, search engines read nothing.
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

// compare finds versions that do not name the page back or cannot be listed. A
// version that the crawl did not meet stays without a verdict.
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
		at, met := slices.BinarySearchFunc(known, c.to, func(p hashedPage, hash uint64) int { return cmp.Compare(p.hash, hash) })
		if !met {
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

// pagesByURL returns the pages of the site by the hashes of their addresses.
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

// mark notes the pages of the findings.
func (l *hreflangCheck) mark(want []bool) {
	for _, f := range l.findings {
		want[f.page], want[f.other] = true, true
	}
}
