package insight

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Sections are the rules that a crawl breaks, by what is to be done. Rules about the whole site come first, then
// those about pages in the order of [lint.PageRules], then those about the sitemap.
type Sections struct {
	Fix     []RuleCount `json:"fix"`     // errors
	Improve []RuleCount `json:"improve"` // warnings
	Look    []RuleCount `json:"look"`    // information
	Passed  []string    `json:"passed"`  // IDs of the rules that were applied and found nothing
}

// A RuleCount is how many problems a rule found: pages or, in rules about the target of a link, targets.
type RuleCount struct {
	Rule  string `json:"rule"` // ID
	Count int    `json:"count"`
}

// ReadSections returns the rules that a crawl breaks.
func ReadSections(ctx context.Context, file *store.File) (*Sections, error) {
	verdict, err := ReadVerdict(file)
	if err != nil {
		return nil, err
	}
	counts, err := file.CountFindings(ctx, linkRuleIDs)
	if err != nil {
		return nil, err
	}
	s := &Sections{Fix: []RuleCount{}, Improve: []RuleCount{}, Look: []RuleCount{}, Passed: []string{}}
	for _, id := range ruleOrder() {
		found := false
		for _, section := range []struct {
			severity lint.Severity
			rules    *[]RuleCount
		}{{lint.SeverityError, &s.Fix}, {lint.SeverityWarning, &s.Improve}, {lint.SeverityInfo, &s.Look}} {
			if n := counts[[2]string{id, section.severity.String()}]; n > 0 {
				*section.rules = append(*section.rules, RuleCount{id, n})
				found = true
			}
		}
		if verdict == nil || found {
			continue
		}
		if _, applied := verdict.Rules[id]; applied {
			s.Passed = append(s.Passed, id)
		}
	}
	return s, nil
}

// ruleOrder returns the IDs of all rules in the order of sections.
func ruleOrder() (ids []string) {
	pages := lint.PageRules()
	slices.SortStableFunc(pages, func(a, b *lint.Rule) int { return siteFirst(a) - siteFirst(b) })
	for _, rule := range append(pages, lint.Rules()...) {
		if !slices.Contains(ids, rule.ID) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// ruleRanks are the places of rules in that order, by their IDs.
var ruleRanks = sync.OnceValue(func() map[string]int {
	ranks := map[string]int{}
	for i, id := range ruleOrder() {
		ranks[id] = i
	}
	return ranks
})

// Compare compares findings by the order of [Sections]: by severity, the most severe first, then by rule.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), ruleRanks()[a.Rule.ID]-ruleRanks()[b.Rule.ID])
}

func siteFirst(r *lint.Rule) int {
	if r.Subject == lint.SubjectSite {
		return 0
	}
	return 1
}
