package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mapatools/mapa/announce"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/outputs"
)

const (
	confirmText    = "Announce all %s of %s? [y/N] "
	keyWrittenText = "The key file is in %s, named after the key. Deploy it to the root of every host, then run: " +
		"mapa announce key check HOST\n"
	siteUnreachableText = "The site does not answer: %s. Nothing was checked, recorded or announced.\n"
	noCredentialsText   = "No credentials were found, so that only robots.txt was checked: see mapa announce --help"
	baselineText        = "There is no earlier state: its pages are recorded now, and no URL is announced. The next run " +
		"announces what changes.\n--all announces every page now.\n"
)

// announceSummary returns the outcome of an announcement, for people.
func announceSummary(r *appannounce.Result) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s: %s\n", printable(r.Sitemap), plural(r.Pages, "page"))
	if r.Unreachable() {
		fmt.Fprintf(&t, siteUnreachableText, printable(r.Robots.Unanswered))
		return t.String()
	}
	switch total := r.Changes.Total(); {
	case total > 0:
		fmt.Fprintf(&t, "To announce: %d added, %d changed, %d removed\n", r.Changes.Added, r.Changes.Changed, r.Changes.Removed)
	case r.Baseline && r.DryRun:
		t.WriteString("There is no earlier state to count changes from. --all announces every page.\n")
	case r.Baseline:
		t.WriteString(baselineText)
	case r.Refusals.Count == 0:
		t.WriteString("No page changed since the last announcement.\n")
	}
	if r.Robots != nil {
		writeRobots(&t, r)
	}
	if r.Refusals.Count > 0 {
		writeRefusals(&t, &r.Refusals)
		return t.String()
	}
	if r.Refusals.Checked < r.Refusals.Total && r.Refusals.Checked > 0 {
		fmt.Fprintf(&t, "\n%s of %d were checked on the site (--sample).\n", plural(r.Refusals.Checked, "page"), r.Refusals.Total)
	}
	if len(r.Providers) == 0 && !r.RobotsAlone {
		t.WriteString("\n" + noCredentialsText + "\n")
	}
	if r.DryRun {
		t.WriteString("\nDry run: nothing was sent.\n")
	}
	writeResults(&t, r.Results)
	writeQuotas(&t, r.Quotas)
	return t.String()
}

func writeRobots(t *strings.Builder, r *appannounce.Result) {
	t.WriteString("\n")
	for _, problem := range r.Robots.Problems {
		fmt.Fprintf(t, "robots.txt: %s\n", printable(problem))
	}
	switch {
	case r.Patched == outputs.RobotsUnchanged:
		t.WriteString("The robots.txt file names the sitemap.\n")
	case r.Patched != "":
		fmt.Fprintf(t, "The line in the robots.txt file was %s; deploy it.\n", r.Patched)
	case r.Robots.Line != "":
		fmt.Fprintf(t, "  add this line to it, or use --robots-txt FILE:\n  %s\n", printable(r.Robots.Line))
	case len(r.Robots.Problems) == 0:
		fmt.Fprintf(t, "%s names the sitemap.\n", printable(r.Robots.URL))
	}
}

func writeRefusals(t *strings.Builder, r *appannounce.Refusals) {
	fmt.Fprintf(t, "\nNothing was announced, because of %s:\n", plural(r.Count, "problem"))
	for _, refusal := range r.First {
		fmt.Fprintf(t, "  %s: %s\n", printable(refusal.URL), printable(refusal.Why))
	}
	if more := r.Count - len(r.First); more > 0 {
		fmt.Fprintf(t, "  and %d more\n", more)
	}
	var checks []string
	for check := range r.By {
		checks = append(checks, check)
	}
	slices.Sort(checks)
	fmt.Fprintf(t, "Fix them and run the command again, or override with --force %s\n", strings.Join(checks, ","))
}

func writeResults(t *strings.Builder, results []appannounce.ProviderResult) {
	if len(results) > 0 {
		t.WriteString("\n")
	}
	for i := range results {
		r := &results[i]
		fmt.Fprintf(t, "%-9s %s", r.Provider, resultText(&r.Result))
		if r.Target != "" {
			fmt.Fprintf(t, " (%s)", printable(r.Target))
		}
		t.WriteString("\n")
		if r.Error != "" {
			fmt.Fprintf(t, "          %s\n", printable(r.Error))
		}
		if r.Advice != "" {
			fmt.Fprintf(t, "          %s\n", r.Advice)
		}
		for _, note := range r.Notes {
			fmt.Fprintf(t, "          %s\n", printable(note))
		}
		if !r.Until.IsZero() {
			fmt.Fprintf(t, "          try again after %s\n", r.Until.UTC().Format(timeLayout))
		}
	}
}

const timeLayout = "2006-01-02 15:04 MST"

// resultText counts what became of the items of a result.
func resultText(r *announce.Result) string {
	noun := map[announce.Kind]string{
		announce.KindSitemap: "sitemap", announce.KindURLs: "URL", announce.KindFeed: "feed",
		announce.KindRecrawl: "request to read the sitemap again",
	}[r.Kind]
	if noun == "" {
		noun = "item"
	}
	var parts []string
	for _, part := range []struct {
		count int
		text  string
	}{
		{r.Sent, "sent"}, {r.Pending, "pending"}, {r.Waiting, "kept for a later run"}, {r.Failed, "failed"},
		{r.Known, "sent before"},
	} {
		if part.count > 0 {
			parts = append(parts, plural(part.count, noun)+" "+part.text)
		}
	}
	if len(parts) == 0 {
		return "failed"
	}
	return strings.Join(parts, ", ")
}

func writeQuotas(t *strings.Builder, quotas []appannounce.QuotaState) {
	if len(quotas) == 0 {
		return
	}
	t.WriteString("\nQuotas:\n")
	table := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	for _, q := range quotas {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%d used\t%d left\tresets %s\n",
			q.Provider, printable(q.Target), q.Kind, q.Used, q.Left, q.Resets.Format(timeLayout))
	}
	_ = table.Flush() // a builder takes everything
}

// statusTable returns what engines say about a sitemap, for people.
func statusTable(r *appannounce.SitemapReport) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s\n\n", printable(r.Sitemap))
	if len(r.Engines) == 0 {
		t.WriteString("  No engine was asked: Google, Bing and Yandex need their credentials.\n")
	}
	table := tabwriter.NewWriter(&t, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  \tSTATE\tSUBMITTED\tLAST READ\tERRORS\tWARNINGS\tURLS")
	fmt.Fprintf(table, "  mapa\t\t\t\t%d\t%d\t%d\n", r.Lint.Errors, r.Lint.Warnings, r.URLs)
	for i := range r.Engines {
		e := &r.Engines[i]
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Provider, engineState(e),
			dateText(e.Submitted), dateText(e.Read), countText(e, e.Errors), countText(e, e.Warnings), countText(e, e.URLs))
	}
	_ = table.Flush() // a builder takes everything
	for i := range r.Engines {
		writeEngineNotes(&t, &r.Engines[i])
	}
	for _, p := range r.Pending {
		if p.Pages > 0 {
			fmt.Fprintf(&t, "\n%s: %s to announce\n", p.Provider, plural(p.Pages, "changed page"))
		}
	}
	writeQuotas(&t, r.Quotas)
	t.WriteString("\n")
	return t.String()
}

func writeEngineNotes(t *strings.Builder, e *appannounce.EngineStatus) {
	lines := e.Notes
	for _, line := range []string{e.Error, e.Advice} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		fmt.Fprintf(t, "\n%s: %s", e.Provider, printable(strings.TrimPrefix(line, string(e.Provider)+": ")))
	}
	if len(lines) > 0 {
		t.WriteString("\n")
	}
}

func engineState(e *appannounce.EngineStatus) string {
	switch {
	case e.Error != "":
		return "failed"
	case !e.Known:
		return "unknown"
	case e.Pending:
		return "pending"
	}
	return "read"
}

func dateText(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.UTC().Format(time.DateOnly)
}

func countText(e *appannounce.EngineStatus, n int64) string {
	if e.Error != "" || !e.Known || n < 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
