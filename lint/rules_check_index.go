package lint

import (
	"net/url"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// checkIndex applies the rules about an index and the sitemaps that it lists.
func checkIndex(i *indexCheck) {
	seen := map[string]int{}
	for n := range i.children {
		child := &i.children[n]
		checkChild(i, child, seen)
		seen[child.loc] = child.line
	}
	checkIndexDates(i)
}

// checkChild compares an entry with the file that it leads to. Seen are the lines
// of the entries before.
func checkChild(i *indexCheck, child *listedSitemap, seen map[string]int) {
	index, file := i.fileSummary, i.set.child(i.fileSummary, child.loc)
	if line, twice := seen[child.loc]; twice {
		i.report(childDuplicate, child, newText("rule.child-duplicate.found", printable(child.loc), line))
		return
	}
	checkChildScope(i, child)
	switch {
	case file == nil:
	case file == index:
		i.report(selfReference, child, newText("rule.self-reference.found"))
	case i.set.isAncestor(file, index):
		i.report(indexCycle, child, newText("rule.index-cycle.found"))
	case ruleForChild(file.failed) != nil:
		i.report(ruleForChild(file.failed), child, newText("finding.cause", printable(child.loc), file.why))
	case file.address == index.address && file.address != "":
		i.report(childRedirects, child, newText("rule.child-redirects-to-parent.found"))
	case file.format == sitemap.FormatIndex:
		i.report(nestedIndex, child, newText("rule.nested-index.found"))
	case isOlder(child.lastMod, file.newest):
		i.report(indexLastModOlder, child, newText("rule.index-lastmod-older-than-child.found", file.newest.Format(time.DateOnly)))
	}
}

// ruleForChild returns the rule that an index breaks by listing a file that could not be
// opened, for the rule that the file breaks. It is nil where only the file is at fault.
func ruleForChild(failed *Rule) *Rule {
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
func checkChildScope(i *indexCheck, child *listedSitemap) {
	origin := i.scope.Origin
	u, err := url.Parse(child.loc)
	if err != nil || u.Host == "" || origin == nil {
		return
	}
	switch i.scope.Compare(u) {
	case scan.OtherHost, scan.OtherWWW, scan.OtherPort:
		if !scan.IsVerified(i.options.VerifiedHosts, u) {
			i.report(childOtherSite, child, newText("rule.child-other-site.found", printable(u.Host), printable(origin.Host)))
		}
	case scan.OtherPath:
		folder := printable(scan.Folder(i.scope.Address))
		i.report(childAboveDirectory, child, newText("rule.child-above-directory.found", folder))
	}
}

// checkIndexDates looks at all dates of an index together.
func checkIndexDates(i *indexCheck) {
	if i.format != sitemap.FormatIndex {
		return
	}
	dated, now := 0, 0
	for n := range i.children {
		if d := i.children[n].lastMod; !d.IsZero() {
			dated++
			if i.options.Now.Sub(d.Time()).Abs() < time.Hour {
				now++
			}
		}
	}
	switch n := len(i.children); {
	case n > 0 && dated == 0:
		i.report(indexLastModMissing, nil, newText("rule.index-lastmod-missing.found"))
	case n > 2 && now == n:
		i.report(indexLastModAllNow, nil, newText("rule.index-lastmod-all-now.found", n))
	}
}

// checkFileSet applies the limits of Google for all files of a run. The findings are
// those of the first file.
func checkFileSet(first *indexCheck) {
	files := first.set.files
	indexes, pages, failed := 0, int64(0), false
	for _, file := range files {
		pages += int64(file.pages)
		failed = failed || file.failed != nil
		if file.read && file.format == sitemap.FormatIndex {
			indexes++
			failed = failed || first.set.lacksChildren(file)
		}
	}
	if indexes > 500 {
		first.report(tooManyIndexes, nil, newText("rule.too-many-indexes.found", indexes, 500))
	}
	if len(files) > 1000 {
		first.report(manySitemaps, nil, newText("rule.over-1000-sitemaps.found", len(files), 1000))
	}
	if indexes > 0 && indexes < len(files) && pages == 0 && !failed { // what failed has a finding of its own
		first.report(setEmpty, nil, newText("rule.set-empty.found"))
	}
}
