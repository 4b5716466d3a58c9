package cli

import (
	"context"
	"iter"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

// publishCrawl publishes what a crawl found.
func publishCrawl(ctx context.Context, file *store.File, options publish.Options) (publish.Published, error) {
	start, _, err := file.Page(1) // what the crawl began with
	if err != nil {
		return publish.Published{}, err
	}
	options.Home = start.Link.URL
	options.Weights.Time = start.Page.Time
	s := &site{file: file}
	if options.Weights.Priority == publish.ByDepth || slices.Contains(options.Outputs, publish.ROR) {
		if s.depth, _, err = file.Distances(ctx); err != nil {
			return publish.Published{}, err
		}
	}
	if options.Weights.Priority == publish.ByLinks {
		if err := s.countLinks(ctx); err != nil {
			return publish.Published{}, err
		}
		options.Weights.MostInlinks = int(slices.Max(append(s.inlinks, 0)))
	}
	return publish.Run(ctx, s.pages(ctx), &options)
}

// A site is the pages of a crawl with what only all of them together tell, by ID,
// where it is asked for.
type site struct {
	file    *store.File
	depth   []int32
	inlinks []uint32 // pages that link there
}

// countLinks counts the pages that link to an address; nofollow is no link, and a
// page that links twice is one.
func (s *site) countLinks(ctx context.Context) error {
	var last []crawl.ID // the page that was counted last, by target
	for e, err := range s.file.Edges(ctx) {
		if err != nil {
			return err
		}
		if e.Nofollow || e.To == e.From || e.To <= 0 {
			continue
		}
		for int(e.To) >= len(last) {
			last, s.inlinks = append(last, 0), append(s.inlinks, 0)
		}
		if last[e.To] != e.From {
			last[e.To] = e.From
			s.inlinks[e.To]++
		}
	}
	return nil
}

// pages are those for the sitemap in the order of their addresses, then those that
// the user adds.
func (s *site) pages(ctx context.Context) iter.Seq2[*publish.Page, error] {
	return func(yield func(*publish.Page, error) bool) {
		for entry, err := range s.file.Listed(ctx) {
			if !yield(s.page(entry.ID, &entry.URL, entry.Title), err) || err != nil {
				return
			}
		}
		for record, err := range s.file.Pages(ctx, crawl.Added) {
			if !yield(s.page(record.Link.ID, &sitemap.URL{Loc: record.Link.URL}, ""), err) || err != nil {
				return
			}
		}
	}
}

func (s *site) page(id crawl.ID, url *sitemap.URL, title string) *publish.Page {
	p := &publish.Page{URL: *url, Title: title}
	if int(id) < len(s.depth) {
		p.Depth = int(s.depth[id])
	}
	if int(id) < len(s.inlinks) {
		p.Inlinks = int(s.inlinks[id])
	}
	return p
}
