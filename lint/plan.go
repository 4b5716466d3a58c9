package lint

import "slices"

// A plan is the rules that a run applies, and how severe each is.
type plan struct {
	severity map[*Rule]Severity // of the rules applied; no other rule is in it
	byID     map[string]*Rule
	entry    []*Rule // those that look at entries
	always   []*Rule // those of them that look at every entry
	needs    traits  // of the others, together
	file     []*Rule // those that look at a file in its end
	live     []*Rule // those that ask for pages
	host     []*Rule // those that ask for robots.txt
	set      bool    // one of those about the pages of all files is among them
}

func newPlan(options *Options) (*plan, error) {
	p := &plan{severity: map[*Rule]Severity{}, byID: map[string]*Rule{}}
	rules := Rules()
	for _, r := range rules {
		p.byID[r.ID] = r
	}
	if err := p.checkNames(options); err != nil {
		return nil, err
	}
	for _, r := range rules {
		severity := r.SeverityUnder(options.Engines)
		enabled := slices.Contains(options.Enable, r.ID)
		if severity == SeverityOff && enabled {
			severity = r.Severity
		}
		if s, replaced := options.Severity[r.ID]; replaced && severity != SeverityOff {
			severity = s
		}
		wanted := enabled || len(options.Enable) == 0
		if severity == SeverityOff || !wanted || slices.Contains(options.Disable, r.ID) || r.Live && options.Live == nil {
			continue
		}
		p.severity[r] = severity
		if r.check != nil {
			p.entry = append(p.entry, r)
			p.needs |= r.needs
			if r.needs == anyEntry {
				p.always = append(p.always, r)
			}
		}
		p.set = p.set || slices.Contains(setRules, r) || options.Crawled != nil && slices.Contains(crawlRules, r)
		if r.finish != nil {
			p.file = append(p.file, r)
		}
		if r.live != nil {
			p.live = append(p.live, r)
		}
		if r.host != nil {
			p.host = append(p.host, r)
		}
	}
	return p, nil
}

// SeverityUnder is the strictest of what the chosen engines make of a breach.
// The protocol's rules are applied under every engine, but its own severity
// gives way to that of an engine that judges otherwise.
func (r *Rule) SeverityUnder(engines Engines) Severity {
	severity := SeverityOff
	for _, e := range engineNames {
		if e.engines != EngineAll && engines&e.engines != 0 {
			severity = max(severity, r.severityOf(e.engines))
		}
	}
	return severity
}

func (r *Rule) severityOf(engine Engines) Severity {
	for engines, severity := range r.Overlay {
		if engines&engine != 0 {
			return severity
		}
	}
	if r.Engines == 0 || r.Engines&(engine|EngineSitemapsOrg) != 0 {
		return r.Severity
	}
	return SeverityOff
}

func (p *plan) checkNames(options *Options) error {
	named := slices.Concat(options.Enable, options.Disable)
	for id := range options.Severity {
		named = append(named, id)
	}
	slices.Sort(named)
	for _, id := range named {
		if _, err := Find(id); err != nil {
			return err
		}
	}
	return nil
}
