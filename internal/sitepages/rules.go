package main

import (
	"path"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// rulePages returns a page for each rule, by language. A page has the facts of its rule as
// parameters; the layout of the site words the rest. A rule that is in two chapters belongs to
// the one over sitemaps.
func rulePages() map[catalog.Language][]page {
	pages := map[catalog.Language][]page{}
	for _, language := range catalog.Languages() {
		seen := map[string]bool{}
		for i, g := range slices.Concat(lint.Groups(), lint.PageGroups()) {
			for j, r := range g.Rules {
				if seen[r.ID] {
					continue
				}
				seen[r.ID] = true
				facts := ruleFacts(r, string(language))
				facts["chapter"] = strings.TrimSuffix(path.Base(lintreport.ChapterPage(g.Title)), ".md")
				pages[language] = append(pages[language], page{
					path: "rules/" + r.ID + ".md",
					front: map[string]any{
						"title":       r.ID,
						"description": r.Why().In(string(language)),
						"weight":      1 + 1000*i + j,
						"rule":        facts,
					},
				})
			}
		}
	}
	return pages
}

// ruleFacts returns what the page of a rule shows.
func ruleFacts(r *lint.Rule, language string) map[string]any {
	facts := map[string]any{
		"title":         r.Title().In(language),
		"why":           r.Why().In(language),
		"fix":           r.Fix().In(language),
		"severity":      r.Severity.String(),
		"severities":    ruleSeverities(r, language),
		"threshold":     r.Threshold.String(),
		"live":          r.Live,
		"off":           r.OffByDefault(),
		"over_pages":    r.Subject != lint.SubjectSitemap,
		"searchconsole": r.SearchConsole,
		"yandex":        r.Yandex,
		"source":        r.Source,
		"example":       lintreport.Example(r),
	}
	return facts
}

// severityWhen is a severity, and when a finding has it: under some engines, or beyond a limit.
type severityWhen struct {
	Severity string `json:"severity"`
	When     string `json:"when"`
}

// ruleSeverities returns the severities of a rule, the highest one first.
func ruleSeverities(r *lint.Rule, language string) (found []severityWhen) {
	if r.Subject != lint.SubjectSitemap {
		first, second := r.Limits()
		found = append(found, severityWhen{r.Severity.String(), limitText(first, language)})
		if r.Escalated != lint.SeverityOff {
			found = append(found, severityWhen{r.Escalated.String(), limitText(second, language)})
		}
		return found
	}
	for _, severity := range []lint.Severity{lint.SeverityError, lint.SeverityWarning, lint.SeverityInfo} {
		var under lint.Engines
		for _, engine := range lint.RuleSets() {
			if r.SeverityUnder(engine) == severity {
				under |= engine
			}
		}
		if under != 0 {
			found = append(found, severityWhen{severity.String(), strings.ReplaceAll(under.String(), ",", ", ")})
		}
	}
	return found
}

func limitText(limit lint.Text, language string) string {
	if limit.Code == "" {
		return ""
	}
	return limit.In(language)
}
