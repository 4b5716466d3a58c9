package rules

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const dateText = "https://www.w3.org/TR/NOTE-datetime"

// dateRules are about lastmod: what it may look like and which times it may tell.
var dateRules = []*rule.Rule{lastModInvalid, lastModNoZone, lastModYearOnly, lastModNoSeconds, lastModFuture, lastModAncient, lastModBeforeSite}

// date returns the lastmod of a page or sitemap; in RSS it has a grammar of its
// own, which the rules about feeds judge.
func date(e *rule.Entry) (d sitemap.Date, ok bool) {
	d, err := e.Date()
	return d, err == nil && !d.IsZero()
}

// inXML reports whether lastmod stands under its own name.
func inXML(e *rule.Entry) bool {
	return e.File.Format == sitemap.FormatURLSet || e.File.Format == sitemap.FormatIndex
}

func reportDate(e *rule.Entry, message string) {
	e.Report("lastmod", 0, string(e.LastMod), message)
}

var lastModInvalid = &rule.Rule{
	ID:            "lastmod-invalid",
	Title:         "a lastmod that is no date",
	Why:           "What is no date of ISO 8601 in the form that the W3C describes is dropped, and with it the reason to come back to the page.",
	Cure:          "Write 2024-01-08 or 2024-01-08T09:30:00+01:00: a T before the time, a colon in the zone, a day that exists.",
	Severity:      rule.SeverityError,
	Overlay:       map[rule.Engines]rule.Severity{rule.EngineYandex: rule.SeverityWarning}, // it keeps the page
	Source:        protocolText + "#lastmoddef",
	SearchConsole: "Invalid date", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod>08.01.2024</lastmod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	Needs: scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if !inXML(e) {
			return
		}
		d, ok := date(e)
		switch {
		case !ok:
			reportDate(e, "this is no date: write 2024-01-08 or 2024-01-08T09:30:00+01:00")
		case d.Dialects() == 0 && !lacksZoneOnly(e, d):
			reportDate(e, "nearly a date: it takes a T before the time and a colon in the zone, as in 2024-01-08T09:30:00+01:00")
		case d.Dialects() == sitemap.XSD && d.HasZone():
			reportDate(e, "a date that only XML Schema knows: a day has no zone, and midnight is 00:00:00")
		}
	},
}

var lastModNoZone = &rule.Rule{
	ID:            "lastmod-no-zone",
	Title:         "a lastmod with a time but no zone",
	Why:           "A time without a zone may be any of 26 hours. The W3C's note, which the protocol names, demands the zone. Google reports the date as invalid; Bing and Yandex read the page all the same.",
	Cure:          "Add Z for UTC or the offset, as in +01:00, or leave out the time.",
	Severity:      rule.SeverityError,
	Overlay:       map[rule.Engines]rule.Severity{rule.EngineBing | rule.EngineYandex: rule.SeverityWarning},
	Source:        dateText,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00Z</lastmod>")),
	Needs:         scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if d, ok := date(e); ok && inXML(e) && (d.Dialects() != 0 && lacksZone(d) || lacksZoneOnly(e, d)) {
			reportDate(e, "a time without a zone: add Z or an offset such as +01:00")
		}
	},
}

var lastModYearOnly = &rule.Rule{
	ID:       "lastmod-year-only",
	Title:    "a lastmod without a day",
	Why:      "The W3C's note allows a year or a month by itself, the schema does not, and no engine can tell from it whether to come back.",
	Cure:     "Write the day: 2024-01-08.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	Needs:         scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if d, ok := date(e); ok && d.Precision() < sitemap.Day {
			reportDate(e, "a date without a day")
		}
	},
}

var lastModNoSeconds = &rule.Rule{
	ID:       "lastmod-no-seconds",
	Title:    "a lastmod with hours and minutes but no seconds",
	Why:      "The W3C's note allows it and engines read it; the schema does not, so validators fail the file.",
	Cure:     "Write the seconds: 2024-01-08T09:30:00+01:00.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityInfo},
	Source: urlsetSchema,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30+01:00</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00+01:00</lastmod>")),
	Needs:  scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if d, ok := date(e); ok && inXML(e) && d.Precision() == sitemap.Minute {
			reportDate(e, "a time without seconds")
		}
	},
}

var lastModFuture = &rule.Rule{
	ID:       "lastmod-future",
	Title:    "a lastmod in the future",
	Why:      "A page cannot have changed tomorrow. Bing rejects such dates, and engines that see many distrust all dates of the site.",
	Cure:     "Write when the page last changed; look for a wrong clock, a wrong zone, or the date of an event or of an expiry.",
	Severity: rule.SeverityWarning, Overlay: map[rule.Engines]rule.Severity{rule.EngineBing: rule.SeverityError},
	Source: bingText,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>{{today 30}}</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>{{today}}</lastmod>")),
	Needs:  scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if d, ok := date(e); ok && d.Time().After(e.File.Options.Now.Add(leeway(e, d))) {
			reportDate(e, "this lies in the future")
		}
	},
}

// lacksZoneOnly tells a time of hours and minutes to which the W3C's note would
// have nothing to add but the zone.
func lacksZoneOnly(e *rule.Entry, d sitemap.Date) bool {
	return d.Precision() == sitemap.Minute && !d.HasZone() && len(e.LastMod) > len("2024-01-08") && e.LastMod[len("2024-01-08")] == 'T'
}

// leeway is how far a date may be ahead: clocks differ by minutes, and where
// there is no zone, days begin 14 hours before they do in UTC.
func leeway(e *rule.Entry, d sitemap.Date) time.Duration {
	if d.HasZone() {
		return 10 * time.Minute
	}
	return scan.MaxZone
}

var firstWebsite = time.Date(1991, 8, 6, 0, 0, 0, 0, time.UTC)

var lastModAncient = &rule.Rule{
	ID:       "lastmod-ancient",
	Title:    "a lastmod from before the web",
	Why:      "1970-01-01 and 0001-01-01 are what programs write when they have no date. Engines that see them distrust all dates of the site.",
	Cure:     "Leave lastmod out where the date is not known.",
	Severity: rule.SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<lastmod>1970-01-01</lastmod>")),
	Good:     urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	Needs:    scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if d, ok := date(e); ok && d.Time().Before(firstWebsite) {
			reportDate(e, "older than the web: a program wrote it that had no date")
		}
	},
}

var lastModBeforeSite = &rule.Rule{
	ID:    "lastmod-before-site",
	Title: "a lastmod from before the site began",
	Why: "A page cannot have changed before there was a site: the date is that of something else, such as the event that the page is about. " +
		"Engines that see wrong dates distrust all dates of the site. Without --site-since, the day on which the site began, nothing is said.",
	Cure:     "Write when the page last changed; pages that moved here from an older site changed when they moved.",
	Severity: rule.SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/", "<lastmod>2009-12-24</lastmod>")),
	Good:     urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/", "<lastmod>2010-01-08</lastmod>")),
	Needs:    scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		since := e.File.Options.SiteSince // a day of whatever zone
		if d, ok := date(e); ok && ending(d).Before(since.Add(-scan.MaxZone)) && !d.Time().Before(firstWebsite) {
			reportDate(e, "the site began on "+since.Format("2006-01-02"))
		}
	},
}
