package lintreport

import (
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Engines returns the rule sets in the order of tables.
func Engines() []lint.Engines {
	return []lint.Engines{lint.EngineSitemapsOrg, lint.EngineGoogle, lint.EngineBing, lint.EngineYandex}
}

// EnginesOf returns the rule sets that a rule belongs to: all of them unless the
// rule names some.
func EnginesOf(r *lint.Rule) lint.Engines {
	if r.Engines == 0 {
		return lint.EngineAll
	}
	return r.Engines
}

// RuleURL returns the address of the documentation of a rule.
func RuleURL(r *lint.Rule) string { return format.ProjectURL + "/blob/main/docs/rules.md#" + r.ID }

// RuleMarkdown returns the documentation of a rule as Markdown without a heading.
func RuleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	b.WriteString(EscapeMarkdown(r.Why) + "\n\n**Fix:** " + EscapeMarkdown(r.Cure) + "\n\n")
	var names []string
	if r.SearchConsole != "" {
		names = append(names, "Search Console calls it “"+r.SearchConsole+"”.")
	}
	if r.Yandex != "" {
		names = append(names, "Yandex calls it “"+r.Yandex+"”.")
	}
	if r.Source != "" {
		names = append(names, "Source: <"+r.Source+">.")
	}
	if len(names) > 0 {
		b.WriteString(strings.Join(names, " ") + "\n\n")
	}
	writeExample(&b, "Bad", r.Bad)
	writeExample(&b, "Good", r.Good)
	return strings.TrimSuffix(b.String(), "\n")
}

// EscapeMarkdown keeps text that looks like an HTML element literal in Markdown.
func EscapeMarkdown(text string) string { return strings.ReplaceAll(text, "<", `\<`) }

// writeExample writes a fenced block. Its fence is longer than any fence in the text.
func writeExample(b *strings.Builder, title, example string) {
	if example == "" {
		return
	}
	language := "xml"
	if !strings.HasPrefix(strings.TrimSpace(example), "<") {
		language = "text"
	}
	fence := "```"
	for strings.Contains(example, fence) {
		fence += "`"
	}
	b.WriteString(title + ":\n\n" + fence + language + "\n" + printableExample(example) + "\n" + fence + "\n\n")
}

// padding matches spaces that only make an example large.
var padding = regexp.MustCompile(` {40,}`)

// printableExample returns an example without invisible characters and padding.
func printableExample(example string) string {
	lines := strings.Split(strings.Trim(example, "\n"), "\n")
	for i, line := range lines {
		lines[i] = padding.ReplaceAllString(format.Printable(line), " … ")
	}
	return strings.Join(lines, "\n")
}
