package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Options say how to repair. Only Folder is required.
type Options struct {
	// Folder takes the copies, under the names of the originals. It is made if
	// need be. No original is ever overwritten.
	Folder string
	// BaseURL is where files that have no address will be published. Without it
	// relative locations in them are left out, and those over the limits not split.
	BaseURL string
	// Zone is that of times that name none; without it they stay as they are.
	Zone *time.Location
	// Limits are those of a file; a zero field stands for the protocol's.
	Limits sitemap.Limits
	// Source says how the originals are opened; Report, Strict and Indexes are the
	// package's own.
	Source source.Options
}

// Run copies what the sources lead to, as [source.Sitemaps] follows them; a folder
// stands for the sitemaps in it. An error
// says that a copy could not be written or that ctx has ended; what is wrong with
// an original, or keeps it from being read, is in the report.
func Run(ctx context.Context, sources []string, options Options) (*Report, error) {
	if err := os.MkdirAll(options.Folder, 0o777); err != nil {
		return nil, err
	}
	options.Limits.URLs = cmp.Or(options.Limits.URLs, 50_000)
	options.Limits.Bytes = cmp.Or(options.Limits.Bytes, 52_428_800)
	options.Limits.Sitemaps = cmp.Or(options.Limits.Sitemaps, 50_000)
	r := &repair{options: options, taken: map[string]bool{}, listing: map[string]bool{}, parts: map[string][]string{}}
	err := r.run(ctx, sources)
	return &Report{Files: r.files, Changed: r.notes.changed, Left: r.notes.left}, err
}

// A repair is one run.
type repair struct {
	options Options
	notes   notes
	pages   known
	listed  known // sitemaps, by indexes
	files   []string
	taken   map[string]bool     // names that were written
	indexes []string            // names of the copies that are indexes
	listing map[string]bool     // names of the files that they list
	parts   map[string][]string // names of what was split off a file that an index lists, by the file's name
}

func (r *repair) run(ctx context.Context, sources []string) error {
	sources, err := source.WithoutFolders(sources)
	if err != nil {
		return err
	}
	options := r.options.Source
	options.Indexes, options.Strict, options.OnFault = true, false, r.fault
	for file, err := range source.Sitemaps(ctx, sources, &options) {
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.unread(err)
			continue
		}
		if err := r.copy(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file.Location, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return r.completeIndexes()
}

// unread notes what could not be read, or not to its end.
func (r *repair) unread(err error) {
	location, rule := "", ""
	if where, ok := errors.AsType[*source.Error](err); ok {
		location, err = where.Location, where.Err
	}
	text := err.Error()
	if fault, ok := errors.AsType[*sitemap.Fault](err); ok {
		rule, text = string(fault.Kind), fault.Error()
	}
	r.notes.leave(rule, Example{File: location, Text: text})
}
