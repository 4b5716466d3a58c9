package lint

import (
	"slices"

	"github.com/mapatools/mapa/lint/internal/pageset"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// selection is the rules that a run applies, and how severe each is.
type selection struct {
	severity map[*Rule]Severity // of the rules applied; no other rule is in it
	copies   map[*Rule]*Rule    // of the same rules, for callers
	entry    []*Rule            // those that look at entries
	always   []*Rule            // those of them that look at every entry
	needs    scan.Traits        // of the others, together
	file     []*Rule
	page     []*Rule
	host     []*Rule
	kinds    []pageset.Kind // of the matches in the set that are wanted
}

func newSelection(options *Options) (*selection, error) {
	if err := checkIDs(options); err != nil {
		return nil, err
	}
	s := &selection{severity: map[*Rule]Severity{}, copies: map[*Rule]*Rule{}}
	for _, r := range allRules {
		severity := severityOf(r, options)
		if severity == SeverityOff || r.Live && !options.Live {
			continue
		}
		s.severity[r], s.copies[r] = severity, r.clone()
		if r.checkEntry != nil {
			s.entry = append(s.entry, r)
			s.needs |= r.needs
			if r.needs == scan.AnyEntry {
				s.always = append(s.always, r)
			}
		}
		if r.checkFile != nil {
			s.file = append(s.file, r)
		}
		if r.checkPage != nil {
			s.page = append(s.page, r)
		}
		if r.checkHost != nil {
			s.host = append(s.host, r)
		}
	}
	s.kinds = matchKinds(s.applies, options.Crawled != nil)
	return s, nil
}

// applies reports whether a rule is applied.
func (s *selection) applies(r *Rule) bool {
	_, applied := s.severity[r]
	return applied
}

// complete adds to a finding what does not depend on the place: its file, its severity
// and asterisks in place of user information.
func (s *selection) complete(f *Finding, file string) {
	f.Severity, f.Rule, f.File = s.severity[f.Rule], s.copies[f.Rule], file
	f.mask()
}

// severityOf returns the severity of a rule under the options: SeverityOff for a
// rule that is not applied.
func severityOf(r *Rule, options *Options) Severity {
	named := slices.Contains(options.Only, r.ID) || slices.Contains(options.Enable, r.ID)
	applied := named || len(options.Only) == 0 || slices.Contains(transportRules, r)
	if !applied || slices.Contains(options.Disable, r.ID) {
		return SeverityOff
	}
	severity := r.SeverityUnder(options.Engines)
	if severity == SeverityOff && named {
		severity = r.Severity
	}
	if s, replaced := options.Severity[r.ID]; replaced && severity != SeverityOff {
		severity = s
	}
	return severity
}

// checkIDs returns an error for the first unknown ID.
func checkIDs(options *Options) error {
	ids := slices.Concat(options.Only, options.Enable, options.Disable)
	for id := range options.Severity {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if _, err := LookupSitemapRule(id); err != nil {
			return err
		}
	}
	return nil
}
