package rules

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const (
	freshNews = 48 * time.Hour
	clockSkew = 10 * time.Minute // by which a server's clock may be wrong
)

var badNewsDate = &rule.Rule{
	ID:            "news-date-invalid",
	Title:         "a date of publication that cannot be read",
	Why:           "Google takes articles of the last two days, and cannot tell the age of one whose date it cannot read.",
	Cure:          "Write the day, as in 2024-01-08, better with time and zone, as in 2024-01-08T19:20:30+08:00.",
	Severity:      rule.SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           newsHead + newsPublication + "      <news:publication_date>8 January 2024</news:publication_date>\n" + newsTitle + newsTail,
	Good:          newsGood,
	Needs:         scan.HasNews,
	CheckEntry: eachNews(func(e *rule.Entry, n int, news *sitemap.News) {
		if news.PublicationDate == "" {
			return
		}
		d, err := sitemap.ParseDate(news.PublicationDate)
		if err != nil || d.Precision() < sitemap.Day || d.Dialects()&(sitemap.Google|sitemap.XSD) == 0 {
			reportNews(e, n, news.PublicationDate, "news:publication_date is neither a day nor a day with a time")
		}
	}),
}

var newsDateWithoutZone = &rule.Rule{
	ID:            "news-date-no-zone",
	Title:         "a date of publication that has a time but no time zone",
	Why:           "Google reads a time only with its zone; without one the age of the article is known to half a day at best.",
	Cure:          "End the time with Z for UTC, or with the distance from it, such as +02:00.",
	Severity:      rule.SeverityError,
	Engines:       rule.EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           newsHead + newsPublication + "      <news:publication_date>{{today}}T00:00:00</news:publication_date>\n" + newsTitle + newsTail,
	Good:          newsHead + newsPublication + "      <news:publication_date>{{today}}T00:00:00Z</news:publication_date>\n" + newsTitle + newsTail,
	Needs:         scan.HasNews,
	CheckEntry: eachNews(func(e *rule.Entry, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && lacksZone(d) {
			reportNews(e, n, news.PublicationDate, "news:publication_date has a time without a zone")
		}
	}),
}

var oldNews = &rule.Rule{
	ID:       "news-older-2d",
	Title:    "an article that is more than two days old",
	Why:      "Google takes only articles of the last two days as news.",
	Cure:     "Take older pages out of the news sitemap, or remove their news:news.",
	Severity: rule.SeverityWarning,
	Engines:  rule.EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad:      newsHead + newsPublication + "      <news:publication_date>{{today -4}}</news:publication_date>\n" + newsTitle + newsTail,
	Good:     newsGood,
	Needs:    scan.HasNews,
	CheckEntry: eachNews(func(e *rule.Entry, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && e.File.Options.Now.Sub(ending(d)) > freshNews {
			reportNews(e, n, news.PublicationDate, "the article is more than two days old")
		}
	}),
}

var futureNews = &rule.Rule{
	ID:       "news-future",
	Title:    "an article that has yet to be published",
	Why:      "The date is when the article first appeared on your site; one in the future is wrong, or the article should not be listed yet.",
	Cure:     "Correct the date or its time zone, or list the article when it is out.",
	Severity: rule.SeverityWarning,
	Engines:  rule.EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad:      newsHead + newsPublication + "      <news:publication_date>{{today 3}}</news:publication_date>\n" + newsTitle + newsTail,
	Good:     newsGood,
	Needs:    scan.HasNews,
	CheckEntry: eachNews(func(e *rule.Entry, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && beginning(d).Sub(e.File.Options.Now) > clockSkew {
			reportNews(e, n, news.PublicationDate, "the date is in the future")
		}
	}),
}
