package report

import (
	"io"

	"github.com/mapatools/mapa/lint"
)

type lintSARIF struct{ log *SARIF }

func newLintSARIF(w io.Writer, options *LintOptions) Lint {
	rules := make([]Rule, len(options.Rules))
	for i, r := range options.Rules {
		rules[i] = Rule{
			ID: r.ID, Title: r.Title, Why: r.Why, Level: r.Severity, Tags: []string{"sitemap"},
			Help: RuleMarkdown(r), Address: RuleAddress(r),
			Properties: map[string]string{"engines": EnginesOf(r).String(), "since": r.Since},
		}
		for name, value := range map[string]string{"searchConsole": r.SearchConsole, "yandex": r.Yandex, "source": r.Source} {
			if value != "" {
				rules[i].Properties[name] = value
			}
		}
	}
	return &lintSARIF{NewSARIF(w, options.Version, rules)}
}

func (s *lintSARIF) Write(f *lint.Finding) error { return s.log.Write(result(f)) }
func (s *lintSARIF) Checked(string) error        { return s.log.err }
func (s *lintSARIF) Close(int) error             { return s.log.Close() }
