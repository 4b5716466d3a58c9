package cli

import (
	"fmt"
	"strings"

	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// crawlLine returns what a crawl found, in the lines that --quiet leaves: what changed since the crawl before, with
// the first addresses, and nothing where nothing did.
func crawlLine(r *appcrawl.Result) string {
	outcome := outcomeOf(r)
	if r.Changes == nil || r.Details.Cut != nil || r.Refused != "" {
		return foundLine(r)
	}
	var lines strings.Builder
	if r.Changes.Total() > 0 {
		fmt.Fprintln(&lines, printable(outcome.First(newSummary(r.Details.Language).c)))
	}
	for _, address := range r.Details.FirstChanged {
		fmt.Fprintln(&lines, " ", printable(address))
	}
	if r.Failing > 0 {
		lines.WriteString(foundLine(r))
	}
	for i := range r.Details.Check.Gates {
		fmt.Fprintln(&lines, " ", gateLine(&r.Details.Check.Gates[i]))
	}
	return lines.String()
}

// foundLine returns what a crawl found.
func foundLine(r *appcrawl.Result) string {
	parts := []string{pagesLine(r.Listed, r.Refused, r.Sitemap)}
	for _, count := range []struct {
		n    int
		noun string
	}{
		{int(r.Broken), "broken URL"}, {r.Anchors, "missing anchor"}, {r.Failing, "problem"},
	} {
		if count.n > 0 {
			parts = append(parts, plural(count.n, count.noun))
		}
	}
	if r.Failing > 0 {
		parts[len(parts)-1] += " of --fail-on " + strings.Join(r.Details.Check.Checks, ",")
	}
	switch {
	case r.Details.Cut != nil:
		parts = append(parts, "the crawl did not finish")
	case r.Limit != "":
		parts = append(parts, "stopped at "+appcrawl.LimitName(r.Limit))
	}
	return strings.Join(parts, ", ") + "\n"
}

// buildLine returns the outcome of a build, in the one line that --quiet leaves.
func buildLine(r *build.Result) string {
	line := pagesLine(r.Listed, r.Refused, r.Sitemap)
	if out := r.Invalid + r.OutOfScope + r.Excluded + r.Duplicates; out > 0 {
		line += fmt.Sprintf(", %s left out", plural(out, "row"))
	}
	return line + "\n"
}

// pagesLine counts the pages of a sitemap, which was not written where it was refused.
func pagesLine(listed int, refused, sitemap string) string {
	switch {
	case refused != "":
		return plural(listed, "page") + " for the sitemap, which was not published"
	case sitemap == "":
		return plural(listed, "page") + ", no sitemap"
	}
	return plural(listed, "page") + " in " + sitemap
}

// announceLine returns the outcome of an announcement, in the one line that --quiet leaves.
func announceLine(r *appannounce.Result) string {
	if r.Unreachable() {
		return fmt.Sprintf(siteUnreachableText, printable(r.Robots.Unanswered))
	}
	if r.Refusals.Count > 0 {
		return fmt.Sprintf("nothing was announced, because of %s\n", plural(r.Refusals.Count, "problem"))
	}
	parts := []string{plural(r.Changes.Total(), "page") + " to announce"}
	for i := range r.Results {
		parts = append(parts, fmt.Sprintf("%s: %s", r.Results[i].Provider, resultText(&r.Results[i].Result)))
	}
	return strings.Join(parts, "; ") + "\n"
}
