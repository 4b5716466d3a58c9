package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/report"
)

// CheckSettings say which problems with links fail a run.
type CheckSettings struct {
	FailOn        List
	Allow         []string // patterns of accepted targets
	Baseline      string
	WriteBaseline bool
}

func (s *CheckSettings) all() []Setting {
	return []Setting{
		{Name: "fail-on", Value: &s.FailOn, Risk: RiskNone, Values: choices(report.Checks...),
			Help: "exit with 1 on these `PROBLEMS` with links: " + joined(report.Checks, ", ")},
		{Name: "allow", Value: &s.Allow, Risk: RiskNone,
			Help: "with --fail-on, accept links to URLs that match the `PATTERN`"},
		{Name: "baseline", Value: &s.Baseline, Risk: RiskFile,
			Help: "with --fail-on, skip the problems listed in this `FILE`"},
		{Name: "write-baseline", Value: &s.WriteBaseline, CommandLineOnly: true,
			Help: "write all problems to the file of --baseline"},
	}
}

// A CheckResult is the outcome of the checks of a crawl. It is empty without them.
type CheckResult struct {
	Checks   []string      // that were asked for
	Failing  int           // problems that fail the run
	Accepted int           // problems that the baseline lists
	First    []LinkProblem // of those that fail
	Baseline string        // that was read or written
	Written  bool          // the baseline was written
}

// A LinkProblem is a link that fails a check.
type LinkProblem struct{ Message, Page string }

// maxShownProblems is the number of problems in a [CheckResult].
const maxShownProblems = 10

// A linkChecker applies [CheckSettings] to a crawl.
type linkChecker struct {
	settings *CheckSettings
	checks   []report.Check
	allow    []*regexp.Regexp
	baseline *baseline // nil without one
}

// checker validates the settings. It returns nil without --fail-on. A baseline must not
// replace one of the sources.
func (s *CheckSettings) checker(sources *atomicfile.FileSet) (*linkChecker, error) {
	c := &linkChecker{settings: s}
	if len(s.FailOn) == 0 {
		for name, set := range map[string]bool{
			"baseline": s.Baseline != "", "allow": len(s.Allow) > 0, "write-baseline": s.WriteBaseline,
		} {
			if set {
				return nil, badSetting(name, "%s needs {fail-on}")
			}
		}
		return nil, nil
	}
	for _, name := range s.FailOn {
		if !slices.Contains(report.Checks, report.Check(name)) {
			return nil, badSetting("fail-on", "unknown %s %q: use any of %s", name, joined(report.Checks, ", "))
		}
		c.checks = append(c.checks, report.Check(name))
	}
	for _, pattern := range s.Allow {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			return nil, wrapSetting("allow", err)
		}
		c.allow = append(c.allow, compiled)
	}
	if s.WriteBaseline {
		if err := (output{"baseline", s.Baseline}).check(sources); err != nil {
			return nil, err
		}
	}
	var err error
	c.baseline, err = openBaseline(s.Baseline, s.WriteBaseline)
	return c, err
}

// openBaseline reads the baseline of a name, if one was given. One that is to be written
// is not read, and may replace no other file.
func openBaseline(name string, write bool) (*baseline, error) {
	switch {
	case write && name == "":
		return nil, badSetting("write-baseline", "%s needs {baseline}")
	case name == "":
		return nil, nil
	case write:
		return nil, checkReplaced(name)
	}
	b, err := readBaseline(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, badSetting("baseline", "%s: %s does not exist: create it with {write-baseline}", name)
	} else if err != nil {
		return nil, wrapSetting("baseline", err)
	}
	return b, nil
}

// checkReplaced refuses to replace a file that is not a baseline.
func checkReplaced(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // writing it reports what is wrong
	}
	if _, err := readBaseline(name); err != nil {
		return badSetting("baseline", "%s would overwrite %s, which is not a baseline", name)
	}
	return nil
}

// run checks a crawl. It passes the problems that fail the run to write, which may be
// nil.
func (c *linkChecker) run(
	ctx context.Context, file crawl.Reader, write func(iter.Seq2[report.Problem, error]) error,
) (result CheckResult, err error) {
	result.Checks, result.Baseline = c.settings.FailOn, c.settings.Baseline
	if write == nil {
		write = drain
	}
	if !c.settings.WriteBaseline {
		return result, write(c.failing(ctx, file, &result))
	}
	result.Written = true
	err = atomicfile.Replace(result.Baseline, func(out io.Writer) error {
		b, err := newBaselineWriter(out)
		if err != nil {
			return err
		}
		for p, err := range c.problems(ctx, file) {
			if err == nil {
				result.Accepted++
				err = b.writeLine(acceptedFinding{
					p.Key(siteOrigin(file)), 1, p.Result.Rule, p.Page, p.Target, p.Result.Message,
				})
			}
			if err != nil {
				return err
			}
		}
		return b.close()
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
func (c *linkChecker) failing(
	ctx context.Context, file crawl.Reader, result *CheckResult,
) iter.Seq2[report.Problem, error] {
	return func(yield func(report.Problem, error) bool) {
		origin := siteOrigin(file)
		for p, err := range c.problems(ctx, file) {
			switch {
			case err != nil:
			case c.baseline != nil && c.baseline.take(p.Key(origin), 1) > 0:
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
func (c *linkChecker) problems(ctx context.Context, file crawl.Reader) iter.Seq2[report.Problem, error] {
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
func (c *linkChecker) allowed(address string) bool {
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

// siteOrigin returns the scheme and the host of a crawl's start.
func siteOrigin(file crawl.Reader) string {
	start, err := url.Parse(file.Meta().Start)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s://%s", start.Scheme, start.Host)
}
