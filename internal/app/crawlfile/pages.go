package crawlfile

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/sitemap"
)

// Publish publishes the listed pages of a crawl.
func Publish(ctx context.Context, file crawl.Reader, options publish.Options) (publish.Published, error) {
	start, _, err := file.Page(1) // the start page
	if err != nil {
		return publish.Published{}, err
	}
	options.Home = start.Link.URL
	options.Weights.Time = start.Page.Time
	c := &Crawled{File: file}
	if options.Weights.Priority == publish.PriorityByDepth || slices.Contains(options.Outputs, publish.OutputROR) {
		if c.depth, _, err = file.Distances(ctx, nil); err != nil {
			return publish.Published{}, err
		}
	}
	if options.Weights.Priority == publish.PriorityByLinks {
		if options.Weights.MostInlinks, err = c.countLinks(ctx); err != nil {
			return publish.Published{}, err
		}
	}
	if slices.Contains(options.Outputs, publish.OutputHTML) {
		if options.Language, err = siteLanguage(ctx, file, options.Language); err != nil {
			return publish.Published{}, err
		}
	}
	return publish.Run(ctx, c.Pages(ctx), &options)
}

// languagePages is the number of pages from which the language of a site is known.
const languagePages = 1000

// siteLanguage returns the language that most pages name in the lang attribute of their html
// element, or another one where Mapa has no texts in that.
func siteLanguage(ctx context.Context, file crawl.Reader, other catalog.Language) (catalog.Language, error) {
	counts, read := map[catalog.Language]int{}, 0
	for record, err := range file.Pages(ctx, crawl.ReasonListed) {
		if err != nil {
			return "", err
		}
		name, _, _ := strings.Cut(strings.ToLower(record.Page.Language), "-")
		counts[catalog.Language(name)]++
		if read++; read == languagePages {
			break
		}
	}
	delete(counts, "")
	most := other
	for language, n := range counts {
		if n > counts[most] || n == counts[most] && most != other && language < most {
			most = language
		}
	}
	if !slices.Contains(catalog.Languages(), most) {
		return other, nil
	}
	return most, nil
}

// Crawled yields the pages of a crawl. Depths and numbers of links, which need the whole
// crawl, are indexed by ID and filled only where they are needed.
type Crawled struct {
	File    crawl.Reader
	depth   []int32
	inlinks []uint32 // pages that link there
	moves   moves
}

// countLinks counts the pages that link to each URL. Nofollow links do not count, and a
// page that links twice counts once. It returns the maximum of a listed page.
func (c *Crawled) countLinks(ctx context.Context) (most int, err error) {
	var last []crawl.ID // page that was counted last, by target
	for e, err := range c.File.Edges(ctx) {
		if err != nil {
			return 0, err
		}
		if e.Nofollow || e.To == e.From || e.To <= 0 {
			continue
		}
		for int(e.To) >= len(last) {
			last, c.inlinks = append(last, 0), append(c.inlinks, 0)
		}
		if last[e.To] != e.From {
			last[e.To] = e.From
			c.inlinks[e.To]++
		}
	}
	for page, err := range c.Pages(ctx) {
		if err != nil {
			return 0, err
		}
		most = max(most, page.Inlinks)
	}
	return most, nil
}

// Pages yields the pages for the sitemap in the order of their URLs, then those that the
// add setting names.
func (c *Crawled) Pages(ctx context.Context) iter.Seq2[*publish.Page, error] {
	return func(yield func(*publish.Page, error) bool) {
		for entry, err := range c.File.Listed(ctx) {
			if err == nil {
				err = c.correctAlternates(ctx, &entry.URL)
			}
			if !yield(c.page(entry.ID, &entry.URL, entry.Title), err) || err != nil {
				return
			}
		}
		for record, err := range c.File.Pages(ctx, crawl.ReasonAdded) {
			if !yield(c.page(record.Link.ID, &sitemap.URL{Loc: record.Link.URL}, ""), err) || err != nil {
				return
			}
		}
	}
}

func (c *Crawled) page(id crawl.ID, url *sitemap.URL, title string) *publish.Page {
	p := &publish.Page{URL: *url, Title: title}
	if int(id) < len(c.depth) {
		p.Depth = int(c.depth[id])
	}
	if int(id) < len(c.inlinks) {
		p.Inlinks = int(c.inlinks[id])
	}
	return p
}
