package run

import (
	"slices"

	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/rules"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// selection is the rules that a run applies, and how severe each is.
type selection struct {
	severity map[*rule.Rule]rule.Severity // of the rules applied; no other rule is in it
	entry    []*rule.Rule                 // those that look at entries
	always   []*rule.Rule                 // those of them that look at every entry
	needs    scan.Traits                  // of the others, together
	file     []*rule.Rule
	page     []*rule.Rule
	host     []*rule.Rule
	kinds    []pageset.Kind // of the matches in the set that are wanted
}

func newSelection(options *Options) (*selection, error) {
	if err := checkIDs(options); err != nil {
		return nil, err
	}
	s := &selection{severity: map[*rule.Rule]rule.Severity{}}
	for _, r := range rules.All {
		severity := severityOf(r, options)
		if severity == rule.SeverityOff || r.Live && options.Live == nil {
			continue
		}
		s.severity[r] = severity
		if r.CheckEntry != nil {
			s.entry = append(s.entry, r)
			s.needs |= r.Needs
			if r.Needs == scan.AnyEntry {
				s.always = append(s.always, r)
			}
		}
		if r.CheckFile != nil {
			s.file = append(s.file, r)
		}
		if r.CheckPage != nil {
			s.page = append(s.page, r)
		}
		if r.CheckHost != nil {
			s.host = append(s.host, r)
		}
	}
	s.kinds = rules.Kinds(s.applies, options.Crawled != nil)
	return s, nil
}

// applies reports whether a rule is applied.
func (s *selection) applies(r *rule.Rule) bool {
	_, applied := s.severity[r]
	return applied
}

// severityOf returns the severity of a rule under the options: SeverityOff for a
// rule that is not applied.
func severityOf(r *rule.Rule, options *Options) rule.Severity {
	enabled := slices.Contains(options.Enable, r.ID)
	if slices.Contains(options.Disable, r.ID) || len(options.Enable) > 0 && !enabled {
		return rule.SeverityOff
	}
	severity := r.SeverityUnder(options.Engines)
	if severity == rule.SeverityOff && enabled {
		severity = r.Severity
	}
	if s, replaced := options.Severity[r.ID]; replaced && severity != rule.SeverityOff {
		severity = s
	}
	return severity
}

// checkIDs returns an error for the first unknown ID.
func checkIDs(options *Options) error {
	ids := slices.Concat(options.Enable, options.Disable)
	for id := range options.Severity {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if _, err := rules.Find(id); err != nil {
			return err
		}
	}
	return nil
}
