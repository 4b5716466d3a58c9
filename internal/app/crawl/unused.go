package crawl

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/store"
)

// sayUnused reports the patterns that match no page of a complete crawl. It is silent where
// no time is left to find out.
func (r *crawlRun) sayUnused(ctx context.Context, file *store.File, summary *crawl.Summary, result *Result) error {
	if result.Details.Cut != nil || !summary.Complete() {
		return nil
	}
	if !r.unused.None() {
		for record, err := range file.Pages(ctx) {
			if isDeadline(ctx) {
				return nil
			}
			if err != nil {
				return err
			}
			if r.unused.See(record.Link.URL); r.unused.None() {
				break
			}
		}
	}
	r.unused.Say(r.app, result.Details.unused)
	return nil
}

// sayElsewhere reports given pages that are not on the site, where only the given ones are crawled. It
// is silent where no time is left to find out.
func (r *crawlRun) sayElsewhere(ctx context.Context, file *store.File) error {
	if !r.options.Scope.OnlySeeds {
		return nil
	}
	found, first := 0, ""
	for record, err := range file.Pages(ctx, crawl.ReasonOutOfScope) {
		if isDeadline(ctx) {
			return nil
		}
		if err != nil {
			return err
		}
		if record.Link.SeededBy != 0 {
			found, first = found+1, cmp.Or(first, record.Link.URL)
		}
	}
	if found > 0 {
		r.app.Notify("notice.elsewhere", found, addresses.TruncatedAddress(first))
	}
	return nil
}

// sayFolderSettings reports the settings of a site that only a folder has a use for.
func sayFolderSettings(a *app.App, s *Settings) {
	defaults, given := NewSettings().All(), s.All()
	for _, name := range []string{"clean-urls", "orphans"} {
		if !slices.Equal(setting.Find(given, name).Value.Texts(), setting.Find(defaults, name).Value.Texts()) {
			a.Notify("notice.folder-only", name)
		}
	}
}
