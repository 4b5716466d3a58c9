package mcp

import (
	"context"

	"github.com/mapatools/mapa/internal/app/service"
)

// rows is the number of rows of an answer. A model reads all of them.
const rows = 50

type listCrawls struct {
	Site   string `json:"site,omitempty" jsonschema:"only the crawls of this host"`
	Cursor string `json:"cursor,omitempty" jsonschema:"the value of next in the previous answer"`
}

func (s *server) listCrawls(ctx context.Context, in listCrawls) (any, error) {
	crawls, next, err := s.Service.Crawls(ctx, in.Site, in.Cursor, rows)
	return struct {
		Crawls []service.Crawl `json:"crawls"`
		Next   string          `json:"next,omitempty"`
	}{crawls, next}, err
}

type oneCrawl struct {
	ID string `json:"id" jsonschema:"the ID of the crawl"`
}

func (s *server) crawlStatus(ctx context.Context, in oneCrawl) (any, error) {
	return s.Service.Crawl(ctx, in.ID)
}

func (s *server) stopCrawl(ctx context.Context, in oneCrawl) (any, error) {
	return s.Service.Stop(ctx, in.ID)
}

type startCrawl struct {
	URL     string              `json:"url" jsonschema:"a host such as example.com, or the URL where the crawl begins"`
	Options map[string][]string `json:"options,omitempty" jsonschema:"by flags of mapa crawl, such as max-pages"`
}

func (s *server) startCrawl(ctx context.Context, in startCrawl) (any, error) {
	return s.Service.Start(ctx, service.Request{URL: in.URL, Options: in.Options})
}
