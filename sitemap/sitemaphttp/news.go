package sitemaphttp

import (
	"errors"
	"fmt"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// newsAge is how old an article in a news sitemap may be
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
const newsAge = 48 * time.Hour

var errNews = errors.New("a page of a news section needs exactly one News")

// isCurrent reports whether a page is news of the last two days.
func isCurrent(page *sitemap.URL, now time.Time) (bool, error) {
	if len(page.News) != 1 {
		return false, errNews
	}
	published, err := sitemap.ParseDate(page.News[0].PublicationDate)
	if err != nil {
		return false, fmt.Errorf("publication date: %w", err)
	}
	return now.Sub(published.Time()) <= newsAge, nil
}
