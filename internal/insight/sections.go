package insight

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Sections are the rules that a crawl breaks, by what is to be done. Rules about the whole site come first, then
// those about pages in the order of [lint.PageRules], then those about the sitemap.
type Sections struct {
	Fix     []RuleCount `json:"fix"`     // errors
	Improve []RuleCount `json:"improve"` // warnings
	Look    []RuleCount `json:"look"`    // information
	Passed  []string    `json:"passed"`  // IDs of the rules that were applied and found nothing, not even what is ignored
}

// A RuleCount is how many problems a rule found: pages or, in rules about the target of a link, targets.
type RuleCount struct {
	Rule  string `json:"rule"` // ID
	Count int    `json:"count"`
	Pages int    `json:"pages"` // on which it found something; 0 for a rule about the site or its sitemap
}

// ReadSections returns the rules that a crawl breaks.
func ReadSections(ctx context.Context, file *store.File) (*Sections, error) {
	verdict, err := ReadVerdict(file)
	if err != nil {
		return nil, err
	}
	counts, ignored := map[[2]string]int{}, map[string]bool{}
	for found, err := range file.CountFindings(ctx) {
		if err != nil {
			return nil, err
		}
		if ignored[found.Rule] = ignored[found.Rule] || found.Ignored; !found.Ignored {
			counts[[2]string{found.Rule, found.Severity}] = problems(&found)
		}
	}
	pages, err := countPages(ctx, file)
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
			key := [2]string{id, section.severity.String()}
			if n := counts[key]; n > 0 {
				*section.rules = append(*section.rules, RuleCount{id, n, pages[key]})
				found = true
			}
		}
		if verdict == nil || found || ignored[id] {
			continue
		}
		if _, applied := verdict.Rules[id]; applied {
			s.Passed = append(s.Passed, id)
		}
	}
	return s, nil
}

// countPages returns on how many pages rules found something, by their IDs and severities. What is found about the
// whole site is recorded with its start page, and not counted.
func countPages(ctx context.Context, file *store.File) (map[[2]string]int, error) {
	pages := map[[2]string]int{}
	for found, err := range file.CountRulePages(ctx) {
		if err != nil {
			return nil, err
		}
		if rule, err := lint.LookupRule(found.Rule); err == nil && rule.Subject != lint.SubjectSite {
			pages[[2]string{found.Rule, found.Severity}] = found.Pages
		}
	}
	return pages, nil
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

func siteFirst(r *lint.Rule) int {
	if r.Subject == lint.SubjectSite {
		return 0
	}
	return 1
}
