package lintreport

import (
	"slices"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// RuleURL returns the address of the documentation of a rule.
func RuleURL(r *lint.Rule) string {
	page := "rules.md"
	if chapter := chapterOf()[r.ID]; chapter != "" {
		page = ChapterPage(chapter)
	}
	return format.ProjectURL + "/blob/main/docs/" + page + "#" + r.ID
}

// chapterOf returns the title of the chapter of each rule, by ID.
var chapterOf = sync.OnceValue(func() map[string]string {
	chapters := map[string]string{}
	for _, g := range slices.Concat(lint.PageGroups(), lint.Groups()) { // the page of a rule in both is about sitemaps
		for _, r := range g.Rules {
			chapters[r.ID] = g.Title
		}
	}
	return chapters
})

// ChapterPage returns the name of the page about a chapter, relative to docs.
func ChapterPage(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r < 'a' || r > 'z' })
	return "rules/" + strings.Join(words, "-") + ".md"
}

// RuleMarkdown returns the documentation of a rule as Markdown without a heading.
func RuleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	b.WriteString(EscapeMarkdown(r.Why().String()) + "\n\n**Fix:** " + EscapeMarkdown(r.Fix().String()) + "\n\n")
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
	writeExample(&b, r)
	return strings.TrimSuffix(b.String(), "\n")
}

// EscapeMarkdown keeps text that looks like an HTML element or entity literal in
// Markdown.
func EscapeMarkdown(text string) string {
	return strings.NewReplacer("<", `\<`, "&", `\&`).Replace(text)
}
