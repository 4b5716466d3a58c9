package mcp

import (
	"context"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// rows is the number of rows of an answer. A model reads all of them.
const rows = 50

type listCrawls struct {
	Site   string `json:"site,omitempty" jsonschema:"only the crawls of this host"`
	Cursor string `json:"cursor,omitempty" jsonschema:"the value of next in the previous answer"`
}

// A crawlRow is what a model needs to choose a crawl. The tool crawl_status has the rest.
type crawlRow struct {
	ID      string        `json:"id"`
	URL     string        `json:"url"`
	State   service.State `json:"state"`
	Created time.Time     `json:"created"`
	Pages   int64         `json:"pages,omitempty"`
	Broken  int64         `json:"broken,omitempty"`
	Losses  int64         `json:"losses,omitempty"`
	Ignored int64         `json:"ignored,omitempty"` // findings and losses that are in no other number
	Error   string        `json:"error,omitempty"`   // code of the failure
	// Complete says that the numbers are those of the site.
	Complete bool `json:"complete,omitempty"`
}

func (s *server) listCrawls(ctx context.Context, in listCrawls) (any, error) {
	crawls, next, err := s.Service.Crawls(ctx, in.Site, in.Cursor, rows)
	list := struct {
		Crawls []crawlRow `json:"crawls"`
		Next   string     `json:"next,omitempty"`
	}{[]crawlRow{}, next}
	for i := range crawls {
		c := &crawls[i]
		row := crawlRow{
			ID: c.ID, URL: c.URL, State: c.State, Created: c.Created.Truncate(time.Second),
			Pages: c.Counts.Pages, Broken: c.Counts.Broken, Losses: c.Counts.Losses,
			Ignored: c.Counts.Ignored, Complete: c.Complete,
		}
		if c.Failure != nil {
			row.Error = c.Failure.Code
		}
		list.Crawls = append(list.Crawls, row)
	}
	return list, err
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
