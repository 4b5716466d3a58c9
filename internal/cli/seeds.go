package cli

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/pflag"
)

// seedFlags name what tells of pages apart from the links of the site.
type seedFlags struct{ sitemaps, lists, logs []string }

func (f *seedFlags) register(s *pflag.FlagSet) {
	s.StringArrayVar(&f.sitemaps, "sitemap", nil, "visit the pages of this sitemap too: a file, an address or a site, as for mapa list")
	s.StringArrayVar(&f.lists, "list", nil, "visit the addresses in this `FILE` too: text with one a line, CSV or JSONL")
	s.StringArrayVar(&f.logs, "log", nil, "visit the pages that this access log of Apache or nginx shows too, given as a `FILE`")
}

// check refuses what cannot be meant.
func (f *seedFlags) check() error {
	files := slices.Concat(f.sitemaps, f.lists, f.logs)
	stdin := func(name string) bool { return name == "-" }
	if first := slices.IndexFunc(files, stdin); first >= 0 && slices.ContainsFunc(files[first+1:], stdin) {
		return errors.New("only one of --sitemap, --list and --log can be standard input")
	}
	return nil
}

// seeds reads what the flags name when it is asked for seeds; without any it is
// nil. What cannot even be opened is an error: a crawl without it would take
// pages for missing that are not. Of the rest, what could not be read is said
// and left out.
func (f *seedFlags) seeds(ctx context.Context, options *crawl.Options, stdin io.Reader, say func(string)) (iter.Seq2[crawl.Seed, error], error) {
	if len(f.sitemaps)+len(f.lists)+len(f.logs) == 0 {
		return nil, nil
	}
	client, err := options.HTTP()
	if err != nil {
		return nil, err
	}
	follow := &source.Options{Stdin: stdin, Client: client, UserAgent: options.Access.UserAgent}
	lines := &source.LineOptions{Stdin: stdin, Base: options.Start}
	all := []struct {
		given     crawl.SeedSource
		addresses iter.Seq2[string, error]
	}{
		{crawl.SeedSitemap, sitemapAddresses(ctx, f.sitemaps, follow)},
		{crawl.SeedList, source.Lists(f.lists, lines)},
		{crawl.SeedLog, source.Logs(f.logs, lines)},
	}
	return func(yield func(crawl.Seed, error) bool) {
		for _, part := range all {
			for address, err := range part.addresses {
				switch {
				case err == nil:
					if !yield(crawl.Seed{URL: address, Source: part.given}, nil) {
						return
					}
				case ctx.Err() != nil, isMissing(err):
					yield(crawl.Seed{}, err)
					return
				default:
					say(strings.ReplaceAll(err.Error(), "\n", "; "))
				}
			}
		}
	}, nil
}

// isMissing reports whether a file that a flag names gave nothing at all. One
// that only an index or a robots.txt lists is a fault of that.
func isMissing(err error) bool {
	var fault, listed *source.Error
	return errors.As(err, &fault) && fault.Index == "" && !errors.As(fault.Err, &listed) &&
		(errors.Is(err, source.ErrOpen) || errors.Is(err, source.ErrNoSitemap))
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
