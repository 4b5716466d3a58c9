package insight

import (
	"maps"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// Options select the rules over crawled pages. The zero value is the default rules.
type Options struct {
	// Only, unless nil, is all rules to apply. Enable adds rules to the default ones, and
	// Disable overrides both.
	Only, Enable, Disable []string
	// Severity replaces the severity of rules, by ID, and Thresholds their thresholds.
	Severity   map[string]lint.Severity
	Thresholds map[string]lint.Threshold
	// Links says how severe it is when a URL fails, over Severity.
	Links []crawl.LinkRule
}

// Rules are the rules that are applied. Get them from [Options.Rules].
type Rules struct {
	byID  map[string]*chosenRule
	links []crawl.LinkRule
}

// A chosenRule is a rule that is applied.
type chosenRule struct {
	*lint.Rule
	replaced lint.Severity // by the user, or SeverityOff
}

// Rules returns the rules that the options select. The error names an unknown one.
func (o *Options) Rules() (*Rules, error) {
	if err := o.checkIDs(); err != nil {
		return nil, err
	}
	rules := &Rules{map[string]*chosenRule{}, o.Links}
	for _, rule := range lint.PageRules() {
		if !o.selects(rule) {
			continue
		}
		if threshold, replaced := o.Thresholds[rule.ID]; replaced {
			rule.Threshold = threshold
		}
		rules.byID[rule.ID] = &chosenRule{Rule: rule, replaced: o.Severity[rule.ID]}
	}
	return rules, nil
}

// selects reports whether a rule is applied.
func (o *Options) selects(rule *lint.Rule) bool {
	if slices.Contains(o.Disable, rule.ID) {
		return false
	}
	if severity, replaced := o.Severity[rule.ID]; replaced && severity == lint.SeverityOff {
		return false
	}
	if o.Only != nil {
		return slices.Contains(o.Only, rule.ID)
	}
	return slices.Contains(o.Enable, rule.ID) || !rule.OffByDefault()
}

func (o *Options) checkIDs() error {
	ids := slices.Concat(o.Only, o.Enable, o.Disable, slices.Collect(maps.Keys(o.Severity)),
		slices.Collect(maps.Keys(o.Thresholds)))
	slices.Sort(ids)
	for _, id := range ids {
		if _, err := lint.LookupPageRule(id); err != nil {
			return err
		}
	}
	return nil
}

// without returns the rules except for those with the IDs.
func (r *Rules) without(ids []string) *Rules {
	rest := maps.Clone(r.byID)
	for _, id := range ids {
		delete(rest, id)
	}
	return &Rules{rest, r.links}
}

// Applies reports whether a rule is applied.
func (r *Rules) Applies(id string) bool { return r.byID[id] != nil }

// rule returns a rule, or nil if it is not applied.
func (r *Rules) rule(id string) *chosenRule { return r.byID[id] }

// at returns the rule with the severity that the policy of links has for a failure, if it has one.
func (r *chosenRule) at(level lint.Severity) *chosenRule {
	if level == lint.SeverityOff {
		return r
	}
	return &chosenRule{Rule: r.Rule, replaced: level}
}

// beyond returns the severity of a rule for a number, and the limit that it passes: SeverityOff
// where it passes none.
func (r *chosenRule) beyond(n int) (severity lint.Severity, limit int) {
	severity = r.SeverityOf(n)
	if passed := r.Threshold.Beyond(n); passed > 0 {
		limit = r.Threshold.Limits()[passed-1]
	}
	return severity, limit
}
