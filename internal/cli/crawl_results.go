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
	Broken  []brokenLink
	Dead    int // addresses
	Anchors int // links to a place of a page that is not there
	Reasons map[crawl.Reason]int64
	Traps   map[string]int
	Waiting int64
}

// A brokenLink is a dead address with a page that links to it.
type brokenLink struct{ URL, Why, Page, Text string }

const mostShown = 10

// writeResults writes the sitemap and the list of broken links.
func writeResults(ctx context.Context, path, folder, start string, gzip bool) (results, error) {
	r := results{Sitemap: sitemapPath(folder, gzip), Traps: map[string]int{}}
	file, err := store.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close(false)
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
			err = r.list(out, &sitemap.URL{Loc: entry.URL, LastMod: entry.LastMod})
		}
		if err != nil {
			return r, err
		}
	}
	dead, err := r.sort(ctx, file, out)
	if err != nil {
		return r, err
	}
	r.Listed = out.Count()
	if err := out.Close(); err != nil {
		return r, err
	}
	if err := r.writeBroken(ctx, file, dead, filepath.Join(folder, "broken.csv")); err != nil {
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
// adds are listed too, traps are counted, and the dead ones returned.
func (r *results) sort(ctx context.Context, file *store.File, out *sitemap.Folder) (map[crawl.ID]brokenLink, error) {
	dead := map[crawl.ID]brokenLink{}
	for record, err := range file.Pages(ctx, crawl.Added, crawl.Trap, crawl.ClientError, crawl.ServerError, crawl.Unreachable, crawl.RedirectLoop) {
		if err != nil {
			return nil, err
		}
		detail := record.Link.Detail
		if record.Fetched {
			detail = record.Page.Detail
		}
		switch {
		case record.Reason() == crawl.Added:
			if err := r.list(out, &sitemap.URL{Loc: record.Link.URL}); err != nil {
				return nil, err
			}
		case record.Reason() == crawl.Trap:
			r.Traps[detail]++
		case record.Page.Status > 0:
			dead[record.Link.ID] = brokenLink{URL: record.Link.URL, Why: strconv.Itoa(record.Page.Status) + " " + detail}
		default:
			dead[record.Link.ID] = brokenLink{URL: record.Link.URL, Why: detail}
		}
	}
	r.Dead = len(dead)
	return dead, nil
}

// writeBroken lists every link to a dead address, and to a place of a page that
// is not there. Without any, the list of an earlier crawl goes.
func (r *results) writeBroken(ctx context.Context, file *store.File, dead map[crawl.ID]brokenLink, name string) error {
	missing, err := missingAnchors(ctx, file)
	if err != nil {
		return err
	}
	if len(dead) == 0 && len(missing.places) == 0 {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	table := csv.NewWriter(out)
	err = table.Write([]string{"broken link", "why", "on page", "text"})
	if err == nil {
		err = r.brokenLinks(ctx, file, dead, missing, table.Write)
	}
	table.Flush()
	return errors.Join(err, table.Error(), out.Close())
}

// brokenLinks hands on a row for every broken link and keeps the first ones.
func (r *results) brokenLinks(ctx context.Context, file *store.File, dead map[crawl.ID]brokenLink, missing anchorSet, row func([]string) error) error {
	shown := map[crawl.ID]bool{}
	broken := func(id crawl.ID) bool { return dead[id].URL != "" || missing.targets[id] != "" }
	for link, err := range file.Referrers(ctx, broken) {
		if err != nil {
			return err
		}
		b := dead[link.Target]
		switch {
		case b.URL != "":
			b.Page, b.Text = link.URL, link.Edge.Text
			if !shown[link.Target] && len(r.Broken) < mostShown {
				shown[link.Target] = true
				r.Broken = append(r.Broken, b)
			}
		case missing.has(link.Target, link.Edge.Fragment):
			r.Anchors++
			b = brokenLink{missing.targets[link.Target] + "#" + link.Edge.Fragment, "no such place on the page", link.URL, link.Edge.Text}
		default:
			continue
		}
		if err := row([]string{report.Cell(b.URL), report.Cell(b.Why), report.Cell(b.Page), report.Cell(b.Text)}); err != nil {
			return err
		}
	}
	return nil
}
