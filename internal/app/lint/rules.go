package lint

import (
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// A Rule is a rule of the linter as programs read it.
type Rule struct {
	ID            string                   `json:"id"`
	Title         string                   `json:"title"`
	Why           string                   `json:"why"`
	Fix           string                   `json:"fix"`
	Severity      lint.Severity            `json:"severity"`
	Engines       map[string]lint.Severity `json:"engines"`
	Live          bool                     `json:"live,omitempty"`
	Source        string                   `json:"source"`
	SearchConsole string                   `json:"search_console,omitempty"`
	Yandex        string                   `json:"yandex,omitempty"`
	Since         string                   `json:"since"`
	Bad           string                   `json:"bad"`
	Good          string                   `json:"good"`

	// AppliesTo are the rule sets that the rule belongs to.
	AppliesTo lint.Engines `json:"-"`
	// Example is Bad and Good as the lines of a diff.
	Example string `json:"-"`
}

// Rules returns the rules of the linter.
func Rules() []Rule {
	var rules []Rule
	for _, r := range lint.Rules() {
		rules = append(rules, newRule(r))
	}
	return rules
}

// FindRule returns one rule. The error suggests another ID where one is similar.
func FindRule(id string) (Rule, error) {
	r, err := lint.LookupRule(id)
	if err != nil {
		return Rule{}, err
	}
	return newRule(r), nil
}

// RuleEngines returns the names of the rule sets, in the order of tables.
func RuleEngines() []string {
	var names []string
	for _, engine := range lintreport.Engines {
		names = append(names, engine.String())
	}
	return names
}

func newRule(r *lint.Rule) Rule {
	rule := Rule{
		ID: r.ID, Title: r.Title, Why: r.Why, Fix: r.Fix, Severity: r.Severity, Engines: map[string]lint.Severity{},
		Live: r.Live, Source: r.Source, SearchConsole: r.SearchConsole, Yandex: r.Yandex, Since: r.Since,
		Bad: r.Bad, Good: r.Good, AppliesTo: lintreport.EnginesOf(r), Example: lintreport.Example(r),
	}
	for _, engine := range lintreport.Engines {
		rule.Engines[engine.String()] = r.SeverityUnder(engine)
	}
	return rule
}
