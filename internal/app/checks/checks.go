// Package checks says which rules judge a crawl, and fails a run on the findings that --fail-on
// names. Begin with [Settings.Checker].
package checks

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// sets are the names of several rules.
var sets = map[string][]string{
	"broken":    {"link-broken", "redirect-loop"},
	"anchors":   {"anchor-missing"},
	"redirects": {"redirect-internal", "redirect-chain", "redirect-loop"},
	"chains":    {"redirect-chain"},
}

// choices are what --fail-on takes, apart from the IDs of rules.
var choices = []string{"error", "warning", "info", "broken", "anchors", "redirects", "chains"}

// Settings say which findings fail a run.
type Settings struct {
	FailOn        []string
	Allow         []string // patterns of accepted targets
	Baseline      string
	WriteBaseline bool
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "fail-on", Value: setting.List(&s.FailOn), Risk: setting.RiskNone,
			Values: func() []string { return slices.Concat(choices, GateNames(), RuleIDs()) },
			Help: "exit with 1 on these `FINDINGS`: " + strings.Join(choices, ", ") + ", IDs of rules, or changes such as " +
				"left-sitemap, newly-broken, removed, moved, title-lost, description-changed"},
		{Name: "allow", Value: setting.Strings(&s.Allow), Risk: setting.RiskNone,
			Help: "accept links to URLs that match the `PATTERN`"},
		{Name: "baseline", Value: setting.String(&s.Baseline), Risk: setting.RiskFile,
			Help: "ignore what is listed in this `FILE`"},
		{Name: "write-baseline", Value: setting.Bool(&s.WriteBaseline), CommandLineOnly: true,
			Help: "write what is found to the file of --baseline, and remove what is not found any more"},
	}
}

// RuleIDs returns the IDs of the rules over crawled pages.
func RuleIDs() (ids []string) {
	for _, rule := range lint.PageRules() {
		ids = append(ids, rule.ID)
	}
	return ids
}

// A Result is the outcome of the checks of a crawl. It is empty without them.
type Result struct {
	Checks   []string          // that were asked for
	Failing  int               // findings that fail the run
	Accepted int               // findings that would, and are in the baseline
	First    []insight.Finding // of those that fail
	Baseline string            // that was read or written
	Written  bool              // the baseline was written: what the crawl has is intended
	Gates    []GateFailure     // changes that fail the run
	// NotCompared says that changes should fail the run, and that the crawl is not compared with an earlier one.
	NotCompared bool
}

// maxShown is the number of failures in a [Result].
const maxShown = 10

// A Checker applies [Settings] to a crawl.
type Checker struct {
	settings *Settings
	severity lint.Severity // from which findings fail; SeverityOff means none
	rules    []string      // that fail
	gates    Gates
	allow    []*regexp.Regexp
	baseline *baseline.List // nil without one
}

// Checker validates the settings. It returns nil without --fail-on and --baseline. A baseline must not
// replace one of the sources.
func (s *Settings) Checker(sources *atomicfile.FileSet) (*Checker, error) {
	c := &Checker{settings: s}
	if len(s.FailOn) == 0 && len(s.Allow) > 0 {
		return nil, setting.Invalid("allow", "%s needs {fail-on}")
	}
	for _, name := range s.FailOn {
		if err := c.failOn(name); err != nil {
			return nil, err
		}
	}
	for _, pattern := range s.Allow {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			return nil, setting.Wrap("allow", err)
		}
		c.allow = append(c.allow, compiled)
	}
	if s.WriteBaseline {
		if err := (outputs.Output{Setting: "baseline", File: s.Baseline}).Check(sources); err != nil {
			return nil, err
		}
	}
	var err error
	if c.baseline, err = baseline.Open(s.Baseline, s.WriteBaseline); err != nil {
		return nil, err
	}
	if len(s.FailOn) == 0 && c.baseline == nil {
		return nil, nil
	}
	return c, nil
}

// CheckPlace refuses to write the baseline where a crawl writes another file, or to a folder that does not exist.
// written is nil if no crawl writes files. A nil Checker writes no baseline.
func (c *Checker) CheckPlace(written *outputs.WrittenFiles) error {
	if c == nil || !c.settings.WriteBaseline {
		return nil
	}
	if name := c.settings.Baseline; written != nil && written.Writes(name) {
		return setting.Invalid("baseline", "%s would overwrite %s, which the crawl writes", name)
	}
	return baseline.CheckFolder(c.settings.Baseline)
}

// failOn adds a severity, a set of rules or a rule.
func (c *Checker) failOn(name string) error {
	var severity lint.Severity
	switch {
	case severity.UnmarshalText([]byte(name)) == nil && severity != lint.SeverityOff:
		if c.severity == lint.SeverityOff || severity < c.severity {
			c.severity = severity
		}
	case sets[name] != nil:
		c.rules = append(c.rules, sets[name]...)
	case gateNamed(name) != nil:
		c.gates = append(c.gates, gateNamed(name))
	default:
		if _, err := lint.LookupRule(name); err != nil {
			return setting.Invalid("fail-on", "unknown %s %q: use any of %s, or IDs of rules, see mapa rules", name,
				strings.Join(slices.Concat(choices, shortGateNames()), ", "))
		}
		c.rules = append(c.rules, name)
	}
	return nil
}

// FailsRuns reports whether anything fails a run. A nil Checker fails none.
func (c *Checker) FailsRuns() bool { return c != nil && len(c.settings.FailOn) > 0 }

// ReadsChanges reports whether Run needs the changes since the crawl before.
func (c *Checker) ReadsChanges() bool { return len(c.gates) > 0 }

// Fails reports whether a finding fails a run.
func (c *Checker) Fails(f *insight.Finding) bool {
	return c.severity != lint.SeverityOff && f.Severity >= c.severity || slices.Contains(c.rules, f.Rule.ID)
}

// Ignore sets what the baseline ignores of a crawl, after it wrote that if the settings say so, and returns the verdict
// of the crawl: nil without one, or without a baseline. A nil Checker does nothing.
func (c *Checker) Ignore(ctx context.Context, file *store.File) (*insight.Verdict, error) {
	if c == nil || c.baseline == nil {
		return nil, nil
	}
	if c.settings.WriteBaseline {
		if err := c.writeBaseline(ctx, file); err != nil {
			return nil, err
		}
	}
	if err := c.baseline.IgnoreLosses(file); err != nil {
		return nil, err
	}
	return c.baseline.Ignore(ctx, file)
}

// Run checks a crawl, and the changes since the crawl before, which may be nil.
func (c *Checker) Run(ctx context.Context, file *store.File, changes *compare.Changes) (result Result, err error) {
	result.Checks, result.Baseline, result.Written = c.settings.FailOn, c.settings.Baseline, c.settings.WriteBaseline
	if !c.FailsRuns() {
		result.Accepted, err = insight.CountIgnored(ctx, file, nil)
		for found, err := range file.CountFindings(ctx) {
			if err != nil {
				return result, err
			}
			if found.Ignored {
				result.Accepted += found.Pages
			}
		}
		return result, err
	}
	for f, err := range c.Allowed(insight.Read(ctx, file, insight.Filter{})) {
		if err != nil {
			return result, err
		}
		if !c.Fails(&f) {
			continue
		}
		if result.Failing++; len(result.First) < maxShown {
			result.First = append(result.First, f)
		}
	}
	for f, err := range c.Allowed(insight.Read(ctx, file, insight.Filter{Ignored: true})) {
		if err != nil {
			return result, err
		}
		if c.Fails(&f) {
			result.Accepted++
		}
	}
	if result.Written {
		return result, nil
	}
	if result.NotCompared = changes == nil && len(c.gates) > 0; changes != nil {
		result.Gates, err = c.gates.Run(ctx, changes, file)
		result.Failing += len(result.Gates)
	}
	return result, err
}

// writeBaseline adds what is found, and not ignored yet, to the baseline: with --fail-on what fails a run. What is not
// found any more leaves it, if the crawl saw the whole site and applied the rule.
func (c *Checker) writeBaseline(ctx context.Context, file *store.File) (err error) {
	origin, before := crawlfile.SiteOrigin(file), c.baseline
	now := time.Now()
	verdict, err := insight.ReadVerdict(file)
	if err != nil {
		return err
	}
	sawAll := file.Finished() && verdict != nil && verdict.Kind != insight.Partial
	mayBeThere := func(e *baseline.Entry) bool {
		if !sawAll {
			return true
		}
		_, applied := verdict.Rules[e.Rule]
		return !applied && !e.IsLoss()
	}
	err = before.Save(c.settings.Baseline, mayBeThere, func(add func(*baseline.Entry) error) error {
		addKnown := func(e *baseline.Entry) error {
			e.SetKnown(now)
			return add(e)
		}
		for _, ignored := range []bool{false, true} {
			for f, err := range insight.Read(ctx, file, insight.Filter{Ignored: ignored}) {
				if err == nil && !before.Has(&f, origin) && !c.allows(&f) && (c.Fails(&f) || !c.FailsRuns()) {
					err = addKnown(baseline.EntryOf(&f, origin))
				}
				if err != nil {
					return err
				}
			}
		}
		for loss, err := range file.AllLosses(ctx) {
			if err == nil && !before.HasLoss(loss, origin) {
				err = addKnown(baseline.EntryOfLoss(loss, origin))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.baseline, err = baseline.Open(c.settings.Baseline, false)
	}
	return err
}

// Allowed returns the findings that are about no target of the setting allow.
func (c *Checker) Allowed(findings iter.Seq2[insight.Finding, error]) iter.Seq2[insight.Finding, error] {
	return func(yield func(insight.Finding, error) bool) {
		for f, err := range findings {
			if err == nil && c.allows(&f) {
				continue
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// allows reports whether a finding is about a link to a URL that is accepted.
func (c *Checker) allows(f *insight.Finding) bool {
	switch {
	case len(c.allow) == 0:
		return false
	case f.Rule.Subject == lint.SubjectLink:
		if end, is := f.RedirectEnd(); is && c.matches(end) {
			return true
		}
		return c.matches(f.OtherURL)
	}
	isRedirect := slices.Contains(sets["redirects"], f.Rule.ID)
	return isRedirect && (c.matches(f.URL) || c.matches(f.OtherURL))
}

// Allows reports whether links to a URL are accepted.
func (c *Checker) Allows(address string) bool { return c != nil && c.matches(address) }

// matches matches the patterns like those of the scope: against the path with its query,
// and against the whole URL.
func (c *Checker) matches(address string) bool {
	path := address
	if _, rest, found := strings.Cut(address, "://"); found {
		path = rest[max(strings.IndexByte(rest, '/'), 0):]
	}
	return slices.ContainsFunc(c.allow, func(pattern *regexp.Regexp) bool {
		return pattern.MatchString(path) || pattern.MatchString(address)
	})
}
