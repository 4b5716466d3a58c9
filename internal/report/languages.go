package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

const (
	// mostFaults bounds the list of hreflang faults; their number is exact.
	mostFaults = 5000
	// mostVersions is how many versions of a page are looked at.
	mostVersions = 500
)

// A languageFault is what is wrong with the language versions that a page names
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
type languageFault int

const (
	notItself languageFault = iota // a page that names versions names itself too
	notBack                        // every version names every other
	notGood                        // a version is a page that can be listed
	twice                          // a language has one address
)

type languageFinding struct {
	page     crawl.ID
	fault    languageFault
	other    crawl.ID // the version; 0 for none
	language string
}

// languages compares the versions that pages name with each other. Addresses
// are kept as hashes, which is all that a comparison needs.
type languages struct {
	findings []languageFinding
	total    int
	claims   []claim
}

// A claim is that a page has a version in another language.
type claim struct {
	page     crawl.ID
	from, to uint64
	language string
}

func (l *languages) fault(f languageFinding) {
	if l.total++; len(l.findings) < mostFaults {
		l.findings = append(l.findings, f)
	}
}

// add takes in what a page says of its versions. Only listed pages count: of
// the others, search engines read nothing.
func (l *languages) add(r *crawl.Record, listed bool) {
	if !listed || r.Page.Extensions == nil {
		return
	}
	own := hashText(r.Link.URL)
	versions := r.Page.Extensions.Alternates
	versions = versions[:min(len(versions), mostVersions)]
	itself, named := false, 0
	for i := range versions {
		v := &versions[i]
		if v.Hreflang == "" {
			continue
		}
		named++
		to := hashText(v.Href)
		itself = itself || to == own
		if namedBefore(versions[:i], v) {
			l.fault(languageFinding{r.Link.ID, twice, 0, v.Hreflang})
		}
		if to != own {
			l.claims = append(l.claims, claim{r.Link.ID, own, to, v.Hreflang})
		}
	}
	if named == 0 {
		return
	}
	if !itself {
		l.fault(languageFinding{page: r.Link.ID, fault: notItself, language: r.Page.Language})
	}
}

func namedBefore(versions []sitemap.Alternate, v *sitemap.Alternate) bool {
	for i := range versions {
		if versions[i].Hreflang == v.Hreflang && versions[i].Href != v.Href {
			return true
		}
	}
	return false
}

// compare finds versions that do not name the page back or cannot be listed. A
// version that the crawl did not meet stays without a verdict.
func (l *languages) compare(ctx context.Context, file crawl.Reader, listed []bool) error {
	if len(l.claims) == 0 {
		return nil
	}
	known, err := versions(ctx, file)
	if err != nil {
		return err
	}
	back := make([][2]uint64, len(l.claims))
	for i, c := range l.claims {
		back[i] = [2]uint64{c.from, c.to}
	}
	pair := func(a, b [2]uint64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	slices.SortFunc(back, pair)
	for _, c := range l.claims {
		at, met := slices.BinarySearchFunc(known, c.to, func(p likePage, hash uint64) int { return cmp.Compare(p.hash, hash) })
		if !met {
			continue
		}
		other := known[at].id
		if !listed[other] {
			l.fault(languageFinding{c.page, notGood, other, c.language})
		} else if _, named := slices.BinarySearchFunc(back, [2]uint64{c.to, c.from}, pair); !named {
			l.fault(languageFinding{c.page, notBack, other, c.language})
		}
	}
	l.claims = nil
	return nil
}

// versions returns the pages of the site by the hashes of their addresses.
func versions(ctx context.Context, file crawl.Reader) ([]likePage, error) {
	var known []likePage
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		if classOf(&r) != beside {
			known = append(known, likePage{hashText(r.Link.URL), r.Link.ID})
		}
	}
	slices.SortFunc(known, func(a, b likePage) int { return cmp.Compare(a.hash, b.hash) })
	return known, nil
}

// mark notes the pages of the findings.
func (l *languages) mark(want []bool) {
	for _, f := range l.findings {
		want[f.page], want[f.other] = true, true
	}
}
