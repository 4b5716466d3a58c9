package app

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/lint"
)

// Findings yields what is wrong with the sitemaps of the sources, as [App.Lint] writes it.
// "-" is the App's Stdin. The settings of the report, of the crawl and of repairs do not
// matter.
func (a *App) Findings(ctx context.Context, sources []string, s *LintSettings) iter.Seq2[lint.Finding, error] {
	fail := func(err error) iter.Seq2[lint.Finding, error] {
		return func(yield func(lint.Finding, error) bool) { yield(lint.Finding{}, err) }
	}
	options, err := s.Options()
	if err != nil {
		return fail(err)
	}
	clean, users := cutUsers(sources)
	client, err := s.Request.client(a, s.sites(clean), users)
	if err != nil {
		return fail(err)
	}
	if err := s.Live.apply(&options, a, client); err != nil {
		return fail(err)
	}
	if sources, options.Source, err = a.sources(&s.Request, sources...); err != nil {
		return fail(err)
	}
	linter, err := lint.New(&options)
	if err != nil {
		return fail(err)
	}
	return linter.Check(ctx, sources...)
}
