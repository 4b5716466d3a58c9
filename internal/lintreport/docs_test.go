package lintreport_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

const docsBegin = `# The rules

<!-- Made from the rules by UPDATE_GOLDEN=1 go test ./internal/lintreport; do not edit. -->

These are the %d rules of ` + "`mapa lint` and `mapa crawl`" + `, with a page per chapter. ` + "`mapa rules`" + ` lists them, and ` + "`mapa rules ID`" + ` explains one.

` + "`mapa lint`" + ` applies the rules over sitemaps. The rules of sitemaps.org always apply. ` + "`--engine`" + ` adds those of a search engine, or with ` + "`schema`" + ` the strict rules of XML validators. The severity can depend on the engine. Rules marked *live* send requests to the site.

` + "`mapa crawl`" + ` applies the rules over crawled pages. Their chapters begin with “Crawled”. Many have a threshold: ` + "`30-60`" + ` is a range, ` + "`4,10`" + ` are two upper limits, and ` + "`200,50`" + ` two lower limits. Beyond the second limit, the severity is higher.

` + "`--only`" + ` applies only some rules. ` + "`--severity ID=off`" + ` turns a rule off, ` + "`ID=on`" + ` turns it on, and ` + "`ID=warning`" + ` changes its severity. Rules marked *off* apply only if ` + "`--only` or `--severity`" + ` names them.

`

const chapterHead = `# %s

<!-- Made from the rules by UPDATE_GOLDEN=1 go test ./internal/lintreport; do not edit. -->

[All rules](../rules.md). `

const chapterBegin = chapterHead + `Each example is the file https://example.com/sitemap.xml, or several files of the site after their names, as in ` + "`-- /robots.txt --`" + `. Text in brackets, such as ` + "`[3 days ago]`" + `, is generated. For rules that need more context, the site began on 1 January 2010, the baseline lists ten pages, and a crawl found all pages of the example.

`

const pageChapterBegin = chapterHead + `Each example is a site at https://example.com, with files after their names, as in ` + "`-- /steak --`" + `. Text in brackets is generated: ` + "`[the head of /steak]`" + ` is everything before the end of the head, with a title and a description, and ` + "`[the body of /steak]`" + ` the rest of the page, with a heading, text, and links to /, /steak and /wine. ` + "`[complete pages: /, /wine]`" + ` are further files.

`

// TestDocs keeps docs/rules.md and the pages of the chapters equal to the rules;
// UPDATE_GOLDEN=1 rewrites them.
func TestDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	ids := map[string]bool{}
	for _, r := range slices.Concat(lint.Rules(), lint.PageRules()) {
		ids[r.ID] = true
	}
	var index strings.Builder
	fmt.Fprintf(&index, docsBegin, len(ids))
	for _, g := range lint.Groups() {
		writeChapter(&index, g, "Engines", func(r *lint.Rule) string { return r.AppliesTo().String() })
		golden(t, pageOf(docs, g), fmt.Sprintf(chapterBegin, g.Title)+explained(g.Rules))
	}
	for _, g := range lint.PageGroups() {
		writeChapter(&index, g, "Judges", judges)
		golden(t, pageOf(docs, g), fmt.Sprintf(pageChapterBegin, g.Title)+explained(g.Rules))
	}
	golden(t, filepath.Join(docs, "rules.md"), index.String())
	written, err := filepath.Glob(filepath.Join(docs, "rules", "*"))
	if pages := len(lint.Groups()) + len(lint.PageGroups()); err != nil || len(written) != pages {
		t.Errorf("docs/rules has %d files, want %d: %v", len(written), pages, err)
	}
}

func pageOf(docs string, g lint.Group) string {
	return filepath.Join(docs, filepath.FromSlash(lintreport.ChapterPage(g.Title)))
}

// judges returns what a rule over crawled pages judges.
func judges(r *lint.Rule) string {
	if r.Subject == lint.SubjectSitemap {
		return "sitemap, page"
	}
	return r.Subject.String()
}

// writeChapter writes the table of a chapter, with a column between severity and title.
func writeChapter(b *strings.Builder, g lint.Group, column string, value func(*lint.Rule) string) {
	page := lintreport.ChapterPage(g.Title)
	fmt.Fprintf(b, "## [%s](%s)\n\n| Rule | Severity | %s | What is wrong |\n|---|---|---|---|\n", g.Title, page, column)
	for _, r := range g.Rules {
		severity := r.Severity.String()
		if r.Escalated != lint.SeverityOff {
			severity += ", " + r.Escalated.String()
		}
		switch {
		case r.Live:
			severity += ", *live*"
		case r.OffByDefault():
			severity += ", *off*"
		}
		_, place, _ := strings.Cut(lintreport.RuleURL(r), "/docs/")
		fmt.Fprintf(b, "| [%s](%s) | %s | %s | %s |\n", r.ID, place, severity, value(r), cell(r.Title().String()))
	}
	b.WriteString("\n")
}

// explained returns the sections about rules. Those over sitemaps have theirs on one page
// only, which others link to.
func explained(rules []*lint.Rule) string {
	var b strings.Builder
	var elsewhere []string
	for _, r := range rules {
		if r.Subject == lint.SubjectSitemap && rules[0].Subject != lint.SubjectSitemap {
			_, place, _ := strings.Cut(lintreport.RuleURL(r), "/docs/rules/")
			elsewhere = append(elsewhere, "- ["+r.ID+"]("+place+"): "+lintreport.EscapeMarkdown(r.Title().String()))
			continue
		}
		fmt.Fprintf(&b, "## %s\n\n*%s* · %s\n\n%s\n", r.ID, lintreport.EscapeMarkdown(r.Title().String()),
			severities(r), lintreport.RuleMarkdown(r))
	}
	if elsewhere != nil {
		b.WriteString("## Rules over sitemaps and crawled pages\n\n" + strings.Join(elsewhere, "\n") + "\n")
	}
	return b.String()
}

func golden(t *testing.T, path, text string) {
	t.Helper()
	formattest.Golden(t, path, []byte(strings.TrimRight(text, "\n")+"\n"))
}

// TestExample marks the lines that differ, and describes what is generated.
func TestExample(t *testing.T) {
	long, err := lint.LookupRule("video-title-too-long")
	if err != nil {
		t.Fatal(err)
	}
	const want = `-       <video:title>e[101 times]</video:title>
+       <video:title>e[100 times]</video:title>
`
	if got := lintreport.Example(long); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, r := range slices.Concat(lint.Rules(), lint.PageRules()) {
		marked := false
		for line := range strings.Lines(lintreport.Example(r)) {
			marked = marked || line[0] == '-' || line[0] == '+'
		}
		if example := lintreport.Example(r); !marked || strings.Contains(example, "{{") {
			t.Errorf("%s: %s", r.ID, example)
		}
	}
}

const off = "off until `--severity` or `--only` names it"

// severities returns the severities of a rule: with the engines that apply each, or with the
// numbers that have each.
func severities(r *lint.Rule) string {
	var parts []string
	if r.OffByDefault() {
		parts = append(parts, off)
	}
	if r.Subject != lint.SubjectSitemap {
		return strings.Join(append(parts, limits(r)...), " · ")
	}
	for _, severity := range []lint.Severity{lint.SeverityError, lint.SeverityWarning, lint.SeverityInfo} {
		var set lint.Engines
		for _, engine := range lint.RuleSets() {
			if r.SeverityUnder(engine) == severity {
				set |= engine
			}
		}
		if set != 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", severity, strings.ReplaceAll(set.String(), ",", ", ")))
		}
	}
	return strings.Join(parts, " · ")
}

// limits returns the severities of a rule over crawled pages, and its threshold.
func limits(r *lint.Rule) (parts []string) {
	first, second := r.Limits()
	for _, limit := range []struct {
		lint.Severity
		lint.Text
	}{{r.Severity, first}, {r.Escalated, second}} {
		switch {
		case limit.Severity == lint.SeverityOff:
		case limit.Text.Code == "":
			parts = append(parts, limit.Severity.String())
		default:
			parts = append(parts, limit.Severity.String()+": "+limit.Text.String())
		}
	}
	if threshold := r.Threshold.String(); threshold != "" {
		parts = append(parts, "threshold `"+threshold+"`")
	}
	return parts
}

func cell(text string) string { return strings.ReplaceAll(lintreport.EscapeMarkdown(text), "|", `\|`) }
