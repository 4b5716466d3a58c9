package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/checks"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/results"
)

// unmentioned are reasons that the summary leaves out: listed pages, and URLs that are
// not part of the site.
var unmentioned = []crawl.Reason{crawl.ReasonListed, crawl.ReasonAdded, crawl.ReasonOutOfScope}

// crawlSummary returns what a crawl found, for people.
func crawlSummary(r *appcrawl.Result, robotsIgnored bool) string {
	var t strings.Builder
	d := &r.Details
	t.WriteString(verdictText(r.Verdict))
	fmt.Fprintf(&t, "%s fetched in %.1f s, ", plural(int(r.Pages), "page"), r.Seconds)
	switch {
	case r.Refused != "" && r.Before == 0:
		fmt.Fprintf(&t, "%s for the sitemap, which was not written\n", plural(r.Listed, "page"))
	case r.Refused != "":
		fmt.Fprintf(&t, "%s for the sitemap, which was not changed\n", plural(r.Listed, "page"))
	default:
		fmt.Fprintf(&t, "%s in the sitemap:\n  %s\n", plural(r.Listed, "page"), filesText(r.Files, d.Parts))
	}
	t.WriteString(documentsSummary(r.Documents))
	if lost := r.Before - r.Listed; r.Refused == "" && lost*20 > r.Before {
		fmt.Fprintf(&t, lostText, lost, plural(r.Before, "page"), 100*float64(lost)/float64(r.Before))
	}
	t.WriteString(changesSummary(r))
	writeBroken(&t, r)
	writeReasons(&t, r)
	t.WriteString(returningSummary(r.Returning))
	writeOrphans(&t, r)
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
	t.WriteString(findingsText(r))
	fmt.Fprintf(&t, "\nFull report, with the reason for every page:\n  %s\n",
		cmp.Or(r.Report, "mapa report "+d.Folder+" --format html -o report.html"))
	return t.String()
}

// filesText lists the files of a sitemap, one a line, with those that are uploaded together with
// an index.
func filesText(files, parts []string) string {
	if len(files) == 0 || len(parts) == 0 {
		return strings.Join(files, "\n  ")
	}
	names := strings.Join(parts, ", ")
	if len(parts) > 3 {
		names = fmt.Sprintf("%s to %s", parts[0], parts[len(parts)-1])
	}
	index := fmt.Sprintf("%s, the index of %s: %s", files[0], plural(len(parts), "file"), names)
	return strings.Join(append([]string{index}, files[1:]...), "\n  ")
}

// documentsSummary counts the listed documents by kind.
func documentsSummary(documents map[crawl.DocumentKind]int64) string {
	var kinds []string
	total := int64(0)
	for _, kind := range crawl.DocumentKinds() {
		if n := documents[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
			total += n
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s among them: %s\n", plural(int(total), "document"), strings.Join(kinds, ", "))
}

// changesSummary counts what changed since the previous crawl.
func changesSummary(r *appcrawl.Result) string {
	c := r.Changes
	if c == nil {
		return ""
	}
	var changes []string
	for _, change := range []struct {
		n    int
		name string
	}{
		{c.New, "new"}, {c.Gone, "gone"}, {c.Changed, "changed"}, {c.NewlyBroken, "newly broken"}, {c.Fixed, "fixed"},
		{c.Unchanged, "unchanged"},
	} {
		if change.n > 0 {
			changes = append(changes, fmt.Sprintf("%d %s", change.n, change.name))
		}
	}
	return fmt.Sprintf("\nURLs since the crawl of %s: %s\n", r.Details.Previous.Local().Format("2006-01-02 15:04"),
		strings.Join(changes, ", "))
}

// maxShownBroken is how many broken URLs the summary names.
const maxShownBroken = 10

func writeBroken(t *strings.Builder, r *appcrawl.Result) {
	d := &r.Details
	if d.Late {
		fmt.Fprintf(t, "\n%s. There was no time left to list the links to them: mapa report %s does.\n",
			plural(int(r.Broken), "broken URL"), printable(d.Folder))
		return
	}
	if r.Broken > 0 {
		fmt.Fprintf(t, "\n%s", plural(int(r.Broken), "broken URL"))
		if d.LinkedBroken > 0 {
			fmt.Fprintf(t, "; every link to them is in %s/broken.csv", d.Folder)
		}
		t.WriteString(":\n")
		shown := r.BrokenLinks[:min(len(r.BrokenLinks), maxShownBroken)]
		for _, b := range shown {
			fmt.Fprintf(t, "  %s (%s)\n    on %s\n", printable(b.URL), printable(b.Why), printable(b.Pages[0].URL))
		}
		if more := d.LinkedBroken - len(shown); more > 0 {
			fmt.Fprintf(t, "  and %d more\n", more)
		}
		if unlinked := int(r.Broken) - d.LinkedBroken; unlinked > 0 {
			fmt.Fprintf(t, "  %d to which only sitemaps, lists or logs lead\n", unlinked)
		}
	}
	if r.Anchors > 0 {
		fmt.Fprintf(t, "\n%s (#); the links to them are in %s/broken.csv\n", plural(r.Anchors, "missing anchor"), d.Folder)
	}
}

// writeOrphans names pages of a folder that no page links to.
func writeOrphans(t *strings.Builder, r *appcrawl.Result) {
	if r.Orphans == 0 {
		return
	}
	fmt.Fprintf(t, "\n%s that no page links to, all in %s/orphans.txt (--orphans list adds them to the sitemap):\n",
		plural(r.Orphans, "orphan page"), r.Details.Folder)
	for _, address := range r.Details.Orphans {
		fmt.Fprintf(t, "  %s\n", printable(address))
	}
	if more := r.Orphans - len(r.Details.Orphans); more > 0 {
		fmt.Fprintf(t, "  and %d more\n", more)
	}
}

// writeReasons counts the URLs that are not in the sitemap, and what was found of each
// crawler trap, which need not be URLs.
func writeReasons(t *strings.Builder, r *appcrawl.Result) {
	title := "\nNot in the sitemap:\n"
	for _, e := range results.Reasons() {
		if n := r.Reasons[e.Reason]; n > 0 && !slices.Contains(unmentioned, e.Reason) {
			fmt.Fprintf(t, "%s  %7d %s\n", title, n, e.Brief)
			title = ""
		}
	}
	title = "\nCrawler traps:\n"
	for _, trap := range slices.Sorted(maps.Keys(r.Traps)) {
		fmt.Fprintf(t, "%s  %7d %s\n", title, r.Traps[trap], trap)
		title = ""
	}
}

// returningSummary counts the listed pages whose canonical redirects back to them.
func returningSummary(pages int64) string {
	switch pages {
	case 0:
		return ""
	case 1:
		return "\n1 page names a canonical that redirects back to it.\n"
	}
	return fmt.Sprintf("\n%s name a canonical that redirects back to them.\n", plural(int(pages), "page"))
}

// checkSummary lists the problems that --fail-on found.
func checkSummary(r *checks.Result) string {
	var t strings.Builder
	checks := strings.Join(r.Checks, ",")
	switch {
	case len(r.Checks) == 0:
		return ""
	case r.Written:
		fmt.Fprintf(&t, "\n%s written to %s.\n", plural(r.Accepted, "finding"), r.Baseline)
		return t.String()
	case r.Failing == 0:
		fmt.Fprintf(&t, "\nNo finding of --fail-on %s", checks)
	default:
		fmt.Fprintf(&t, "\n%s of --fail-on %s", plural(r.Failing, "finding"), checks)
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
		fmt.Fprintf(&t, "  %s [%s]\n    on %s\n", printable(p.Message), p.Rule, printable(p.Page))
	}
	if more := r.Failing - len(r.First); more > 0 {
		fmt.Fprintf(&t, "  and %d more\n", more)
	}
	return t.String()
}
