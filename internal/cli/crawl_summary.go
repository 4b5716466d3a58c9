package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// unmentioned are reasons that the summary leaves out: listed pages, and URLs that are
// not part of the site.
var unmentioned = []crawl.Reason{crawl.ReasonListed, crawl.ReasonAdded, crawl.ReasonOutOfScope}

// crawlSummary returns what a crawl found, for people.
func crawlSummary(r *app.CrawlResult, robotsIgnored bool) string {
	var t strings.Builder
	d := &r.Details
	if d.Cut != nil {
		t.WriteString("Partial result: ")
	}
	fmt.Fprintf(&t, "%s fetched in %.1f s, ", plural(r.Pages, "page"), r.Seconds)
	if r.Refused != "" {
		fmt.Fprintf(&t, "%s for the sitemap, which was not changed\n", plural(r.Listed, "page"))
	} else {
		fmt.Fprintf(&t, "%s in the sitemap:\n  %s\n", plural(r.Listed, "page"), strings.Join(r.Files, "\n  "))
	}
	writeBroken(&t, r)
	writeReasons(&t, r)
	if d.Dropped > 0 {
		fmt.Fprintf(&t, droppedText, d.Dropped)
	}
	if robotsIgnored {
		t.WriteString("\nrobots.txt was ignored (--ignore-robots).\n")
	}
	if r.Limit != "" {
		fmt.Fprintf(&t, "\nThe crawl stopped at --%s.\n", r.Limit)
	}
	if d.Cut != nil {
		fmt.Fprintf(&t, "\nThe crawl did not finish: %s.\n", cutText(d.Cut))
	}
	t.WriteString(checkSummary(&d.Check))
	fmt.Fprintf(&t, "\nFull report, with the reason for every page:\n  %s\n",
		cmp.Or(r.Report, "mapa report "+d.Folder+" --format html -o report.html"))
	if r.Pages == 1 && r.Limit == "" && d.Cut == nil {
		t.WriteString("\nOnly the start page was found: " + onlyStart(r) + "\n")
	}
	return t.String()
}

func writeBroken(t *strings.Builder, r *app.CrawlResult) {
	d := &r.Details
	if r.Broken > 0 {
		fmt.Fprintf(t, "\n%s; every link to them is in %s/broken.csv:\n", plural(r.Broken, "broken URL"), d.Folder)
		for _, b := range d.BrokenLinks {
			fmt.Fprintf(t, "  %s (%s)\n    on %s\n", printable(b.URL), printable(b.Why), printable(b.Page))
		}
		if more := r.Broken - len(d.BrokenLinks); more > 0 {
			fmt.Fprintf(t, "  and %d more\n", more)
		}
	}
	if r.Anchors > 0 {
		fmt.Fprintf(t, "\n%s to a missing anchor (#), also in %s/broken.csv\n", plural(r.Anchors, "link"), d.Folder)
	}
}

// writeReasons counts the URLs that are not in the sitemap.
func writeReasons(t *strings.Builder, r *app.CrawlResult) {
	title := "\nNot in the sitemap:\n"
	for _, e := range app.Reasons() {
		if n := r.Reasons[e.Reason]; n > 0 && !slices.Contains(unmentioned, e.Reason) {
			fmt.Fprintf(t, "%s  %7d %s\n", title, n, e.Brief)
			title = ""
		}
	}
	for _, trap := range slices.Sorted(maps.Keys(r.Traps)) {
		fmt.Fprintf(t, "          %s: %d\n", trap, r.Traps[trap])
	}
	if n := r.Details.Unlistable; n > 0 {
		fmt.Fprintf(t, "  %7d with a URL that no sitemap may contain\n", n)
	}
}

// checkSummary lists the problems that --fail-on found.
func checkSummary(r *app.CheckResult) string {
	var t strings.Builder
	checks := strings.Join(r.Checks, ",")
	switch {
	case len(r.Checks) == 0:
		return ""
	case r.Written:
		fmt.Fprintf(&t, "\n%s written to %s.\n", plural(r.Accepted, "problem"), r.Baseline)
		return t.String()
	case r.Failing == 0:
		fmt.Fprintf(&t, "\nNo problem of --fail-on %s", checks)
	default:
		fmt.Fprintf(&t, "\n%s of --fail-on %s", plural(r.Failing, "problem"), checks)
	}
	if r.Accepted > 0 {
		fmt.Fprintf(&t, ", besides %d in %s", r.Accepted, r.Baseline)
	}
	if r.Failing == 0 {
		t.WriteString(".\n")
		return t.String()
	}
	t.WriteString(":\n")
	for _, p := range r.First {
		fmt.Fprintf(&t, "  %s\n    on %s\n", printable(p.Message), printable(p.Page))
	}
	if more := r.Failing - len(r.First); more > 0 {
		fmt.Fprintf(&t, "  and %d more\n", more)
	}
	return t.String()
}

// onlyStart says why nothing but the start page was found.
func onlyStart(r *app.CrawlResult) string {
	switch {
	case r.Reasons[crawl.ReasonRobots] > 0:
		return "the others are blocked by robots.txt."
	case r.Reasons[crawl.ReasonNofollow] > 0:
		return "its links are nofollow."
	case r.Reasons[crawl.ReasonExcluded] > 0:
		return "the patterns exclude the others."
	case r.Reasons[crawl.ReasonCanonical] > 0:
		return "its canonical URL is on another site."
	case r.Reasons[crawl.ReasonOutOfScope] > 0:
		return "all of its links lead to other sites. --subdomains includes subdomains of this host."
	}
	return "it has no links. Mapa does not run JavaScript, so it cannot see links that only scripts create."
}
