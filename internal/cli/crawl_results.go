package cli

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

// results are what a crawl leaves in its folder.
type results struct {
	Sitemap string
	Parts   int
	Listed  int
	Left    int // pages whose address no sitemap may hold
	Broken  []report.BrokenLink
	Dead    int // addresses
	Anchors int // links to a place of a page that is not there
	Reasons map[crawl.Reason]int64
	Traps   map[string]int
	Waiting int64
}

// writeResults writes the sitemap and the list of broken links.
func writeResults(ctx context.Context, path, folder, start string, gzip bool) (results, error) {
	r := results{Sitemap: sitemapPath(folder, gzip), Traps: map[string]int{}}
	file, err := store.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close(false)
	if err := file.Conclude(); err != nil {
		return r, err
	}
	origin, err := url.Parse(start)
	if err != nil {
		return r, err
	}
	out, err := sitemap.NewFolder(folder, &sitemap.SetOptions{
		BaseURL: origin.Scheme + "://" + origin.Host + "/", Gzip: gzip, Stylesheet: true,
	})
	if err != nil {
		return r, err
	}
	defer out.Abort()
	for entry, err := range file.Listed(ctx) {
		if err == nil {
			err = r.list(out, &entry.URL)
		}
		if err != nil {
			return r, err
		}
	}
	if err := r.sort(ctx, file, out); err != nil {
		return r, err
	}
	r.Listed = out.Count()
	if err := out.Close(); err != nil {
		return r, err
	}
	if err := r.writeBroken(ctx, file, filepath.Join(folder, "broken.csv")); err != nil {
		return r, err
	}
	summary, err := file.Summary(ctx)
	r.Reasons, r.Waiting = summary.Reasons, summary.Waiting
	return r, err
}

// list writes a page into the sitemap, unless no sitemap may hold its address.
func (r *results) list(out *sitemap.Folder, page *sitemap.URL) error {
	err := out.Write(page)
	var field *sitemap.FieldError
	if errors.As(err, &field) {
		r.Left++
		return nil
	}
	return err
}

// sort goes through the addresses that are no listed pages: those that the user
// adds are listed too, and traps are counted.
func (r *results) sort(ctx context.Context, file *store.File, out *sitemap.Folder) error {
	for record, err := range file.Pages(ctx, crawl.Added, crawl.Trap) {
		if err != nil {
			return err
		}
		switch {
		case record.Reason() == crawl.Added:
			if err := r.list(out, &sitemap.URL{Loc: record.Link.URL}); err != nil {
				return err
			}
		case record.Fetched:
			r.Traps[record.Page.Detail]++
		default:
			r.Traps[record.Link.Detail]++
		}
	}
	return nil
}

// writeBroken lists every link to a dead address, and to a place of a page that
// is not there. Without any, the list of an earlier crawl goes.
func (r *results) writeBroken(ctx context.Context, file *store.File, name string) error {
	broken, err := report.FindBroken(ctx, file)
	if err != nil {
		return err
	}
	r.Dead = broken.Addresses()
	if broken.None() {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	summary, err := report.WriteBroken(ctx, broken, out)
	r.Broken, r.Anchors = summary.First, summary.Anchors
	return errors.Join(err, out.Close())
}
