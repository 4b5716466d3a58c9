package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

// results are what a crawl leaves in its folder.
type results struct {
	Sitemap string
	Parts   int
	Listed  int
	Left    int // pages whose address no sitemap may hold
	Broken  []brokenLink
	Dead    int // addresses
	Reasons map[crawl.Reason]int64
	Traps   map[string]int
	Waiting int64
}

// A brokenLink is a dead address with a page that links to it.
type brokenLink struct{ URL, Why, Page, Text string }

const mostShown = 10

// writeResults writes the sitemap and the list of broken links.
func writeResults(ctx context.Context, path, folder, start string, gzip bool) (results, error) {
	file, err := store.Open(path)
	if err != nil {
		return results{}, err
	}
	defer file.Close(false)
	r := results{Sitemap: sitemapPath(folder, gzip), Traps: map[string]int{}}
	if err := r.writeSitemap(ctx, file, folder, start, gzip); err != nil {
		return r, err
	}
	if err := r.writeBroken(ctx, file, filepath.Join(folder, "broken.csv")); err != nil {
		return r, err
	}
	summary, err := file.Summary(ctx)
	if err != nil {
		return r, err
	}
	r.Reasons, r.Waiting = summary.Reasons, summary.Waiting
	for record, err := range file.Pages(ctx, crawl.Trap) {
		if err != nil {
			return r, err
		}
		detail := record.Page.Detail
		if detail == "" {
			detail = record.Link.Detail
		}
		r.Traps[detail]++
	}
	return r, nil
}

func (r *results) writeSitemap(ctx context.Context, file *store.File, folder, start string, gzip bool) error {
	origin, err := url.Parse(start)
	if err != nil {
		return err
	}
	base := origin.Scheme + "://" + origin.Host + "/"
	out, err := sitemap.NewFolder(folder, &sitemap.SetOptions{BaseURL: base, Gzip: gzip, Stylesheet: true})
	if err != nil {
		return err
	}
	defer out.Abort()
	write := func(page *sitemap.URL) error {
		err := out.Write(page)
		var field *sitemap.FieldError
		if errors.As(err, &field) {
			r.Left++
			return nil
		}
		return err
	}
	for entry, err := range file.Listed(ctx) {
		if err != nil {
			return err
		}
		if err := write(&sitemap.URL{Loc: entry.URL, LastMod: entry.LastMod}); err != nil {
			return err
		}
	}
	for record, err := range file.Pages(ctx, crawl.Added) {
		if err != nil {
			return err
		}
		if err := write(&sitemap.URL{Loc: record.Link.URL}); err != nil {
			return err
		}
	}
	r.Listed = out.Count()
	return out.Close()
}

// writeBroken lists every link to a dead address. Without any, the list of an
// earlier crawl goes.
func (r *results) writeBroken(ctx context.Context, file *store.File, name string) error {
	dead := map[crawl.ID]brokenLink{}
	for record, err := range file.Pages(ctx, crawl.ClientError, crawl.ServerError, crawl.Unreachable, crawl.RedirectLoop) {
		if err != nil {
			return err
		}
		why := record.Page.Detail
		if record.Page.Status > 0 {
			why = strconv.Itoa(record.Page.Status) + " " + why
		}
		dead[record.Link.ID] = brokenLink{URL: record.Link.URL, Why: why}
	}
	r.Dead = len(dead)
	if len(dead) == 0 {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	table := csv.NewWriter(out)
	if err := table.Write([]string{"broken link", "why", "on page", "text"}); err != nil {
		return err
	}
	linked := map[crawl.ID]bool{}
	isDead := func(id crawl.ID) bool { _, ok := dead[id]; return ok }
	for link, err := range file.Referrers(ctx, isDead) {
		if err != nil {
			return err
		}
		b := dead[link.Target]
		b.Page, b.Text = link.URL, link.Edge.Text
		if !linked[link.Target] && len(r.Broken) < mostShown {
			r.Broken = append(r.Broken, b)
		}
		linked[link.Target] = true
		if err := table.Write([]string{cell(b.URL), cell(b.Why), cell(b.Page), cell(b.Text)}); err != nil {
			return err
		}
	}
	table.Flush()
	return errors.Join(table.Error(), out.Close())
}
