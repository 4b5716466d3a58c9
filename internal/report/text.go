package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// WriteText writes the number of URLs by decision, the first broken links and the
// first hreflang errors for a terminal.
func WriteText(ctx context.Context, file crawl.Reader, w io.Writer) error {
	summary, err := file.Summary(ctx)
	if err != nil {
		return err
	}
	broken, err := FindBrokenLinks(ctx, file)
	if err != nil {
		return err
	}
	links, err := broken.Summary(ctx)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "Crawl of %s", format.Printable(file.Meta().Start))
	if !file.Finished() {
		fmt.Fprint(out, ", not finished")
	}
	fmt.Fprintf(out, "\n%s fetched, %s in the sitemap, %s\n\n", format.Plural(int(summary.Pages), "page"),
		format.Count(int(summary.Listed())), format.Plural(int(summary.Broken()), "broken URL"))
	for _, line := range reasonCounts(summary) {
		fmt.Fprintf(out, "%9s  %-21s %s\n", format.Count(line.Count), line.Name, line.Plural)
	}
	if links.Links > 0 {
		fmt.Fprintf(out, "\n%s\n", format.ListHeading(links.Links, "broken link", len(links.First)))
		for _, link := range links.First {
			fmt.Fprintf(out, "  %s (%s)\n    on %s", format.Printable(link.URL), format.Printable(link.Why),
				format.Printable(link.Page))
			if text := format.Printable(link.Text); text != "" {
				fmt.Fprintf(out, " “%s”", format.Truncate(text, maxLinkText))
			}
			fmt.Fprintln(out)
		}
	}
	if links.Anchors > 0 {
		fmt.Fprintf(out, "\n%s to a missing anchor (#)\n", format.Plural(links.Anchors, "link"))
	}
	languages, err := checkHreflang(ctx, file)
	if err != nil {
		return err
	}
	if err := writeHreflang(out, file, languages); err != nil {
		return err
	}
	return out.Flush()
}

// reasonCount is the number of URLs with a reason.
type reasonCount struct {
	Explanation
	Count int
}

// sortReasons returns the reasons with URLs in their order of importance, then others
// by name.
func sortReasons(counts map[crawl.Reason]int) []reasonCount {
	var lines []reasonCount
	for _, reason := range reasonOrder {
		if count := counts[reason]; count > 0 {
			lines = append(lines, reasonCount{Explain(reason), count})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		if !slices.Contains(reasonOrder, reason) && counts[reason] > 0 {
			lines = append(lines, reasonCount{Explain(reason), counts[reason]})
		}
	}
	return lines
}

// reasonCounts returns the sorted counts of a crawl file.
func reasonCounts(s crawl.Summary) []reasonCount {
	counts := make(map[crawl.Reason]int, len(s.Reasons))
	for reason, count := range s.Reasons {
		counts[reason] = int(count)
	}
	if s.Waiting > 0 {
		counts[Waiting] = int(s.Waiting)
	}
	return sortReasons(counts)
}

// WriteURLs writes the URLs with one reason for a terminal, one per line, with
// their targets or details.
func WriteURLs(ctx context.Context, file crawl.Reader, w io.Writer, reason crawl.Reason) error {
	out := bufio.NewWriter(w)
	for a, err := range URLs(ctx, file, reason) {
		if err != nil {
			return err
		}
		fmt.Fprint(out, format.Printable(a.URL))
		switch {
		case a.Target != "":
			fmt.Fprintf(out, "\t→ %s", format.Printable(a.Target))
		case a.Detail != "":
			fmt.Fprintf(out, "\t%s", format.Printable(a.Detail))
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return out.Flush()
}
