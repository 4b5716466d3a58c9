package crawl

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint"
)

// judge applies the rules to a crawl and to the sitemap that was written, and finds the
// verdict. Both are stored. When ctx reaches its deadline, the crawl has no verdict.
func (r *crawlRun) judge(ctx context.Context, file *crawlFile, result *Result) (err error) {
	base := r.options.BaseURL
	end := &insight.End{
		Limit: result.Limit, Cut: result.Details.Cut != nil, Refused: result.Refused,
		BaseURL: base != "" && urlnorm.Origin(base) != urlnorm.Origin(r.options.Start),
		Folder:  r.site != nil, Published: r.publish.Folder != r.folder && result.Sitemap != "",
	}
	if r.site != nil && result.Orphans > 0 {
		end.Unreached, end.ScriptMenu = result.Orphans, r.site.hasScriptMenu(result.Details.Orphans)
		end.CleanOrphans = r.site.cleanOrphans
	}
	if cut := result.Details.Cut; cut != nil && cut.Unrendered != nil {
		end.Unrendered = cut.Unrendered.Detail
	}
	if result.Compared {
		end.Previous = file.previous
	}
	err = errors.Join(
		file.ReadNote(store.NoteSitemaps, &end.Sitemaps), file.ReadNote(store.NoteAgents, &end.Agents))
	if err != nil {
		return err
	}
	about := file.Meta()
	result.Details.FolderURL = about.FolderURL()
	if r.site != nil {
		result.Details.BaseURL = r.site.base.String()
	}
	result.Details.SitemapURL = about.FolderURL() + url.PathEscape(filepath.Base(result.Sitemap))
	var sitemap iter.Seq2[lint.Finding, error]
	if result.Sitemap != "" && r.settings.Rules.ApplySitemap(r.rules) {
		var stop func()
		if sitemap, stop, err = r.lint(ctx, file, result.Sitemap); err != nil {
			return err
		}
		defer stop()
	}
	result.Verdict, err = insight.Write(ctx, file.File, r.rules.Pages, end, sitemap)
	if err == nil {
		result.Broken = int64(result.Verdict.Broken())
	}
	if isDeadline(ctx) {
		result.Details.Late, err = true, nil
	}
	return err
}

// ownFileRules are the rules about sitemaps that say nothing that a user could change in one that Mapa wrote: its parts
// are as full as the protocol permits, and an index gets dates where they are known.
var ownFileRules = []string{"near-limit", "index-lastmod-missing"}

// lint returns what is wrong with the sitemap that was written. The linter works while the
// pages are judged, until stop, which waits for it. It finds only a few things of each rule and
// file.
func (r *crawlRun) lint(
	ctx context.Context, file *crawlFile, name string,
) (findings iter.Seq2[lint.Finding, error], stop func(), err error) {
	about := file.Meta()
	options := r.rules.Sitemap
	options.BaseURL = about.FolderURL()
	options.Disable = slices.Concat(options.Disable, ownFileRules)
	linter, err := lint.New(&options)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var found []lint.Finding
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		for f, err := range linter.Check(ctx, filepath.Clean(name)) {
			if err != nil {
				failed = err
				return
			}
			found = append(found, f)
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	return func(yield func(lint.Finding, error) bool) {
		<-done
		for _, f := range found {
			if !yield(f, nil) {
				return
			}
		}
		if failed != nil {
			yield(lint.Finding{}, failed)
		}
	}, stop, nil
}
