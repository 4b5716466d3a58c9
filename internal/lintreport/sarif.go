package lintreport

import (
	"io"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

type sarifWriter struct{ log *format.SARIF }

func newSARIF(w io.Writer, options *Options) Writer {
	rules := make([]format.Rule, len(options.Rules))
	for i, r := range options.Rules {
		rules[i] = format.Rule{
			ID: r.ID, Title: r.Title().String(), Why: r.Why().String(), Level: level(r.Severity), Tags: []string{"sitemap"},
			Help: RuleMarkdown(r), URL: RuleURL(r),
			Properties: map[string]string{"engines": r.AppliesTo().String()},
		}
		for name, value := range map[string]string{"searchConsole": r.SearchConsole, "yandex": r.Yandex, "source": r.Source} {
			if value != "" {
				rules[i].Properties[name] = value
			}
		}
	}
	return &sarifWriter{format.NewSARIF(w, options.Version, rules)}
}

func (s *sarifWriter) Write(f *lint.Finding) error { return s.log.Write(newResult(f)) }
func (s *sarifWriter) Checked(string) error        { return s.log.Err() }
func (s *sarifWriter) Close(int) error             { return s.log.Close() }
