package crawlfile

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

// Publish publishes the listed pages of a crawl.
func Publish(ctx context.Context, file *store.File, options publish.Options) (publish.Published, error) {
	start, _, err := file.Page(1) // the start page
	if err != nil {
		return publish.Published{}, err
	}
	options.Home = start.Link.URL
	c := &Crawled{File: file}
	if options.Weights.Priority == publish.PriorityByDepth {
		if c.depth, _, err = file.Distances(ctx, nil); err != nil {
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
func siteLanguage(ctx context.Context, file *store.File, other catalog.Language) (catalog.Language, error) {
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

// Crawled yields the pages of a crawl.
type Crawled struct {
	File  *store.File
	depth []int32 // by ID; filled only where it is needed, because it takes the whole crawl
	moves moves
}

// Pages yields the pages for the sitemap in the order of their URLs, then those that the
// add setting names.
func (c *Crawled) Pages(ctx context.Context) iter.Seq2[*publish.Page, error] {
	return func(yield func(*publish.Page, error) bool) {
		for record, err := range c.File.Listed(ctx) {
			url := record.URL()
			if err == nil {
				err = c.correctAlternates(ctx, url)
			}
			if !yield(c.page(record.Link.ID, url, record.Page.Title), err) || err != nil {
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
	return p
}
