package cli

import (
	"fmt"
	"strings"

	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
)

// crawlLine returns what a crawl found, in the lines that --quiet leaves: what changed since the crawl before, with
// the first addresses, and nothing where nothing did.
func crawlLine(c *catalog.Catalog, r *appcrawl.Result) string {
	outcome := outcomeOf(r)
	if r.Changes == nil || r.Details.Cut != nil || r.Refused != "" {
		return foundLine(c, r)
	}
	var lines strings.Builder
	if r.Changes.Total() > 0 {
		fmt.Fprintln(&lines, printable(outcome.First(c)))
	}
	for _, address := range r.Details.FirstChanged {
		fmt.Fprintln(&lines, " ", printable(address))
	}
	if r.Failing > 0 {
		lines.WriteString(foundLine(c, r))
	}
	for i := range r.Details.Check.Gates {
		fmt.Fprintln(&lines, " ", gateLine(c, &r.Details.Check.Gates[i]))
	}
	return lines.String()
}

// foundLine returns what a crawl found.
func foundLine(c *catalog.Catalog, r *appcrawl.Result) string {
	parts := []string{pagesLine(c, r.Listed, r.Refused, r.Sitemap)}
	if r.Broken > 0 {
		parts = append(parts, c.Plural("summary.broken", r.Broken))
	}
	if r.Anchors > 0 {
		parts = append(parts, c.Plural("line.anchors", int64(r.Anchors)))
	}
	if r.Failing > 0 {
		parts = append(parts, c.Plural("line.problems", int64(r.Failing), strings.Join(r.Details.Check.Checks, ",")))
	}
	switch {
	case r.Details.Cut != nil:
		parts = append(parts, c.Text("line.unfinished"))
	case r.Limit != "":
		parts = append(parts, c.Text("line.limit", appcrawl.LimitName(r.Limit)))
	}
	return strings.Join(parts, ", ") + "\n"
}

// buildLine returns the outcome of a build, in the one line that --quiet leaves.
func buildLine(c *catalog.Catalog, r *build.Result) string {
	line := pagesLine(c, r.Listed, r.Refused, r.Sitemap)
	if out := r.Invalid + r.OutOfScope + r.Excluded + r.Duplicates; out > 0 {
		line += ", " + c.Plural("line.left-out", int64(out))
	}
	return line + "\n"
}

// pagesLine counts the pages of a sitemap, which was not written where it was refused.
func pagesLine(c *catalog.Catalog, listed int, refused, sitemap string) string {
	switch {
	case refused != "":
		return c.Plural("line.pages.refused", int64(listed))
	case sitemap == "":
		return c.Plural("line.pages.no-sitemap", int64(listed))
	}
	return c.Plural("line.pages", int64(listed), sitemap)
}

// announceLine returns the outcome of an announcement, in the one line that --quiet leaves.
func announceLine(c *catalog.Catalog, r *appannounce.Result) string {
	if r.Unreachable() {
		return c.Text("announced.unreachable", printable(r.Robots.Unanswered)) + "\n"
	}
	if r.Refusals.Count > 0 {
		return c.Plural("line.unannounced", int64(r.Refusals.Count)) + "\n"
	}
	parts := []string{c.Plural("line.announce", int64(r.Changes.Total()))}
	for i := range r.Results {
		parts = append(parts, fmt.Sprintf("%s: %s", r.Results[i].Provider, resultText(c, &r.Results[i].Result)))
	}
	return strings.Join(parts, "; ") + "\n"
}
