package lint

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const dateText = "https://www.w3.org/TR/NOTE-datetime"

// dateRules are about lastmod: its format and its time.
var dateRules = []*Rule{
	lastModInvalid, lastModNoZone, lastModYearOnly, lastModNoSeconds, lastModFuture, lastModAncient, lastModBeforeSite,
}

// date returns the lastmod of a page or sitemap. RSS has its own format of dates,
// which the rules about feeds check.
func date(e *entryCheck) (d sitemap.Date, ok bool) {
	d, err := e.Date()
	return d, err == nil && !d.IsZero()
}

// inXML reports whether the date is called lastmod in the file.
func inXML(e *entryCheck) bool {
	return e.file.Format == sitemap.FormatURLSet || e.file.Format == sitemap.FormatIndex
}

func reportDate(e *entryCheck, message string) {
	e.report("lastmod", 0, string(e.LastMod), `lastmod "`+printable(e.LastMod)+`" `+message)
}

var lastModInvalid = &Rule{
	ID:            "lastmod-invalid",
	Title:         "lastmod is not a valid date",
	Why:           "Search engines ignore a date that is not in the W3C's form of ISO 8601, and with it the reason to crawl the page again.",
	Fix:           "Write 2024-01-08 or 2024-01-08T09:30:00+01:00: a T before the time, a colon in the time zone, and a day that exists.",
	Severity:      SeverityError,
	Overlay:       Overlay{Warning: EngineYandex}, // it keeps the page
	Source:        protocolText + "#lastmoddef",
	SearchConsole: "Invalid date", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod>08.01.2024</lastmod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs: scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if !inXML(e) {
			return
		}
		d, ok := date(e)
		switch {
		case !ok:
			reportDate(e, "is not a date: write 2024-01-08 or 2024-01-08T09:30:00+01:00")
		case d.Dialects() == 0 && !lacksZoneOnly(e, d):
			reportDate(e, "is almost a date: write a T before the time and a colon in the time zone, as in 2024-01-08T09:30:00+01:00")
		case d.Dialects() == sitemap.DialectXSD && d.HasZone():
			reportDate(e, "is valid only in XML Schema: write a day without a time zone, and midnight as 00:00:00")
		}
	},
}

var lastModNoZone = &Rule{
	ID:            "lastmod-no-zone",
	Title:         "lastmod has a time without a time zone",
	Why:           "A time without a time zone can be any of 26 hours. The W3C note that the protocol cites requires the time zone. Google reports the date as invalid; Bing and Yandex still read the page.",
	Fix:           "Add Z for UTC or an offset such as +01:00, or leave out the time.",
	Severity:      SeverityError,
	Overlay:       Overlay{Warning: EngineBing | EngineYandex},
	Source:        dateText,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00Z</lastmod>")),
	needs:         scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if d, ok := date(e); ok && inXML(e) && (d.Dialects() != 0 && lacksZone(d) || lacksZoneOnly(e, d)) {
			reportDate(e, "has a time without a time zone: add Z or an offset such as +01:00")
		}
	},
}

var lastModYearOnly = &Rule{
	ID:       "lastmod-year-only",
	Title:    "lastmod has no day",
	Why:      "The W3C note allows a year or a month alone, but the schema does not. Search engines cannot tell from it whether to crawl the page again.",
	Fix:      "Write the day: 2024-01-08.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs:         scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if d, ok := date(e); ok && d.Precision() < sitemap.PrecisionDay {
			reportDate(e, "has no day")
		}
	},
}

var lastModNoSeconds = &Rule{
	ID:       "lastmod-no-seconds",
	Title:    "lastmod has a time without seconds",
	Why:      "The W3C note allows it and search engines read it. The schema does not allow it, so validators reject the file.",
	Fix:      "Write the seconds: 2024-01-08T09:30:00+01:00.",
	Severity: SeverityError, Overlay: Overlay{Info: search},
	Source: urlsetSchema,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30+01:00</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00+01:00</lastmod>")),
	needs:  scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if d, ok := date(e); ok && inXML(e) && d.Precision() == sitemap.PrecisionMinute {
			reportDate(e, "has a time without seconds")
		}
	},
}

var lastModFuture = &Rule{
	ID:       "lastmod-future",
	Title:    "lastmod is in the future",
	Why:      "A page cannot have changed in the future. Bing rejects such dates, and search engines that see many of them stop trusting every date of the site.",
	Fix:      "Write the date of the last change. Check for a wrong clock, a wrong time zone, or the date of an event or expiry.",
	Severity: SeverityWarning, Overlay: Overlay{Error: EngineBing},
	Source: bingText,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>{{today 30}}</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>{{today}}</lastmod>")),
	needs:  scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if d, ok := date(e); ok && d.Time().After(e.file.options.Now.Add(leeway(e, d))) {
			reportDate(e, "is in the future")
		}
	},
}

// lacksZoneOnly reports whether a time of hours and minutes would be valid under the
// W3C's note with a zone.
func lacksZoneOnly(e *entryCheck, d sitemap.Date) bool {
	const day = len("2024-01-08")
	return d.Precision() == sitemap.PrecisionMinute && !d.HasZone() && len(e.LastMod) > day && e.LastMod[day] == 'T'
}

// leeway is how far a date may be ahead: clocks differ by minutes, and without a
// zone a day may begin 14 hours before it does in UTC.
func leeway(e *entryCheck, d sitemap.Date) time.Duration {
	if d.HasZone() {
		return 10 * time.Minute
	}
	return scan.MaxZone
}

var firstWebsite = time.Date(1991, 8, 6, 0, 0, 0, 0, time.UTC)

var lastModAncient = &Rule{
	ID:       "lastmod-ancient",
	Title:    "lastmod is older than the web",
	Why:      "Programs write 1970-01-01 or 0001-01-01 when they have no date. Search engines that see these dates stop trusting every date of the site.",
	Fix:      "Leave lastmod out if you do not know the date.",
	Severity: SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<lastmod>1970-01-01</lastmod>")),
	Good:     urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs:    scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if d, ok := date(e); ok && d.Time().Before(firstWebsite) {
			reportDate(e, "is older than the web: a program wrote it without knowing the date")
		}
	},
}

var lastModBeforeSite = &Rule{
	ID:    "lastmod-before-site",
	Title: "lastmod is older than the site",
	Why: "A page cannot have changed before the site existed. The date is that of something else, such as the event that the page describes. " +
		"Search engines that see wrong dates stop trusting every date of the site. This rule needs --site-since, the day the site began.",
	Fix:      "Write the date of the last change. For pages moved from an older site, write the date of the move.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad: urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/",
		"<lastmod>2009-12-24</lastmod>")),
	Good: urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/",
		"<lastmod>2010-01-08</lastmod>")),
	needs: scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		since := e.file.options.SiteSince // a day in any zone
		if d, ok := date(e); ok && latest(d).Before(since.Add(-scan.MaxZone)) && !d.Time().Before(firstWebsite) {
			reportDate(e, "is older than the site, which began on "+since.Format("2006-01-02"))
		}
	},
}
