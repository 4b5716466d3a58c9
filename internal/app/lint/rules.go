package lint

import (
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// RuleExample returns the examples of a rule of the linter as the lines of a diff.
func RuleExample(r *lint.Rule) string { return lintreport.Example(r) }

// RuleEngines returns the names of the rule sets, in the order of tables.
func RuleEngines() (names []string) {
	for _, engine := range lint.RuleSets() {
		names = append(names, engine.String())
	}
	return names
}
