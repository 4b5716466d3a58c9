package service

import (
	"context"
	"errors"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/why"
)

// Why returns what a crawl that has ended decided about a page, which a person means by an address or by a path of the
// site, as mapa why does. The error is that of [Service.OpenResult], or wraps [addresses.ErrNotPage].
func (s *Service) Why(ctx context.Context, id, address string) (*why.Answer, error) {
	defer s.results.pin(id)()
	c, err := s.crawl(ctx, id)
	if err != nil {
		return nil, err
	}
	if !c.State.Ended() {
		return nil, &StateError{"read", c.State}
	}
	answer, err := why.Explain(ctx, address, s.folder(id))
	if errors.Is(err, crawlfile.ErrNoCrawl) {
		err = ErrNotFound
	}
	return answer, err
}
