package lintreport_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

const docsBegin = `# The rules of mapa lint

<!-- Made from the rules by UPDATE_GOLDEN=1 go test ./internal/lintreport; do not edit. -->

%d rules, explained on one page per chapter. The rules of sitemaps.org always apply; ` + "`--engine`" + ` adds those of a search engine, or the strict ones of the schemas. A severity can differ between them, and ` + "`--severity`" + `, ` + "`--enable` and `--disable`" + ` override it. Rules marked *live* send requests to the site; those marked *off* apply only where ` + "`--enable`" + ` names them.

`

const chapterBegin = `# %s

<!-- Made from the rules by UPDATE_GOLDEN=1 go test ./internal/lintreport; do not edit. -->

[All rules](../rules.md). An example is the file https://example.com/sitemap.xml, or several files of the site, each after its name as in ` + "`-- /robots.txt --`" + `. What is in brackets, as in ` + "`[3 days ago]`" + `, is generated. For rules that need more context, the site began on 1 January 2010, the baseline lists ten pages, and a crawl found all pages of the example.

`

// TestDocs keeps docs/rules.md and the pages of the chapters equal to the rules;
// UPDATE_GOLDEN=1 rewrites them.
func TestDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	var index strings.Builder
	fmt.Fprintf(&index, docsBegin, len(lint.Rules()))
	pages := map[string]bool{}
	for _, g := range lint.Groups() {
		page := lintreport.ChapterPage(g.Title)
		pages[page] = true
		fmt.Fprintf(&index, "## [%s](%s)\n\n| Rule | Severity | Engines | What is wrong |\n|---|---|---|---|\n", g.Title, page)
		var chapter strings.Builder
		fmt.Fprintf(&chapter, chapterBegin, g.Title)
		for _, r := range g.Rules {
			note := ""
			switch {
			case r.Live:
				note = ", *live*"
			case severities(r) == off:
				note = ", *off*"
			}
			fmt.Fprintf(&index, "| [%s](%s#%s) | %s%s | %s | %s |\n", r.ID, page, r.ID, r.Severity, note,
				r.AppliesTo(), cell(r.Title().String()))
			fmt.Fprintf(&chapter, "## %s\n\n*%s* · %s · since %s\n\n%s\n", r.ID, lintreport.EscapeMarkdown(r.Title().String()),
				severities(r), r.Since, lintreport.RuleMarkdown(r))
		}
		index.WriteString("\n")
		golden(t, filepath.Join(docs, filepath.FromSlash(page)), chapter.String())
	}
	golden(t, filepath.Join(docs, "rules.md"), index.String())
	written, err := filepath.Glob(filepath.Join(docs, "rules", "*"))
	if err != nil || len(written) != len(pages) {
		t.Errorf("docs/rules has %d files, want %d: %v", len(written), len(pages), err)
	}
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
	for _, r := range lint.Rules() {
		marked := false
		for line := range strings.Lines(lintreport.Example(r)) {
			marked = marked || line[0] == '-' || line[0] == '+'
		}
		if example := lintreport.Example(r); !marked || strings.Contains(example, "{{") {
			t.Errorf("%s: %s", r.ID, example)
		}
	}
}

const off = "off until `--enable` names it"

// severities returns the severities of a rule with the engines that apply each.
func severities(r *lint.Rule) string {
	var parts []string
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
	if parts == nil {
		return off
	}
	return strings.Join(parts, " · ")
}

func cell(text string) string { return strings.ReplaceAll(lintreport.EscapeMarkdown(text), "|", `\|`) }
