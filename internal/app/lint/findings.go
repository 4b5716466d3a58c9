package lint

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/lint"
)

// Findings yields what is wrong with the sitemaps of the sources, as [Run] writes it.
// "-" is the App's Stdin. The settings of the report, of the crawl and of repairs do not
// matter.
func Findings(ctx context.Context, a *app.App, sources []string, s *Settings) iter.Seq2[lint.Finding, error] {
	fail := func(err error) iter.Seq2[lint.Finding, error] {
		return func(yield func(lint.Finding, error) bool) { yield(lint.Finding{}, err) }
	}
	sources, options, err := s.optionsFor(a, sources)
	if err != nil {
		return fail(err)
	}
	linter, err := lint.New(&options)
	if err != nil {
		return fail(err)
	}
	return linter.Check(ctx, sources...)
}
