package cli

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/checks"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
)

// unmentioned are reasons that the summary leaves out: listed pages, and URLs that are
// not part of the site.
var unmentioned = []crawl.Reason{crawl.ReasonListed, crawl.ReasonAdded, crawl.ReasonOutOfScope}

// A summary is a text about a crawl for people, in the language of a catalog.
type summary struct {
	strings.Builder
	c *catalog.Catalog
}

func newSummary(language catalog.Language) *summary { return &summary{c: catalog.For(language)} }

// add adds a text after others on a line, or before them.
func (s *summary) add(key string, arguments ...any) { s.WriteString(s.c.Text(key, arguments...)) }

// plural adds the form of a text for a number, which is its first argument.
func (s *summary) plural(key string, n int, arguments ...any) {
	s.WriteString(s.c.Plural(key, int64(n), arguments...))
}

// rest says how many more there are than the lines above, if any.
func (s *summary) rest(n int) {
	if n > 0 {
		s.WriteString("  ")
		s.add("list.rest.other", strconv.Itoa(n))
		s.WriteByte('\n')
	}
}

// crawlSummary returns what a crawl found, for people.
func crawlSummary(r *appcrawl.Result, robotsIgnored bool) string {
	t := newSummary(r.Details.Language)
	d := &r.Details
	t.verdict(r)
	t.pages(r)
	t.documents(r.Documents)
	if lost := r.Before - r.Listed; r.Refused == "" && lost*20 > r.Before {
		t.add("summary.lost", strconv.Itoa(lost), t.c.Plural("verdict.pages", int64(r.Before)),
			t.c.Decimal(100*float64(lost)/float64(r.Before), 1))
		t.WriteByte('\n')
	}
	t.changes(r)
	t.broken(r)
	t.reasons(r)
	if r.Returning > 0 {
		t.WriteByte('\n')
		t.plural("summary.returning", int(r.Returning))
		t.WriteByte('\n')
	}
	t.rendered(r)
	t.orphans(r)
	if d.Dropped > 0 {
		t.paragraph("summary.dropped", strconv.Itoa(d.Dropped))
	}
	if robotsIgnored {
		t.paragraph("summary.robots-ignored")
	}
	if r.Limit != "" {
		t.paragraph("summary.limit", appcrawl.LimitName(r.Limit))
	}
	if d.Cut != nil {
		t.paragraph("summary.cut", cutText(t.c, d.Cut))
	}
	if r.Figures != nil {
		t.WriteString("\n" + report.FiguresText(t.c, &r.Figures.About, r.Figures.Exports))
	}
	t.WriteString(checkSummary(t.c, &d.Check))
	t.findings(r)
	t.paragraph("summary.report")
	fmt.Fprintf(t, "  %s\n", cmp.Or(r.Report, "mapa report "+d.Folder+" --format html -o report.html"))
	return t.String()
}

// paragraph adds a text on a line of its own, after an empty one.
func (s *summary) paragraph(key string, arguments ...any) {
	s.WriteByte('\n')
	s.add(key, arguments...)
	s.WriteByte('\n')
}

// pages says how many pages were fetched, and how many are in which files.
func (s *summary) pages(r *appcrawl.Result) {
	s.plural("summary.fetched", int(r.Pages), s.c.Decimal(r.Seconds, 1))
	s.WriteString(", ")
	switch {
	case r.Refused != "" && r.Before == 0, r.RenderEnded != "" && r.Sitemap == "":
		s.plural("summary.not-written", r.Listed)
	case r.Refused != "":
		s.plural("summary.not-changed", r.Listed)
	default:
		s.plural("summary.listed", r.Listed)
		s.WriteString("\n  " + filesText(s.c, r.Files, r.Details.Parts))
	}
	s.WriteByte('\n')
}

// filesText lists the files of a sitemap, one a line, with those that are uploaded together with
// an index.
func filesText(c *catalog.Catalog, files, parts []string) string {
	if len(files) == 0 || len(parts) == 0 {
		return strings.Join(files, "\n  ")
	}
	names := strings.Join(parts, ", ")
	if len(parts) > 3 {
		names = c.Text("summary.to", parts[0], parts[len(parts)-1])
	}
	index := c.Text("summary.index", files[0], c.Plural("summary.files", int64(len(parts))), names)
	return strings.Join(append([]string{index}, files[1:]...), "\n  ")
}

// documents counts the listed documents by kind.
func (s *summary) documents(documents map[crawl.DocumentKind]int64) {
	var kinds []string
	total := int64(0)
	for _, kind := range crawl.DocumentKinds() {
		if n := documents[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
			total += n
		}
	}
	if total > 0 {
		s.plural("summary.documents", int(total), strings.Join(kinds, ", "))
		s.WriteByte('\n')
	}
}

// changes counts what changed since the previous crawl, or says why the crawl is not compared with it.
func (s *summary) changes(r *appcrawl.Result) {
	previous := r.Details.Previous.Local().Format("2006-01-02 15:04")
	if r.NotCompared == insight.NotComparedOptions {
		s.paragraph("comparison.other-options", previous, printable(r.Flags()))
		s.add("comparison.anyway", commandText([]string{
			"diff", filepath.Join(r.Details.Folder, crawlfile.PreviousName), r.Details.Folder,
		}))
		s.WriteByte('\n')
	}
	c := r.Changes
	if c == nil {
		return
	}
	var changes []string
	for _, figure := range report.ChangeFigures(s.c, c, nil) {
		if figure.Count > 0 {
			changes = append(changes, fmt.Sprintf("%d %s", figure.Count, figure.Name))
		}
	}
	s.paragraph("summary.changes", previous, strings.Join(changes, ", "))
	for _, text := range report.LeftOutTexts(s.c, c) {
		s.WriteString(text + "\n")
	}
}

// maxShownBroken is how many broken URLs the summary names.
const maxShownBroken = 10

func (s *summary) broken(r *appcrawl.Result) {
	d := &r.Details
	if d.Late {
		s.WriteByte('\n')
		s.plural("summary.broken.late", int(r.Broken), printable(d.Folder))
		s.WriteByte('\n')
		return
	}
	if r.Broken > 0 {
		s.WriteByte('\n')
		s.plural("summary.broken", int(r.Broken))
		if d.LinkedBroken > 0 {
			s.WriteString("; ")
			s.add("summary.broken.links", d.Folder+"/broken.csv")
		}
		s.WriteString(":\n")
		shown := r.BrokenLinks[:min(len(r.BrokenLinks), maxShownBroken)]
		for _, b := range shown {
			fmt.Fprintf(s, "  %s (%s)\n    %s %s\n", readable(b.URL), printable(b.Cause.In(s.c)), s.c.Text("overview.on"),
				readable(b.Pages[0].URL))
		}
		s.rest(d.LinkedBroken - len(shown))
		if unlinked := int(r.Broken) - d.LinkedBroken; unlinked > 0 {
			s.WriteString("  ")
			s.add("summary.broken.unlinked", strconv.Itoa(unlinked))
			s.WriteByte('\n')
		}
	}
	if r.Anchors > 0 {
		s.WriteByte('\n')
		s.plural("summary.anchors", r.Anchors, d.Folder+"/broken.csv")
		s.WriteByte('\n')
	}
}

// rendered counts the pages that were rendered, by why, and those that should have been.
func (s *summary) rendered(r *appcrawl.Result) {
	if r.Rendered > 0 {
		s.WriteByte('\n')
		s.plural("summary.rendered", int(r.Rendered), s.c.Decimal(r.RenderSeconds/float64(r.Rendered), 1))
		s.WriteByte('\n')
		for _, reason := range slices.Sorted(maps.Keys(r.RenderReasons)) {
			fmt.Fprintf(s, "  %7d %s\n", r.RenderReasons[reason], s.c.Text("render-reason."+string(reason)))
		}
	}
	if r.NotRendered > 0 {
		s.WriteByte('\n')
		s.plural("summary.not-rendered", int(r.NotRendered), s.c.Text("summary.render-inconclusive"))
		s.WriteByte('\n')
	}
}

// orphans names the orphan pages of a folder.
func (s *summary) orphans(r *appcrawl.Result) {
	if r.Orphans == 0 {
		return
	}
	s.WriteByte('\n')
	s.plural("summary.orphans", r.Orphans, r.Details.Folder+"/orphans.txt")
	s.WriteByte('\n')
	for _, address := range r.Details.Orphans {
		fmt.Fprintf(s, "  %s\n", readable(address))
	}
	s.rest(r.Orphans - len(r.Details.Orphans))
}

// reasons counts the URLs that are not in the sitemap, and what was found of each
// crawler trap, which need not be URLs.
func (s *summary) reasons(r *appcrawl.Result) {
	list := s.list("summary.reasons")
	for _, e := range page.Explanations(s.c) {
		if n := r.Reasons[e.Reason]; n > 0 && !slices.Contains(unmentioned, e.Reason) {
			list(n, e.Brief)
		}
	}
	traps := map[string]int64{}
	for detail, n := range r.Details.Traps {
		traps[s.c.Detail(detail.Split())] += n
	}
	if r.Details.SessionLinks > 0 {
		traps[s.c.Text("summary.session-links")] = r.Details.SessionLinks
	}
	list = s.list("summary.traps")
	for _, trap := range slices.Sorted(maps.Keys(traps)) {
		list(traps[trap], trap)
	}
}

// list returns what adds a line with a number to a list, whose heading comes before the first.
func (s *summary) list(heading string) func(n int64, text string) {
	begun := false
	return func(n int64, text string) {
		if !begun {
			s.paragraph(heading)
			begun = true
		}
		fmt.Fprintf(s, "  %7d %s\n", n, text)
	}
}

// checkSummary lists the problems that --fail-on found.
func checkSummary(c *catalog.Catalog, r *checks.Result) string {
	s := &summary{c: c}
	checks := strings.Join(r.Checks, ",")
	if len(r.Checks) == 0 && !r.Written {
		return ""
	}
	s.WriteByte('\n')
	switch {
	case r.Written:
		s.plural("summary.baseline", r.Accepted, r.Baseline)
		s.WriteString(".\n")
		return s.String()
	case r.Failing == 0 && r.NotCompared:
		s.add("summary.check.first", "--fail-on "+checks)
	case r.Failing == 0:
		s.add("summary.check.none", "--fail-on "+checks)
	default:
		s.plural("summary.check", r.Failing, "--fail-on "+checks)
	}
	switch {
	case r.Accepted > 0 && r.Baseline != "":
		s.WriteString(", ")
		s.add("summary.check.accepted", strconv.Itoa(r.Accepted), r.Baseline)
	case r.Accepted > 0:
		s.WriteString(", ")
		s.plural("summary.check.ignored", r.Accepted)
	}
	if r.Failing == 0 {
		s.WriteString(".\n")
		return s.String()
	}
	s.WriteString(":\n")
	for i := range r.Gates {
		fmt.Fprintln(s, " ", gateLine(c, &r.Gates[i]))
	}
	for i := range r.First {
		f := &r.First[i]
		fmt.Fprintf(s, "  %s [%s]\n    %s %s\n", printable(f.Text(c)), f.Rule.ID, c.Text("overview.on"), printable(f.URL))
	}
	s.rest(r.Failing - len(r.First) - len(r.Gates))
	return s.String()
}

// gateLine returns a change that fails a run as one line.
func gateLine(c *catalog.Catalog, g *checks.GateFailure) string {
	line := g.Name + ": " + c.Plural("verdict.pages", int64(g.Count))
	if g.Template != "" {
		line = c.Text("gate.of", line, printable(g.Template))
	}
	if len(g.Examples) > 0 {
		line = c.Text("gate.examples", line, printable(strings.Join(g.Examples, " ")))
	}
	return line
}
