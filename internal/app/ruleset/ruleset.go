// Package ruleset has the settings by which mapa lint and mapa crawl choose rules.
package ruleset

import (
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/lint"
)

// Settings choose rules by their IDs.
type Settings struct {
	Only, Enable, Disable []string
	Severity              map[string]string
}

// All returns the table of the settings. ids returns the rules to choose from.
func (s *Settings) All(ids func() []string) []setting.Setting {
	return []setting.Setting{
		{Name: "only", Value: setting.List(&s.Only), Risk: setting.RiskNone, Values: ids,
			Help: "apply only the rules with these `IDS`"},
		{Name: "enable", Value: setting.List(&s.Enable), Risk: setting.RiskNone, Values: ids,
			Help: "also apply the rules with these `IDS`, which are off"},
		{Name: "disable", Value: setting.List(&s.Disable), Risk: setting.RiskNone, Values: ids,
			Help: "skip the rules with these `IDS`"},
		{Name: "severity", Value: setting.Names(&s.Severity), Risk: setting.RiskNone,
			Help: "change the severity of rules: `ID=LEVEL`, one of off, info, warning and error"},
	}
}

// Check validates the settings, and returns the changed severities. The error of lookup says what is
// wrong with an ID.
func (s *Settings) Check(lookup func(id string) (*lint.Rule, error)) (map[string]lint.Severity, error) {
	for _, list := range []struct {
		name string
		ids  []string
	}{{"only", s.Only}, {"enable", s.Enable}, {"disable", s.Disable}} {
		for _, id := range list.ids {
			if _, err := lookup(id); err != nil {
				return nil, setting.Wrap(list.name, err)
			}
		}
	}
	severities := map[string]lint.Severity{}
	for id, name := range s.Severity {
		if _, err := lookup(id); err != nil {
			return nil, setting.Wrap("severity", err)
		}
		var level lint.Severity
		if err := level.UnmarshalText([]byte(name)); err != nil {
			return nil, setting.Invalid("severity", "%s of %s must be off, info, warning or error, not %q", id, name)
		}
		severities[id] = level
	}
	return severities, nil
}
