package lint

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/lint"
)

// Findings yields what is wrong with the sitemaps of the sources, as [Run] writes it.
// "-" is the App's Stdin. The settings of the report, of the crawl and of repairs do not
// matter.
func Findings(ctx context.Context, a *app.App, sources []string, s *Settings) iter.Seq2[lint.Finding, error] {
	fail := func(err error) iter.Seq2[lint.Finding, error] {
		return func(yield func(lint.Finding, error) bool) { yield(lint.Finding{}, err) }
	}
	options, err := s.Options()
	if err != nil {
		return fail(err)
	}
	clean, users := access.CutUsers(sources)
	client, err := s.Request.Client(a, s.sites(clean), users)
	if err != nil {
		return fail(err)
	}
	if err := s.Live.apply(&options, a, client); err != nil {
		return fail(err)
	}
	if sources, options.Source, err = access.Sources(a, &s.Request, sources...); err != nil {
		return fail(err)
	}
	linter, err := lint.New(&options)
	if err != nil {
		return fail(err)
	}
	return linter.Check(ctx, sources...)
}
