// Package ruleset has the settings by which mapa lint and mapa crawl choose rules.
package ruleset

import (
	"maps"
	"slices"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/lint"
)

// Settings choose rules by their IDs.
type Settings struct {
	Only     []string
	Severity map[string]string // on, off or a severity
}

// A Choice is what the settings say about rules.
type Choice struct {
	Enable, Disable []string // IDs, sorted
	Severity        map[string]lint.Severity
}

// on applies a rule with its own severity.
const on = "on"

// All returns the table of the settings. ids returns the rules to choose from.
func (s *Settings) All(ids func() []string) []setting.Setting {
	return []setting.Setting{
		{Name: "only", Value: setting.List(&s.Only), Risk: setting.RiskNone, Values: ids,
			Help: "apply only the rules with these `IDS`"},
		{Name: "severity", Value: setting.Names(&s.Severity), Risk: setting.RiskNone,
			Values: func() []string { return setting.Assigned(ids())() },
			Help:   "turn a rule off or on, or change its severity: `ID=off`, on, info, warning or error"},
	}
}

// Check validates the settings, and returns the choice. The error of lookup says what is wrong with
// an ID. A severity also applies a rule that is off by default.
func (s *Settings) Check(lookup func(id string) (*lint.Rule, error)) (Choice, error) {
	choice := Choice{Severity: map[string]lint.Severity{}}
	for _, id := range s.Only {
		if _, err := lookup(id); err != nil {
			return choice, setting.Wrap("only", err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Severity)) {
		rule, err := lookup(id)
		if err != nil {
			return choice, setting.Wrap("severity", err)
		}
		name := s.Severity[id]
		level, known := severityOf(name)
		switch {
		case !known:
			return choice, setting.Invalid("severity", "%s of %s must be off, on, info, warning or error, not %q", id, name)
		case level == lint.SeverityOff && name != on:
			choice.Disable = append(choice.Disable, id)
			continue
		case level != lint.SeverityOff:
			choice.Severity[id] = level
		}
		if name == on || rule.OffByDefault() && len(s.Only) == 0 {
			choice.Enable = append(choice.Enable, id)
		}
	}
	return choice, nil
}

// severityOf returns the severity of a name: SeverityOff for on, which replaces none.
func severityOf(name string) (level lint.Severity, known bool) {
	if name == on {
		return lint.SeverityOff, true
	}
	return level, level.UnmarshalText([]byte(name)) == nil
}
