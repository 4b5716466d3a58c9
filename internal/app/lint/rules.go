package lint

import (
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// AllRules returns the rules over sitemaps and those over crawled pages, each once.
func AllRules() []*lint.Rule {
	rules := lint.Rules()
	for _, r := range lint.PageRules() {
		if r.Subject != lint.SubjectSitemap { // which is among those over sitemaps
			rules = append(rules, r)
		}
	}
	return rules
}

// RuleIDs returns the IDs of AllRules.
func RuleIDs() []string { return idsOf(AllRules()) }

// RuleExample returns the examples of a rule of the linter as the lines of a diff.
func RuleExample(r *lint.Rule) string { return lintreport.Example(r) }

// RuleEngines returns the names of the rule sets, in the order of tables.
func RuleEngines() (names []string) {
	for _, engine := range lint.RuleSets() {
		names = append(names, engine.String())
	}
	return names
}
