package report

import (
	"regexp"
	"strings"

	"github.com/mapatools/mapa/lint"
)

// Engines are the rule sets that rules tell apart, in the order of tables.
var Engines = []lint.Engines{lint.EngineSitemapsOrg, lint.EngineGoogle, lint.EngineBing, lint.EngineYandex}

// EnginesOf returns the rule sets that a rule belongs to; every one when it names
// none.
func EnginesOf(r *lint.Rule) lint.Engines {
	if r.Engines == 0 {
		return lint.EngineAll
	}
	return r.Engines
}

// RuleAddress returns where the documentation of a rule lies.
func RuleAddress(r *lint.Rule) string { return home + "/blob/main/docs/rules.md#" + r.ID }

// RuleMarkdown returns what there is to know about a rule, as Markdown without a
// heading. The texts of rules are Mapa's own.
func RuleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	b.WriteString(Escape(r.Why) + "\n\n**Fix:** " + Escape(r.Cure) + "\n\n")
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

// Escape keeps what looks like an element from being one in Markdown.
func Escape(text string) string { return strings.ReplaceAll(text, "<", `\<`) }

// writeExample writes a fenced block; the fence is longer than any in the text.
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
	b.WriteString(title + ":\n\n" + fence + language + "\n" + shown(example) + "\n" + fence + "\n\n")
}

// padding only makes an example large.
var padding = regexp.MustCompile(` {40,}`)

// shown returns an example without what would not show on a page.
func shown(example string) string {
	lines := strings.Split(strings.Trim(example, "\n"), "\n")
	for i, line := range lines {
		lines[i] = padding.ReplaceAllString(Printable(line), " … ")
	}
	return strings.Join(lines, "\n")
}
