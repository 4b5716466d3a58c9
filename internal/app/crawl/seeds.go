package crawl

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/problems"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/source"
)

// SeedSettings name sources of pages other than the links of the site.
type SeedSettings struct{ Sitemaps, Lists, Logs []string }

func (s *SeedSettings) all() []setting.Setting {
	return []setting.Setting{
		{Name: "sitemap", Value: setting.Strings(&s.Sitemaps), Risk: setting.RiskFile,
			Help: "crawl the pages of this sitemap too: a `SOURCE` as for mapa list; none leaves out those of the site"},
		{Name: "list", Value: setting.Strings(&s.Lists), Risk: setting.RiskFile,
			Help: "crawl the URLs in this `FILE` too: text with one a line, CSV or JSONL"},
		{Name: "log", Value: setting.Strings(&s.Logs), Risk: setting.RiskFile,
			Help: "crawl the pages in this access log of Apache or nginx too, given as a `FILE`"},
	}
}

// noSitemap, as the value of the sitemap setting, leaves out the sitemaps that robots.txt names.
const noSitemap = "none"

// skipsOwn reports whether the sitemaps that robots.txt names are left out.
func (s *SeedSettings) skipsOwn() bool { return slices.Contains(s.Sitemaps, noSitemap) }

// sitemaps returns the sitemaps to read.
func (s *SeedSettings) sitemaps() []string {
	return slices.DeleteFunc(slices.Clone(s.Sitemaps), func(name string) bool { return name == noSitemap })
}

// check refuses to read standard input twice.
func (s *SeedSettings) check() error {
	files := slices.Concat(s.Sitemaps, s.Lists, s.Logs)
	first := slices.Index(files, "-")
	if first < 0 {
		return nil
	}
	if second := slices.Index(files[first+1:], "-"); second >= 0 {
		return setting.Invalid(s.settingOf(first+1+second),
			"%s: only one of {sitemap}, {list} and {log} can be standard input")
	}
	return nil
}

// files returns the sources that are files.
func (s *SeedSettings) files() *atomicfile.FileSet {
	var files atomicfile.FileSet
	files.Add(slices.Concat(s.Sitemaps, s.Lists, s.Logs)...)
	return &files
}

// useStdin reports whether a source is standard input.
func (s *SeedSettings) useStdin() bool {
	return slices.Contains(slices.Concat(s.Sitemaps, s.Lists, s.Logs), "-")
}

// settingOf returns the name of the setting that holds the file of an index, counted
// through all of them.
func (s *SeedSettings) settingOf(file int) string {
	switch {
	case file < len(s.Sitemaps):
		return "sitemap"
	case file < len(s.Sitemaps)+len(s.Lists):
		return "list"
	}
	return "log"
}

// seeds returns what the settings name, which is read when the crawl asks for it, or
// nil when they name nothing. reading is the sitemap that is read. A source that cannot
// be opened is an error: without it the crawl would report its pages as missing. Other
// problems are events.
func seeds(
	ctx context.Context, a *app.App, s *SeedSettings, stdin io.Reader, options *crawl.Options,
	reading *atomic.Pointer[string],
) (iter.Seq2[crawl.Seed, error], error) {
	locations, users := access.CutUsers(s.sitemaps())
	if len(locations)+len(s.Lists)+len(s.Logs) == 0 {
		return nil, nil
	}
	own := *options
	for origin, user := range users {
		access.SetUser(&own.Access, origin, user)
	}
	follow, err := own.Source()
	if err != nil {
		return nil, err
	}
	follow.Stdin = stdin
	stream, err := fetch.NewStream(&follow.Access)
	if err != nil {
		return nil, err
	}
	follow.Access.Transport = &readingStream{stream, reading}
	lines := &source.LineOptions{Stdin: stdin, Base: cmp.Or(options.BaseURL, options.Start)}
	all := []struct {
		given     crawl.SeedSource
		addresses iter.Seq2[string, error]
	}{
		{crawl.SeedSitemap, sitemapAddresses(ctx, locations, follow)},
		{crawl.SeedList, source.Lists(s.Lists, lines)},
		{crawl.SeedLog, source.Logs(s.Logs, lines)},
	}
	return func(yield func(crawl.Seed, error) bool) {
		defer reading.Store(nil)
		faults := problems.Problems{App: a}
		defer faults.End()
		for _, part := range all {
			for address, err := range part.addresses {
				switch {
				case err == nil:
					if !yield(crawl.Seed{URL: address, Source: part.given}, nil) {
						return
					}
				case ctx.Err() != nil:
					yield(crawl.Seed{}, err)
					return
				case isMissing(err):
					yield(crawl.Seed{}, &SeedError{err})
					return
				default:
					faults.Add(err)
				}
			}
		}
	}, nil
}

// A readingStream notes which sitemap is read.
type readingStream struct {
	fetch.Stream
	reading *atomic.Pointer[string]
}

// Admit implements [fetch.Stream].
func (s *readingStream) Admit(r *http.Request) error {
	address := r.URL.String()
	s.reading.Store(&address)
	return s.Stream.Admit(r)
}

// A SeedError says that a sitemap, a list or a log that the settings name cannot be
// opened.
type SeedError struct{ Err error }

// Error gives the reason.
func (e *SeedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *SeedError) Unwrap() error { return e.Err }

// isMissing reports whether a source that the user named could not be opened. A missing file
// that an index or robots.txt names is not an error of the user.
func isMissing(err error) bool {
	var fault, listed *source.Error
	return errors.As(err, &fault) && fault.Index == "" && !errors.As(fault.Err, &listed) &&
		(errors.Is(err, source.ErrOpen) || errors.Is(err, source.ErrNoSitemap) || errors.Is(err, source.ErrEmptyFolder))
}

// sitemapAddresses returns the pages of sitemaps.
func sitemapAddresses(ctx context.Context, locations []string, options *source.Options) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for file, err := range source.Sitemaps(ctx, locations, options) {
			if err != nil {
				if !yield("", err) {
					return
				}
				continue
			}
			for entry, err := range file.Entries() {
				address := ""
				if err == nil {
					address = string(entry.Loc)
				}
				if !yield(address, err) {
					return
				}
			}
		}
	}
}
