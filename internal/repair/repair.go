package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Options configures Run. Only Folder is required.
type Options struct {
	// Folder is where Run writes the copies, under the names of the originals. Run
	// creates it if it does not exist. Run never overwrites an original.
	Folder string
	// Force replaces files in the folder that are not originals. Without it, Run
	// returns an [*OverwriteError] if one has other content than its copy.
	Force bool
	// Own, when set, reports whether a file in the folder, given by its name, is the copy of
	// an earlier run. Run replaces it.
	Own func(name string) bool
	// BaseURL is where files without a URL will be published. Without it, relative URLs in
	// them are removed, and files over the limits are not split.
	BaseURL string
	// Zone is the time zone of times that name none. If Zone is nil, they stay
	// unchanged.
	Zone *time.Location
	// Limits are the limits of a file. A zero field means the protocol's limit.
	Limits sitemap.Limits
	// Source configures how the originals are opened. Run sets OnFault, Strict and
	// Indexes itself.
	Source source.Options
}

// Run writes repaired copies of the sitemaps that the sources lead to, as
// [source.Sitemaps] follows them. A folder means the sitemaps in it. Run returns an
// error if a copy cannot be written or ctx ends, and an [*OverwriteError] if a copy
// would overwrite an original; the folder then stays as it was. Problems of an
// original, including those that keep it from being read, are in the report.
func Run(ctx context.Context, sources []string, options Options) (*Report, error) {
	_, missing := os.Stat(options.Folder)
	if err := os.MkdirAll(options.Folder, 0o777); err != nil {
		return nil, err
	}
	options.Limits.URLs = cmp.Or(options.Limits.URLs, sitemap.MaxURLs)
	options.Limits.Bytes = cmp.Or(options.Limits.Bytes, sitemap.MaxBytes)
	options.Limits.Sitemaps = cmp.Or(options.Limits.Sitemaps, sitemap.MaxSitemaps)
	r := &repair{
		options: options, pages: newPageIndex(), sitemaps: newPageIndex(), indexes: map[string]bool{},
		taken: map[string]bool{}, listedBy: map[string]string{}, dropped: map[string]bool{}, parts: map[string][]string{},
	}
	defer r.abort()
	err := r.run(ctx, sources)
	if missing != nil && len(r.files) == 0 {
		r.abort()
		_ = os.Remove(options.Folder) // it is empty, unless another run wrote to it
	}
	return &Report{Read: r.read, Unopened: r.unopened, Files: r.files, Changed: r.notes.changed, Left: r.notes.left}, err
}

// A repair is the state of one Run.
type repair struct {
	options   Options
	notes     notes
	originals atomicfile.FileSet
	pages     pageIndex
	sitemaps  pageIndex       // sitemaps listed in indexes
	copies    []*stagedCopy   // in the order of their originals
	files     []string        // names of the files written
	read      int             // originals that could be opened
	unopened  []error         // why others could not be
	indexes   map[string]bool // locations of the indexes that are copied
	// The keys of the following are names of copies, in lower case.
	taken    map[string]bool
	listedBy map[string]string   // locations of the indexes that list them
	dropped  map[string]bool     // those that the indexes must not list, because they would be empty
	parts    map[string][]string // names of the parts split off a listed file
}

// run writes all copies to temporary files, and moves them into the folder when no
// original is lost by it.
func (r *repair) run(ctx context.Context, sources []string) error {
	r.originals.Add(sources...)
	r.originals.AddReader(r.options.Source.Stdin)
	options := r.options.Source
	options.Indexes, options.Strict, options.OnFault = true, false, r.noteFault
	for file, err := range source.Sitemaps(ctx, sources, &options) {
		if err != nil {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, source.ErrEmptyFolder):
				return err
			}
			r.unopened = append(r.unopened, err)
			r.noteUnread(err)
			continue
		}
		r.read++
		r.originals.Add(file.Location)
		if err := r.copy(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file.Location, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := r.arrange(); err != nil {
		return err
	}
	return r.publish()
}

// noteUnread records that a file could not be read, or not to its end.
func (r *repair) noteUnread(err error) {
	location, rule := "", ""
	if where, ok := errors.AsType[*source.Error](err); ok {
		location, err = where.Location, where.Err
		r.originals.Add(location)
	}
	text := err.Error()
	if fault, ok := errors.AsType[*sitemap.Fault](err); ok {
		rule, text = string(fault.Kind), fault.Error()
	}
	r.notes.leave(rule, Example{File: location, Text: text})
}
