package checks

import (
	"maps"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/ruleset"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/lint"
)

// RuleSettings say which rules judge a crawl and its sitemap.
type RuleSettings struct {
	ruleset.Settings
	Thresholds map[string]string
}

// All returns the table of the settings.
func (s *RuleSettings) All() []setting.Setting {
	return append(s.Settings.All(RuleIDs), setting.Setting{
		Name: "thresholds", Value: setting.Names(&s.Thresholds), Risk: setting.RiskNone, FileOnly: true,
		Help: "limits of rules, such as title-length: 30-65",
	})
}

// Rules are the rules that judge a crawl, and the options to check its sitemap.
type Rules struct {
	Pages   *insight.Rules
	Sitemap lint.Options
}

// Rules validates the settings. The policy of links goes over the severities of rules.
func (s *RuleSettings) Rules(links []crawl.LinkRule) (*Rules, error) {
	choice, err := s.Check(lint.LookupRule)
	if err != nil {
		return nil, err
	}
	severity := choice.Severity
	pages := insight.Options{Severity: maps.Clone(severity), Thresholds: map[string]lint.Threshold{}, Links: links}
	maps.DeleteFunc(pages.Severity, func(id string, _ lint.Severity) bool { return !isPageRule(id) })
	maps.DeleteFunc(severity, func(id string, _ lint.Severity) bool { return isPageRule(id) })
	rules := &Rules{Sitemap: lint.Options{Severity: severity}}
	if len(s.Only) > 0 {
		pages.Only, rules.Sitemap.Only = partition(slices.Concat(s.Only, choice.Enable))
	}
	pages.Enable, rules.Sitemap.Enable = partition(choice.Enable)
	pages.Disable, rules.Sitemap.Disable = partition(choice.Disable)
	if len(s.Only) > 0 && pages.Only == nil {
		pages.Only = []string{} // no rule, and not all of them
	}
	for id, text := range s.Thresholds {
		rule, err := lint.LookupPageRule(id)
		if err == nil {
			pages.Thresholds[id], err = rule.Threshold.Parse(text)
		}
		if err != nil {
			return nil, setting.WrapKey("thresholds", err)
		}
	}
	// A crawl lists each page once, and its pages are judged by the rules about hreflang themselves.
	rules.Sitemap.Disable = append(rules.Sitemap.Disable, rulesOfSets...)
	for _, rule := range lint.PageRules() {
		if rule.Subject == lint.SubjectSitemap {
			rules.Sitemap.Disable = append(rules.Sitemap.Disable, rule.ID)
		}
	}
	rules.Pages, err = pages.Rules()
	return rules, err
}

// partition splits the IDs of rules into those over pages and those over sitemaps.
func partition(ids []string) (pages, sitemap []string) {
	for _, id := range ids {
		if isPageRule(id) {
			pages = append(pages, id)
		} else {
			sitemap = append(sitemap, id)
		}
	}
	return pages, sitemap
}

func isPageRule(id string) bool {
	_, err := lint.LookupPageRule(id)
	return err == nil
}

// ApplySitemap reports whether rules about the sitemap are applied.
func (s *RuleSettings) ApplySitemap(r *Rules) bool {
	return len(s.Only) == 0 || len(r.Sitemap.Only) > 0
}

// rulesOfSets are the rules that compare the pages of a sitemap with each other, which takes most of
// the linter's time.
var rulesOfSets = []string{"duplicate-loc", "duplicate-across-files", "equivalent-loc", "conflicting-metadata"}
