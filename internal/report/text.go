package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// WriteText writes, in the language of a catalog, the verdict, the number of URLs by decision and the rules
// that found something for a terminal, the broken links with the pages that have them.
func WriteText(ctx context.Context, file *store.File, w io.Writer, c *catalog.Catalog) error {
	summary, err := file.Summary(ctx)
	if err != nil {
		return err
	}
	verdict, err := insight.ReadVerdict(file)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	about := file.Meta()
	title := "title"
	if about.OnlySeeds {
		title = "title.given-pages"
	}
	fmt.Fprint(out, c.Text(title, format.Printable(about.Start)))
	if !file.Finished() {
		fmt.Fprint(out, ", "+c.Text("unfinished"))
	}
	losses, err := file.CountLosses(ctx)
	if err != nil {
		return err
	}
	outcome := Outcome{Verdict: verdict, Losses: losses}
	fmt.Fprintf(out, ": %s\n", strings.ToLower(NewSignText(c, outcome.Sign()).Name))
	if verdict != nil {
		fmt.Fprintf(out, "%s\n%s\n", outcome.Headline(c), outcome.Advice(c))
	}
	fmt.Fprintf(out, "\n%s\n", c.Plural("overview.fetched", int64(summary.Pages), c.Count(int64(summary.Listed()))))
	for _, line := range reasonCounts(c, summary) {
		fmt.Fprintf(out, "%9s  %-21s %s\n", c.Count(int64(line.Count)), line.Name, line.Plural)
	}
	if err := writeSections(ctx, out, file, c); err != nil {
		return err
	}
	ignored, err := insight.CountIgnored(ctx, file, verdict)
	if err != nil {
		return err
	}
	if ignored > 0 {
		fmt.Fprintf(out, "\n%s\n", english().Plural("verdict.ignored", int64(ignored)))
	}
	return out.Flush()
}

// maxShownLinks is the number of broken links in the text.
const maxShownLinks = 10

// writeSections writes the rules that found something.
func writeSections(ctx context.Context, out *bufio.Writer, file *store.File, c *catalog.Catalog) error {
	sections, err := insight.ReadSections(ctx, file)
	if err != nil {
		return err
	}
	o := Overview{Sections: *sections}
	for _, section := range o.SectionTexts(c, sectionHref) {
		fmt.Fprintf(out, "\n%s\n", section.Name)
		for _, rule := range section.Rules {
			fmt.Fprintf(out, "%9s  %s [%s]\n", c.Count(int64(rule.Count)), rule.Title, rule.ID)
			if rule.ID != BrokenRules[0] {
				continue
			}
			if err := writeBroken(ctx, out, file, section.Severity, c); err != nil {
				return err
			}
		}
	}
	if n := len(sections.Passed); n > 0 {
		fmt.Fprintf(out, "\n%s\n", c.Plural("section.passed", int64(n)))
	}
	return nil
}

// writeBroken writes the first broken URLs, each with a page that links to it.
func writeBroken(
	ctx context.Context, out *bufio.Writer, file *store.File, severity lint.Severity, c *catalog.Catalog,
) error {
	filter := insight.Filter{Rules: BrokenRules[:1], Exactly: severity}
	for f, err := range insight.ReadGroups(ctx, file, filter, insight.Part{Limit: maxShownLinks}) {
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "           %s\n", format.Printable(f.Text(c)))
		if f.Other > 0 {
			fmt.Fprintf(out, "             %s %s", c.Text("overview.on"), format.Printable(f.URL))
			if more := f.Places - 1; more > 0 {
				fmt.Fprint(out, " "+c.Plural("overview.more", int64(more)))
			}
			fmt.Fprintln(out)
		}
	}
	return nil
}

// reasonCount is the number of URLs with a reason.
type reasonCount struct {
	page.Explanation
	Count int
}

// reasonCounts returns the decisions with URLs in their order of importance, then others by name.
func reasonCounts(c *catalog.Catalog, s crawl.Summary) (lines []reasonCount) {
	counts := maps.Clone(s.Reasons)
	counts[page.Waiting] += s.Waiting
	known := page.Decisions()
	for _, reason := range slices.Concat(known, slices.Sorted(maps.Keys(counts))) {
		if counts[reason] > 0 {
			lines = append(lines, reasonCount{page.Explain(c, reason), int(counts[reason])})
			delete(counts, reason)
		}
	}
	return lines
}

// WriteURLs writes the URLs with one reason for a terminal, one per line, with
// their targets or details.
func WriteURLs(ctx context.Context, file *store.File, w io.Writer, reason crawl.Reason) error {
	out := bufio.NewWriter(w)
	for p, err := range file.ReadPages(ctx, reason) {
		if err != nil {
			return err
		}
		fmt.Fprint(out, format.Printable(p.Link.URL))
		switch {
		case p.TargetURL != "":
			fmt.Fprintf(out, "\t→ %s", format.Printable(p.TargetURL))
		case p.Detail() != "":
			fmt.Fprintf(out, "\t%s", format.Printable(p.Detail().String()))
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return out.Flush()
}
