package crawl

import (
	"context"
	"iter"
	"net/url"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/lint"
)

// judge applies the rules to a crawl and to the sitemap that was written, and finds the
// verdict. Both are stored. When ctx reaches its deadline, the crawl has no verdict.
func (r *crawlRun) judge(ctx context.Context, file *crawlFile, limit crawl.Limit, result *Result) (err error) {
	end := &insight.End{
		Limit: limit, Cut: result.Details.Cut != nil, Refused: result.Refused, BaseURL: r.options.BaseURL != "",
		Folder: r.site != nil, Published: r.publish.Folder != r.folder && result.Sitemap != "",
	}
	if file.previous != nil {
		end.Previous = file.previous
	}
	if err := file.ReadSitemaps(&end.Sitemaps); err != nil {
		return err
	}
	about := file.Meta()
	result.Details.FolderURL = about.FolderURL()
	result.Details.SitemapURL = about.FolderURL() + url.PathEscape(filepath.Base(result.Sitemap))
	var sitemap iter.Seq2[lint.Finding, error]
	if result.Sitemap != "" && r.checkSitemap {
		if sitemap, err = r.lint(ctx, file, result.Sitemap); err != nil {
			return err
		}
	}
	result.Verdict, err = insight.Write(ctx, file.File, r.rules.Pages, end, sitemap)
	if isDeadline(ctx) {
		result.Details.Late, err = true, nil
	}
	return err
}

// lint returns what is wrong with the sitemap that was written.
func (r *crawlRun) lint(ctx context.Context, file *crawlFile, name string) (iter.Seq2[lint.Finding, error], error) {
	about := file.Meta()
	options := r.rules.Sitemap
	options.BaseURL = about.FolderURL()
	linter, err := lint.New(&options)
	if err != nil {
		return nil, err
	}
	return linter.Check(ctx, filepath.Clean(name)), nil
}
