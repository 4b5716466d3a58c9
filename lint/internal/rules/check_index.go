package rules

import (
	"net/url"
	"time"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scope"
	"github.com/mapatools/mapa/sitemap"
)

// CheckIndex applies the rules about an index and the sitemaps that it lists.
func CheckIndex(i *rule.Index) {
	seen := map[string]int{}
	for n := range i.Children {
		child := &i.Children[n]
		checkChild(i, child, seen)
		seen[child.Loc] = child.Line
	}
	checkIndexDates(i)
}

// checkChild compares an entry with the file that it leads to. Seen are the lines
// of the entries before.
func checkChild(i *rule.Index, child *rule.Child, seen map[string]int) {
	index, file := i.Summary, i.Set.Child(i.Summary, child.Loc)
	if line, twice := seen[child.Loc]; twice {
		i.Report(childDuplicate, child, display.Text(child.Loc)+" is already listed on line "+display.Number(line))
		return
	}
	checkChildScope(i, child)
	switch {
	case file == nil:
	case file == index:
		i.Report(selfReference, child, "the index lists itself")
	case i.Set.IsAncestor(file, index):
		i.Report(indexCycle, child, "the listed index lists this index")
	case ForChild(file.Failed) != nil:
		i.Report(ForChild(file.Failed), child, display.Text(child.Loc)+": "+file.Why)
	case file.Address == index.Address && file.Address != "":
		i.Report(childRedirects, child, "it redirects to the index itself")
	case file.Format == sitemap.FormatIndex:
		i.Report(nestedIndex, child, "it is a sitemap index, not a sitemap")
	case isOlder(child.LastMod, file.Newest):
		i.Report(indexLastModOlder, child, "a page in the sitemap changed on "+file.Newest.Format("2006-01-02"))
	}
}

// ForChild returns the rule that an index breaks by listing a file that could not be
// opened, for the rule that the file breaks. It is nil where only the file is at fault.
func ForChild(failed *rule.Rule) *rule.Rule {
	switch failed {
	case htmlInstead, softNotFound, rootUnknown, emptyBody:
		return childNotSitemap
	case httpStatus, fetchFail, fileUnreadable, fetchTimeout, fetchDNS, fetchTLS, redirectLimit:
		return childUnreachable
	}
	return nil
}

// isOlder compares by days, since indexes often have the day only.
func isOlder(lastMod sitemap.Date, newest time.Time) bool {
	const day = 24 * time.Hour
	return !lastMod.IsZero() && !newest.IsZero() && lastMod.Time().UTC().Truncate(day).Add(day).Before(newest)
}

// checkChildScope compares the addresses of an index and an entry.
func checkChildScope(i *rule.Index, child *rule.Child) {
	origin := i.Scope.Origin
	u, err := url.Parse(child.Loc)
	if err != nil || u.Host == "" || origin == nil {
		return
	}
	switch i.Scope.Compare(u) {
	case scope.OtherHost, scope.OtherWWW, scope.OtherPort:
		if !scope.IsVerified(i.Options.VerifiedHosts, u) {
			i.Report(childOtherSite, child, display.Text(u.Host)+" is a different host than "+display.Text(origin.Host))
		}
	case scope.OtherPath:
		i.Report(childAboveDirectory, child, "it is outside the index's folder "+display.Text(scope.Folder(i.Scope.Address)))
	}
}

// checkIndexDates looks at all dates of an index together.
func checkIndexDates(i *rule.Index) {
	if i.Format != sitemap.FormatIndex {
		return
	}
	dated, now := 0, 0
	for n := range i.Children {
		if d := i.Children[n].LastMod; !d.IsZero() {
			dated++
			if i.Options.Now.Sub(d.Time()).Abs() < time.Hour {
				now++
			}
		}
	}
	switch n := len(i.Children); {
	case n > 0 && dated == 0:
		i.Report(indexLastModMissing, nil, "no sitemap in the index has a lastmod")
	case n > 2 && now == n:
		i.Report(indexLastModAllNow, nil, "all "+display.Number(n)+" sitemaps have a lastmod within one hour of now")
	}
}

// CheckSet applies the limits of Google for all files of a run. The findings are
// those of the first file.
func CheckSet(first *rule.Index) {
	files := first.Set.Files
	indexes, pages, failed := 0, int64(0), false
	for _, file := range files {
		pages += int64(file.Pages)
		failed = failed || file.Failed != nil
		if file.Read && file.Format == sitemap.FormatIndex {
			indexes++
		}
	}
	if indexes > 500 {
		first.Report(tooManyIndexes, nil,
			display.Number(indexes)+" sitemap indexes, but Search Console accepts 500 for a site")
	}
	if len(files) > 1000 {
		first.Report(manySitemaps, nil, display.Number(len(files))+" sitemaps, but the Search Console report shows 1,000")
	}
	if indexes > 0 && pages == 0 && !failed { // what failed has a finding of its own
		first.Report(setEmpty, nil, "none of the sitemaps lists a page")
	}
}
