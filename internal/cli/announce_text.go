package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mapatools/mapa/announce"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/catalog"
)

// announceSummary returns the outcome of an announcement, for people.
func announceSummary(c *catalog.Catalog, r *appannounce.Result) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s: %s\n", printable(r.Sitemap), c.Plural("verdict.pages", int64(r.Pages)))
	if r.Unreachable() {
		t.WriteString(c.Text("announced.unreachable", printable(r.Robots.Unanswered)) + "\n")
		return t.String()
	}
	switch total := r.Changes.Total(); {
	case total > 0:
		t.WriteString(c.Text("announced.changes", strconv.Itoa(r.Changes.Added), strconv.Itoa(r.Changes.Changed),
			strconv.Itoa(r.Changes.Removed)) + "\n")
	case r.Baseline && r.DryRun:
		t.WriteString(c.Text("announced.baseline.dry") + "\n")
	case r.Baseline:
		t.WriteString(c.Text("announced.baseline") + "\n")
	case r.Refusals.Count == 0:
		t.WriteString(c.Text("announced.unchanged") + "\n")
	}
	if r.Robots != nil {
		writeRobots(&t, c, r)
	}
	if r.Refusals.Count > 0 {
		writeRefusals(&t, c, &r.Refusals)
		return t.String()
	}
	if r.Refusals.Checked < r.Refusals.Total && r.Refusals.Checked > 0 {
		fmt.Fprintf(&t, "\n%s\n", c.Plural("announced.sample", int64(r.Refusals.Checked), strconv.Itoa(r.Refusals.Total)))
	}
	if len(r.Providers) == 0 && !r.RobotsAlone {
		t.WriteString("\n" + c.Text("announced.no-credentials") + "\n")
	}
	if r.DryRun {
		t.WriteString("\n" + c.Text("announced.dry-run") + "\n")
	}
	writeResults(&t, c, r.Results)
	writeQuotas(&t, c, r.Quotas)
	return t.String()
}

func writeRobots(t *strings.Builder, c *catalog.Catalog, r *appannounce.Result) {
	t.WriteString("\n")
	for _, problem := range r.Robots.Problems {
		fmt.Fprintf(t, "robots.txt: %s\n", printable(problem))
	}
	switch {
	case r.Patched == outputs.RobotsUnchanged:
		t.WriteString(c.Text("announced.robots.file") + "\n")
	case r.Patched != "":
		t.WriteString(c.Text("announced.robots."+string(r.Patched)) + "\n")
	case r.Robots.Line != "":
		fmt.Fprintf(t, "  %s\n  %s\n", c.Text("announced.robots.line"), printable(r.Robots.Line))
	case len(r.Robots.Problems) == 0:
		t.WriteString(c.Text("build.robots", printable(r.Robots.URL)) + "\n")
	}
}

func writeRefusals(t *strings.Builder, c *catalog.Catalog, r *appannounce.Refusals) {
	fmt.Fprintf(t, "\n%s\n", c.Plural("announced.refused", int64(r.Count)))
	for _, refusal := range r.First {
		fmt.Fprintf(t, "  %s: %s\n", printable(refusal.URL), printable(refusal.Why))
	}
	if more := r.Count - len(r.First); more > 0 {
		fmt.Fprintf(t, "  %s\n", c.Text("list.rest.other", strconv.Itoa(more)))
	}
	var checks []string
	for check := range r.By {
		checks = append(checks, check)
	}
	slices.Sort(checks)
	t.WriteString(c.Text("announced.force", strings.Join(checks, ",")) + "\n")
}

func writeResults(t *strings.Builder, c *catalog.Catalog, results []appannounce.ProviderResult) {
	if len(results) > 0 {
		t.WriteString("\n")
	}
	for i := range results {
		r := &results[i]
		fmt.Fprintf(t, "%-9s %s", r.Provider, resultText(c, &r.Result))
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
			fmt.Fprintf(t, "          %s\n", c.Text("announced.until", r.Until.UTC().Format(timeLayout)))
		}
	}
}

const timeLayout = "2006-01-02 15:04 MST"

// resultText counts what became of the items of a result.
func resultText(c *catalog.Catalog, r *announce.Result) string {
	var parts []string
	for _, part := range []struct {
		count int
		state string
	}{
		{r.Sent, "sent"}, {r.Pending, "pending"}, {r.Waiting, "kept"}, {r.Failed, "failed"}, {r.Known, "known"},
	} {
		if part.count > 0 {
			items := c.Plural("announced.items."+cmp.Or(string(r.Kind), "item"), int64(part.count))
			parts = append(parts, c.Text("announced.result."+part.state, items))
		}
	}
	if len(parts) == 0 {
		return c.Text("announced.state.failed")
	}
	return strings.Join(parts, ", ")
}

func writeQuotas(t *strings.Builder, c *catalog.Catalog, quotas []appannounce.QuotaState) {
	if len(quotas) == 0 {
		return
	}
	t.WriteString("\n" + c.Text("announced.quotas") + "\n")
	table := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	for _, q := range quotas {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\n", q.Provider, printable(q.Target), q.Kind,
			c.Text("announced.used", strconv.Itoa(q.Used)), c.Text("announced.left", strconv.Itoa(q.Left)),
			c.Text("announced.resets", q.Resets.Format(timeLayout)))
	}
	_ = table.Flush() // a builder takes everything
}

// statusTable returns what engines say about a sitemap, for people.
func statusTable(c *catalog.Catalog, r *appannounce.SitemapReport) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s\n\n", printable(r.Sitemap))
	if len(r.Engines) == 0 {
		fmt.Fprintf(&t, "  %s\n", c.Text("announced.status.none"))
	}
	table := tabwriter.NewWriter(&t, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  \t%s\t%s\t%s\t%s\t%s\tURLS\n",
		c.Text("announced.status.state"), c.Text("announced.status.submitted"),
		c.Text("announced.status.last-read"), c.Text("announced.status.errors"), c.Text("announced.status.warnings"))
	fmt.Fprintf(table, "  mapa\t\t\t\t%d\t%d\t%d\n", r.Lint.Errors, r.Lint.Warnings, r.URLs)
	for i := range r.Engines {
		e := &r.Engines[i]
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Provider, c.Text("announced.state."+engineState(e)),
			dateText(e.Submitted), dateText(e.Read), countText(e, e.Errors), countText(e, e.Warnings), countText(e, e.URLs))
	}
	_ = table.Flush() // a builder takes everything
	for i := range r.Engines {
		writeEngineNotes(&t, &r.Engines[i])
	}
	for _, p := range r.Pending {
		if p.Pages > 0 {
			fmt.Fprintf(&t, "\n%s: %s\n", p.Provider, c.Plural("announced.pending", int64(p.Pages)))
		}
	}
	writeQuotas(&t, c, r.Quotas)
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

// engineState returns the end of the key of a text.
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
