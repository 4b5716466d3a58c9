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

%d rules. The rules of sitemaps.org always apply; ` + "`--engine`" + ` adds those of a search engine. A severity can differ between them, and ` + "`--severity`" + `, ` + "`--enable` and `--disable`" + ` override it. Rules marked *live* send requests to the site. Examples are at https://example.com/sitemap.xml. In them, ` + "`{{repeat 3 \"…\"}}`" + ` means a text three times, and ` + "`{{today -3}}`" + ` a date. For rules that need more context, the site began on 1 January 2010, the baseline lists ten pages, and a crawl found all pages of the example.

`

// TestDocs keeps docs/rules.md equal to the rules; UPDATE_GOLDEN=1 rewrites it.
func TestDocs(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, docsBegin, len(lint.Rules()))
	for _, g := range lint.Groups() {
		fmt.Fprintf(&b, "## %s\n\n| Rule | Severity | Engines | What is wrong |\n|---|---|---|---|\n", g.Title)
		for _, r := range g.Rules {
			live := ""
			if r.Live {
				live = ", *live*"
			}
			fmt.Fprintf(&b, "| [%s](#%s) | %s%s | %s | %s |\n", r.ID, r.ID, r.Severity, live, lintreport.EnginesOf(r),
				cell(r.Title))
		}
		b.WriteString("\n")
	}
	for _, g := range lint.Groups() {
		for _, r := range g.Rules {
			fmt.Fprintf(&b, "### %s\n\n*%s* · %s · since %s\n\n%s\n", r.ID, lintreport.EscapeMarkdown(r.Title), severities(r),
				r.Since, lintreport.RuleMarkdown(r))
		}
	}
	formattest.Golden(t, filepath.Join("..", "..", "docs", "rules.md"), []byte(strings.TrimRight(b.String(), "\n")+"\n"))
}

// severities returns the severities of a rule with the engines that apply each.
func severities(r *lint.Rule) string {
	var parts []string
	for _, severity := range []lint.Severity{lint.SeverityError, lint.SeverityWarning, lint.SeverityInfo} {
		var set lint.Engines
		for _, engine := range lintreport.Engines() {
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

func cell(text string) string { return strings.ReplaceAll(lintreport.EscapeMarkdown(text), "|", `\|`) }

// TestRulesComplete checks that every rule has its texts.
func TestRulesComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range lint.Rules() {
		if seen[r.ID] {
			t.Errorf("%s exists twice", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Why == "" || r.Cure == "" || r.Source == "" || r.Since == "" {
			t.Errorf("%s lacks a title, a reason, a cure, a source or a version", r.ID)
		}
		if strings.HasSuffix(r.Title, ".") || strings.Contains(r.Title, "\n") {
			t.Errorf("%s: the title is one line without a full stop", r.ID)
		}
	}
}
