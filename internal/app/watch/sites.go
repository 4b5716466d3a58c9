package watch

import (
	"context"
	"slices"
	"strings"

	"github.com/mapatools/mapa/watch"
)

// knownNames returns sites by the names that the store has for them, each once: a host, and
// the address of its root, are one site, also where both are new.
func knownNames(sites []string, known []watch.Site) []string {
	names := map[string]string{} // by address without the slash at its end
	for _, site := range known {
		names[strings.TrimSuffix(site.Name, "/")] = site.Name
	}
	for _, site := range known {
		if _, own := names[site.Origin]; site.Origin != "" && !own {
			names[site.Origin] = site.Name
		}
	}
	for _, site := range sites {
		if root := strings.TrimSuffix(site, "/"); strings.Contains(root, "://") && names[root] == "" {
			names[root] = site
		}
	}
	found := make([]string, len(sites))
	for i, site := range sites {
		found[i] = site
		for _, prefix := range []string{"", "https://", "http://"} {
			if name, is := names[prefix+strings.TrimSuffix(site, "/")]; is {
				found[i] = name
				break
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// countLearned returns a function that, after a pass which prints nothing for the pages of new
// sites, says how many were learned.
func (w *watchRun) countLearned(ctx context.Context) (func(context.Context) error, error) {
	before, err := w.store.Sites(ctx)
	if err != nil || !w.options.SkipInitial {
		return func(context.Context) error { return nil }, err
	}
	known := map[string]bool{}
	for _, site := range before {
		known[site.Name] = !site.LastPass.IsZero()
	}
	return func(ctx context.Context) error {
		sites, err := w.store.Sites(context.WithoutCancel(ctx))
		fresh, pages := 0, 0
		for _, site := range sites {
			if !known[site.Name] && !site.LastPass.IsZero() && slices.Contains(w.options.Sites, site.Name) {
				fresh++
				pages += site.Entries
			}
		}
		if fresh > 0 {
			w.app.Notify("notice.learned", w.app.Texts().Plural("verdict.pages", int64(pages)),
				w.app.Texts().Plural("notice.new-sites", int64(fresh)))
		}
		return err
	}, nil
}
