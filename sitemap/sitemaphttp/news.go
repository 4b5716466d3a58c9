package sitemaphttp

import (
	"errors"
	"fmt"
	"time"

	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/sitemap"
)

// newsAge is how old an article in a news sitemap may be
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
const newsAge = 48 * time.Hour

var errNews = errors.New("a page of a news section needs exactly one News")

// setNews checks the article of a page of a news section, and reports whether it was
// published in the last two days. The caller's News stays as it is.
func setNews(page *sitemap.URL, now time.Time) (isCurrent bool, err error) {
	if len(page.News) != 1 {
		return false, errNews
	}
	article := page.News[0]
	published, err := lastmod.Parse([]byte(article.PublicationDate), now.Unix())
	switch {
	case err != nil:
		return false, fmt.Errorf("publication date: %w", err)
	case published.IsZero():
		return false, fmt.Errorf("publication date: %w", sitemap.ErrMissing)
	}
	if text := published.String(); text != article.PublicationDate {
		article.PublicationDate = text
		page.News = []sitemap.News{article}
	}
	return now.Sub(published.Time()) <= newsAge, nil
}
