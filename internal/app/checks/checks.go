// Package checks fails a run on the problems with links that --fail-on names. Begin with
// [Settings.Checker].
package checks

import (
	"context"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/report"
)

// Settings say which problems with links fail a run.
type Settings struct {
	FailOn        []string
	Allow         []string // patterns of accepted targets
	Baseline      string
	WriteBaseline bool
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "fail-on", Value: setting.List(&s.FailOn), Risk: setting.RiskNone, Values: setting.Choices(report.Checks...),
			Help: "exit with 1 on these `PROBLEMS` with links: " + setting.Joined(report.Checks, ", ")},
		{Name: "allow", Value: setting.Strings(&s.Allow), Risk: setting.RiskNone,
			Help: "with --fail-on, accept links to URLs that match the `PATTERN`"},
		{Name: "baseline", Value: setting.String(&s.Baseline), Risk: setting.RiskFile,
			Help: "with --fail-on, skip the problems listed in this `FILE`"},
		{Name: "write-baseline", Value: setting.Bool(&s.WriteBaseline), CommandLineOnly: true,
			Help: "write all problems to the file of --baseline"},
	}
}

// A Result is the outcome of the checks of a crawl. It is empty without them.
type Result struct {
	Checks   []string      // that were asked for
	Failing  int           // problems that fail the run
	Accepted int           // problems that the baseline lists
	First    []LinkProblem // of those that fail
	Baseline string        // that was read or written
	Written  bool          // the baseline was written
}

// A LinkProblem is a link that fails a check.
type LinkProblem struct{ Message, Page string }

// maxShownProblems is the number of problems in a [Result].
const maxShownProblems = 10

// A LinkChecker applies [Settings] to a crawl.
type LinkChecker struct {
	settings *Settings
	checks   []report.Check
	allow    []*regexp.Regexp
	baseline *baseline.Baseline // nil without one
}

// Checker validates the settings. It returns nil without --fail-on. A baseline must not
// replace one of the sources.
func (s *Settings) Checker(sources *atomicfile.FileSet) (*LinkChecker, error) {
	c := &LinkChecker{settings: s}
	if len(s.FailOn) == 0 {
		for name, set := range map[string]bool{
			"baseline": s.Baseline != "", "allow": len(s.Allow) > 0, "write-baseline": s.WriteBaseline,
		} {
			if set {
				return nil, setting.Invalid(name, "%s needs {fail-on}")
			}
		}
		return nil, nil
	}
	for _, name := range s.FailOn {
		if !slices.Contains(report.Checks, report.Check(name)) {
			return nil, setting.Invalid("fail-on", "unknown %s %q: use any of %s", name, setting.Joined(report.Checks, ", "))
		}
		c.checks = append(c.checks, report.Check(name))
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
	c.baseline, err = baseline.Open(s.Baseline, s.WriteBaseline)
	return c, err
}

// Run checks a crawl. It passes the problems that fail the run to write, which may be
// nil.
func (c *LinkChecker) Run(
	ctx context.Context, file crawl.Reader, write func(iter.Seq2[report.Problem, error]) error,
) (result Result, err error) {
	result.Checks, result.Baseline = c.settings.FailOn, c.settings.Baseline
	if write == nil {
		write = drain
	}
	if !c.settings.WriteBaseline {
		return result, write(c.failing(ctx, file, &result))
	}
	result.Written = true
	err = atomicfile.Replace(result.Baseline, func(out io.Writer) error {
		b, err := baseline.NewWriter(out)
		if err != nil {
			return err
		}
		for p, err := range c.problems(ctx, file) {
			if err == nil {
				result.Accepted++
				err = b.WriteLine(baseline.AcceptedFinding{
					Fingerprint: p.Key(crawlfile.SiteOrigin(file)), Count: 1, Rule: p.Result.Rule, File: p.Page, URL: p.Target,
					Message: p.Result.Message,
				})
			}
			if err != nil {
				return err
			}
		}
		return b.Close()
	})
	if err != nil {
		return result, err
	}
	return result, write(func(func(report.Problem, error) bool) {})
}

// drain reads problems to their end.
func drain(problems iter.Seq2[report.Problem, error]) error {
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return nil
}

// failing returns the problems that the baseline does not list, and counts them.
func (c *LinkChecker) failing(
	ctx context.Context, file crawl.Reader, result *Result,
) iter.Seq2[report.Problem, error] {
	return func(yield func(report.Problem, error) bool) {
		origin := crawlfile.SiteOrigin(file)
		for p, err := range c.problems(ctx, file) {
			switch {
			case err != nil:
			case c.baseline != nil && c.baseline.Take(p.Key(origin), 1) > 0:
				result.Accepted++
				continue
			default:
				if result.Failing++; len(result.First) < maxShownProblems {
					result.First = append(result.First, LinkProblem{p.Result.Message, p.Page})
				}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// problems returns the problems with targets that are not allowed.
func (c *LinkChecker) problems(ctx context.Context, file crawl.Reader) iter.Seq2[report.Problem, error] {
	return func(yield func(report.Problem, error) bool) {
		for p, err := range report.FindProblems(ctx, file, c.checks) {
			if err == nil && (c.allowed(p.Target) || p.Final != "" && c.allowed(p.Final)) {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// allowed matches the patterns like those of the scope: against the path with its query,
// and against the whole URL.
func (c *LinkChecker) allowed(address string) bool {
	if len(c.allow) == 0 {
		return false
	}
	path := address
	if _, rest, found := strings.Cut(address, "://"); found {
		path = rest[max(strings.IndexByte(rest, '/'), 0):]
	}
	return slices.ContainsFunc(c.allow, func(pattern *regexp.Regexp) bool {
		return pattern.MatchString(path) || pattern.MatchString(address)
	})
}
