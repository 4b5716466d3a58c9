package checks

import (
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/lint"
)

// RuleSettings say which rules judge a crawl and its sitemap.
type RuleSettings struct {
	Only, Enable, Disable []string
	Severity, Thresholds  map[string]string
}

// All returns the table of the settings.
func (s *RuleSettings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "only", Value: setting.List(&s.Only), Risk: setting.RiskNone, Values: RuleIDs,
			Help: "apply only the rules with these `IDS`, see mapa rules"},
		{Name: "enable", Value: setting.List(&s.Enable), Risk: setting.RiskNone, Values: RuleIDs,
			Help: "apply the rules with these `IDS` too"},
		{Name: "disable", Value: setting.List(&s.Disable), Risk: setting.RiskNone, Values: RuleIDs,
			Help: "skip the rules with these `IDS`"},
		{Name: "severity", Value: setting.Names(&s.Severity), Risk: setting.RiskNone,
			Help: "change the severity of rules: `ID=LEVEL`, one of off, info, warning and error"},
		{Name: "thresholds", Value: setting.Names(&s.Thresholds), Risk: setting.RiskNone, FileOnly: true,
			Help: "limits of rules, such as title-length: 30-65"},
	}
}

// Rules are the rules that judge a crawl, and the options to check its sitemap.
type Rules struct {
	Pages   *insight.Rules
	Sitemap lint.Options
}

// Rules validates the settings.
func (s *RuleSettings) Rules() (*Rules, error) {
	pages := insight.Options{Severity: map[string]lint.Severity{}, Thresholds: map[string]lint.Threshold{}}
	if len(s.Only) > 0 {
		pages.Only = []string{} // of which there may be none
	}
	rules := &Rules{Sitemap: lint.Options{Severity: map[string]lint.Severity{}}}
	for _, list := range []struct {
		name           string
		ids            []string
		pages, sitemap *[]string
	}{
		{"only", s.Only, &pages.Only, &rules.Sitemap.Only}, {"enable", s.Enable, &pages.Enable, &rules.Sitemap.Enable},
		{"disable", s.Disable, &pages.Disable, &rules.Sitemap.Disable},
	} {
		for _, id := range list.ids {
			into := list.pages
			if _, err := lint.LookupPageRule(id); err != nil {
				into = list.sitemap
			}
			if _, err := lint.LookupRule(id); err != nil {
				return nil, setting.Wrap(list.name, err)
			}
			*into = append(*into, id)
		}
	}
	if err := s.severities(pages.Severity, rules.Sitemap.Severity); err != nil {
		return nil, err
	}
	for id, text := range s.Thresholds {
		rule, err := lint.LookupPageRule(id)
		if err == nil {
			pages.Thresholds[id], err = rule.Threshold.Parse(text)
		}
		if err != nil {
			return nil, setting.Wrap("thresholds", err)
		}
	}
	// A crawl lists each page once, and its pages are judged by the rules about hreflang themselves.
	rules.Sitemap.Disable = append(rules.Sitemap.Disable, rulesOfSets...)
	for _, rule := range lint.PageRules() {
		if rule.Subject == lint.SubjectSitemap {
			rules.Sitemap.Disable = append(rules.Sitemap.Disable, rule.ID)
		}
	}
	var err error
	rules.Pages, err = pages.Rules()
	return rules, err
}

func (s *RuleSettings) severities(pages, sitemap map[string]lint.Severity) error {
	for id, name := range s.Severity {
		if _, err := lint.LookupRule(id); err != nil {
			return setting.Wrap("severity", err)
		}
		var level lint.Severity
		if err := level.UnmarshalText([]byte(name)); err != nil {
			return setting.Invalid("severity", "%s of %s must be off, info, warning or error, not %q", id, name)
		}
		if _, err := lint.LookupPageRule(id); err == nil {
			pages[id] = level
		} else {
			sitemap[id] = level
		}
	}
	return nil
}

// ApplySitemap reports whether rules about the sitemap are applied.
func (s *RuleSettings) ApplySitemap(r *Rules) bool {
	return len(s.Only) == 0 || len(r.Sitemap.Only) > 0
}

// rulesOfSets are the rules that compare the pages of a sitemap with each other, which takes most of
// the linter's time.
var rulesOfSets = []string{"duplicate-loc", "duplicate-across-files", "equivalent-loc", "conflicting-metadata"}
