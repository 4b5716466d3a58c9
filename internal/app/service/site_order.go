package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
)

// SitesByNeed returns the sites whose names contain a text, in any case, sorted by what there is to do: sites that lost
// pages, the newest loss first, then bad ones, those to fix, unknown ones and good ones, each by name, with c2 before
// c10. It skips the first ones up to offset, returns at most limit, and reports whether there are more. It reads all
// sites that it does not skip by their names.
func (s *Service) SitesByNeed(
	ctx context.Context, text string, offset, limit int,
) (sites []Site, more bool, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		hosts, err := tx.Hosts()
		if err != nil {
			return err
		}
		text = strings.ToLower(strings.TrimSpace(text))
		sites, err = s.readSites(tx, slices.DeleteFunc(siteNames(hosts, ""), func(name string) bool {
			return !strings.Contains(name, text)
		}))
		return err
	})
	slices.SortStableFunc(sites, compareNeed)
	sites = sites[min(max(offset, 0), len(sites)):]
	limit = bounded(limit)
	return sites[:min(limit, len(sites))], len(sites) > limit, err
}

// needs are the signs in the order in which sites with them are listed.
var needs = []insight.Sign{insight.SignBad, insight.SignFix, insight.SignUnknown, insight.SignGood}

func compareNeed(a, b Site) int {
	lost := func(s *Site) int64 {
		if s.Result == nil || s.Result.Counts.Losses == 0 {
			return 0
		}
		return s.Result.Created.UnixMilli()
	}
	return cmp.Or(cmp.Compare(lost(&b), lost(&a)),
		cmp.Compare(slices.Index(needs, a.Sign), slices.Index(needs, b.Sign)), compareNames(a.Name, b.Name))
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
