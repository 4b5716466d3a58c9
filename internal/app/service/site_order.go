package service

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
)

// A SiteFilter selects sites. Its zero value selects all.
type SiteFilter struct {
	Text  string       // a part of the name, in any case
	Sign  insight.Sign // empty is any
	Label string       // empty is any
}

// selects reports whether the filter selects a site.
func (f *SiteFilter) selects(site *Site) bool {
	return strings.Contains(site.Name, strings.ToLower(strings.TrimSpace(f.Text))) &&
		(f.Sign == "" || site.Sign == f.Sign) && (f.Label == "" || slices.Contains(site.Labels, f.Label))
}

// A SiteList is a part of the sites that a filter selects.
type SiteList struct {
	Sites []Site
	// Total is the number of all sites that the filter selects, and Worse how many of them lost pages or do not answer.
	Total, Worse int
	Since        time.Time // when the first of these got worse; zero without any
	Labels       []string  // of all sites, sorted
}

// maxPoints is the most crawls of the chart of a site in the list.
const maxPoints = 30

// SitesByNeed returns the sites that a filter selects, sorted by what there is to do: sites that lost pages, the newest
// loss first, then bad ones, those to fix, unknown ones and good ones, each by name, with c2 before c10. It skips the
// first ones up to offset, and returns at most limit.
func (s *Service) SitesByNeed(ctx context.Context, filter SiteFilter, offset, limit int) (list SiteList, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		sites, err := s.readSites(tx)
		if err != nil {
			return err
		}
		list.add(sites, filter)
		list.Sites = list.Sites[min(max(offset, 0), len(list.Sites)):]
		list.Sites = list.Sites[:min(bounded(limit), len(list.Sites))]
		if err := readBefore(tx, list.Sites); err != nil {
			return err
		}
		return readListed(tx, list.Sites)
	})
	return list, err
}

// add adds the sites that a filter selects, in their order, and counts them.
func (l *SiteList) add(sites []Site, filter SiteFilter) {
	for i := range sites {
		site := &sites[i]
		l.Labels = append(l.Labels, site.Labels...)
		if !filter.selects(site) {
			continue
		}
		l.Sites = append(l.Sites, *site)
		if site.Worse.IsZero() {
			continue
		}
		l.Worse++
		if l.Since.IsZero() || site.Worse.Before(l.Since) {
			l.Since = site.Worse
		}
	}
	slices.Sort(l.Labels)
	l.Labels, l.Total = slices.Compact(l.Labels), len(l.Sites)
	slices.SortFunc(l.Sites, compareNeed)
}

// readListed adds how many pages the crawls of sites listed.
func readListed(tx *jobs.Tx, sites []Site) error {
	var hosts []string
	at := map[string]*Site{}
	for i := range sites {
		hosts = append(hosts, addresses.SiteHosts(sites[i].Name)...)
		at[sites[i].Name] = &sites[i]
	}
	points, err := tx.Points(hosts, maxPoints)
	for _, p := range points {
		site := at[addresses.SiteName(p.Host)]
		site.Listed = append(site.Listed, p)
	}
	return err
}

// needs are the signs in the order in which sites with them are listed.
var needs = []insight.Sign{insight.SignBad, insight.SignFix, insight.SignUnknown, insight.SignGood}

func compareNeed(a, b Site) int {
	lost := func(s *Site) int64 {
		if s.Result == nil || s.Result.Counts.Losses == 0 {
			return 0
		}
		return s.Worse.UnixMilli()
	}
	return cmp.Or(cmp.Compare(lost(&b), lost(&a)),
		cmp.Compare(slices.Index(needs, a.Sign), slices.Index(needs, b.Sign)), compareNames(a.Name, b.Name),
		cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
}

// compareNames compares names as people sort them: numbers by their value.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		digitsA, digitsB := leadingDigits(a), leadingDigits(b)
		if digitsA == "" || digitsB == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		left, right := strings.TrimLeft(digitsA, "0"), strings.TrimLeft(digitsB, "0")
		if order := cmp.Or(cmp.Compare(len(left), len(right)), strings.Compare(left, right)); order != 0 {
			return order
		}
		a, b = a[len(digitsA):], b[len(digitsB):]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}
