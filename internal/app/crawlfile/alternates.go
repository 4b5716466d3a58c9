package crawlfile

import (
	"context"
	"hash/maphash"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// moves has the URLs that redirect or that are gone; nil until they are needed.
type moves struct {
	ids     map[uint64]crawl.ID // by the hash of the URL
	targets map[crawl.ID]crawl.ID
}

// gone is the target of a URL that does not exist.
const gone crawl.ID = 0

var moveSeed = maphash.MakeSeed()

func hashURL(url string) uint64 {
	return maphash.Bytes(moveSeed, urlnorm.AppendKey(nil, []byte(url), urlnorm.KeyOptions{}))
}

// readMoves reads the URLs that redirect or that are gone.
func (c *Crawled) readMoves(ctx context.Context) error {
	c.moves = moves{map[uint64]crawl.ID{}, map[crawl.ID]crawl.ID{}}
	for record, err := range c.File.Pages(ctx, crawl.ReasonRedirect, crawl.ReasonClientError) {
		if err != nil {
			return err
		}
		target := record.Page.Target
		switch record.Page.Status {
		case http.StatusNotFound, http.StatusGone:
			target = gone
		default:
			if target == 0 { // refused, or a redirect to nowhere
				continue
			}
		}
		c.moves.ids[hashURL(record.Link.URL)] = record.Link.ID
		c.moves.targets[record.Link.ID] = target
	}
	return nil
}

// correctAlternates removes the versions in other languages that are gone from a page, and replaces those
// that redirect by their targets. What is not known stays.
func (c *Crawled) correctAlternates(ctx context.Context, page *sitemap.URL) error {
	if len(page.Alternates) > 0 && c.moves.ids == nil {
		if err := c.readMoves(ctx); err != nil {
			return err
		}
	}
	var kept []sitemap.Alternate
	changed := false
	for _, one := range page.Alternates {
		if id, moved := c.moves.ids[hashURL(one.Href)]; moved {
			changed = true
			end := c.moves.follow(id)
			if end == gone {
				continue
			}
			link, err := c.File.Link(end)
			if err != nil {
				return err
			}
			one.Href = link.URL
		}
		if !changed || !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	page.Alternates = kept
	return nil
}

// maxMoves is how many redirects in a row are followed. Crawls follow fewer.
const maxMoves = 100

// follow returns where a URL leads.
func (m *moves) follow(id crawl.ID) crawl.ID {
	for range maxMoves {
		target, moved := m.targets[id]
		if !moved {
			break
		}
		id = target
	}
	return id
}
