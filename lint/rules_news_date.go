package lint

import (
	"time"

	"github.com/mapatools/mapa/sitemap"
)

const (
	freshNews = 48 * time.Hour
	clockSkew = 10 * time.Minute // by which a server's clock may be wrong
)

var badNewsDate = articles.refused("news-date-invalid", "Invalid date",
	func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationDate == "" {
			return
		}
		d, err := sitemap.ParseDate(news.PublicationDate)
		if err != nil || d.Precision() < sitemap.PrecisionDay ||
			d.Dialects()&(sitemap.DialectGoogle|sitemap.DialectXSD) == 0 {
			reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-date-invalid.found"))
		}
	})

var newsDateWithoutZone = articles.ofGoogle("news-date-no-zone", SeverityError, "Invalid date",
	func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && lacksZone(d) {
			reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-date-no-zone.found"))
		}
	})

var oldNews = articles.ofGoogle("news-older-2d", SeverityWarning, "",
	func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && e.file.options.Now.Sub(latest(d)) > freshNews {
			reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-older-2d.found"))
		}
	})

var futureNews = articles.ofGoogle("news-future", SeverityWarning, "",
	func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && earliest(d).Sub(e.file.options.Now) > clockSkew {
			reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-future.found"))
		}
	})
