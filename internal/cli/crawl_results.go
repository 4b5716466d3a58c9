package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

// What a crawl leaves in its folder beside the sitemap and the crawl itself.
const (
	brokenName = "broken.csv"
	reportName = "report.html"
)

// results are what a crawl leaves in its folder.
type results struct {
	publish.Published
	Refused error // why nothing was published; mostly nil
	Broken  []report.BrokenLink
	Dead    int // addresses
	Anchors int // links to a place of a page that is not there
	Reasons map[crawl.Reason]int64
	Traps   map[string]int
	Waiting int64
	Report  string // the path of report.html; empty when the crawl is too large to be reported on unasked
}

// writeResults publishes the pages and writes the list of broken links.
func writeResults(ctx context.Context, path, folder string, options publish.Options) (results, error) {
	r := results{Traps: map[string]int{}}
	file, err := store.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close()
	if err := file.Conclude(); err != nil {
		return r, err
	}
	options.Folder = folder
	r.Published, err = publishCrawl(ctx, file, options)
	var refused *publish.RefusedError
	if errors.As(err, &refused) {
		r.Refused, err = err, nil
	}
	if err != nil {
		return r, err
	}
	for i, name := range r.Files {
		r.Files[i] = filepath.Join(folder, name)
	}
	if err := r.countTraps(ctx, file); err != nil {
		return r, err
	}
	broken, err := report.FindBroken(ctx, file)
	if err != nil {
		return r, err
	}
	if err := r.writeBroken(ctx, broken, filepath.Join(folder, brokenName)); err != nil {
		return r, err
	}
	summary, err := file.Summary(ctx)
	if err != nil {
		return r, err
	}
	r.Reasons, r.Waiting = summary.Reasons, summary.Waiting
	return r, r.writeReport(ctx, file, broken, folder)
}

// mostReported is how many addresses a crawl may have met to be reported on
// without being asked: the report of a large one takes a sixth of the crawl's time
// and half of its memory.
const mostReported = 20_000

// writeReport leaves the report to look at. That of an earlier crawl goes.
func (r *results) writeReport(ctx context.Context, file crawl.Reader, broken *report.Broken, folder string) error {
	name := filepath.Join(folder, reportName)
	met := r.Waiting
	for _, addresses := range r.Reasons {
		met += addresses
	}
	if met > mostReported {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	r.Report = name
	options := report.HTMLOptions{Broken: fileIn(folder, brokenName), Found: broken}
	if sitemap := r.sitemap(); sitemap != "" {
		options.Sitemap = filepath.Base(sitemap)
	}
	return replaceFile(name, func(out io.Writer) error { return report.WriteHTML(ctx, file, out, options) })
}

// sitemap is the path of the file to submit, if one was written.
func (r *results) sitemap() string {
	for _, file := range r.Files {
		if strings.HasPrefix(filepath.Base(file), "sitemap.xml") {
			return file
		}
	}
	return ""
}

// countTraps counts the addresses of the endless parts of the site by their kind.
func (r *results) countTraps(ctx context.Context, file crawl.Reader) error {
	for record, err := range file.Pages(ctx, crawl.ReasonTrap) {
		switch {
		case err != nil:
			return err
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
func (r *results) writeBroken(ctx context.Context, broken *report.Broken, name string) error {
	r.Dead = broken.Addresses()
	if broken.None() {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return replaceFile(name, func(out io.Writer) error {
		summary, err := report.WriteBroken(ctx, broken, out)
		r.Broken, r.Anchors = summary.First, summary.Anchors
		return err
	})
}
