package service

import (
	"context"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/result"
)

// A PastPage is what one crawl of a site says of a URL.
type PastPage struct {
	Crawl Crawl
	Page  *result.Ref // nil when the crawl did not find the URL
}

const (
	// maxHistory is the most crawls in the history of a URL.
	maxHistory = 10
	// maxLooked is the most crawls of a site that are looked at for one.
	maxLooked = 50
)

// PageHistory returns what the last crawls of a site that have a result say of a URL, at
// most 10, the newest first. It may be on another host of the site or have the other scheme. It
// reads some rows of each. A crawl whose file cannot be read is left out.
func (s *Service) PageHistory(ctx context.Context, site, url string) ([]PastPage, error) {
	crawls, _, err := s.Crawls(ctx, site, "", maxLooked)
	if err != nil {
		return nil, err
	}
	var history []PastPage
	for i := range crawls {
		c := &crawls[i]
		if !c.HasResult() || !s.isForAll(c.Expires) {
			continue
		}
		if len(history) == maxHistory || ctx.Err() != nil {
			break
		}
		ref, known, err := s.findRef(c.ID, url)
		if err != nil {
			s.log.Warn("cannot read a crawl", "crawl", c.ID, "error", err)
			continue
		}
		past := PastPage{Crawl: *c}
		if known {
			past.Page = &ref
		}
		history = append(history, past)
	}
	return history, ctx.Err()
}

func (s *Service) findRef(id, url string) (result.Ref, bool, error) {
	defer s.results.pin(id)()
	ref, known, err := result.FindRef(s.folder(id), addresses.SiteURLs(url))
	return ref, known, crawlfile.Wrap(err, s.folder(id))
}
