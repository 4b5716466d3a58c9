package lint

import (
	"time"

	"github.com/mapatools/mapa/sitemap"
)

const dateText = "https://www.w3.org/TR/NOTE-datetime"

// dateRules are about lastmod: what it may look like and which times it may tell.
var dateRules = []*Rule{lastModInvalid, lastModNoZone, lastModYearOnly, lastModNoSeconds, lastModFuture, lastModAncient, lastModBeforeSite}

// date returns the lastmod of a page or sitemap; in RSS it has a grammar of its
// own, which the rules about feeds judge.
func (v *visit) date() (d sitemap.Date, ok bool) {
	d, err := v.entry.Date()
	return d, err == nil && !d.IsZero()
}

// inXML reports whether lastmod stands under its own name.
func (v *visit) inXML() bool {
	return v.file.Format == sitemap.FormatURLSet || v.file.Format == sitemap.FormatIndex
}

func (v *visit) reportDate(message string) {
	v.report("lastmod", 0, string(v.entry.LastMod), message)
}

var lastModInvalid = &Rule{
	ID:            "lastmod-invalid",
	Title:         "a lastmod that is no date",
	Why:           "What is no date of ISO 8601 in the form that the W3C describes is dropped, and with it the reason to come back to the page.",
	Cure:          "Write 2024-01-08 or 2024-01-08T09:30:00+01:00: a T before the time, a colon in the zone, a day that exists.",
	Severity:      SeverityError,
	Overlay:       map[Engines]Severity{EngineYandex: SeverityWarning}, // it keeps the page
	Source:        protocolText + "#lastmoddef",
	SearchConsole: "Invalid date", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<lastmod>08.01.2024</lastmod>")),
	Good:  urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs: needsLastMod,
	check: func(v *visit) {
		if !v.inXML() {
			return
		}
		d, ok := v.date()
		switch {
		case !ok:
			v.reportDate("this is no date: write 2024-01-08 or 2024-01-08T09:30:00+01:00")
		case d.Dialects() == 0 && !v.lacksZoneOnly(d):
			v.reportDate("nearly a date: it takes a T before the time and a colon in the zone, as in 2024-01-08T09:30:00+01:00")
		case d.Dialects() == sitemap.XSD && d.HasZone():
			v.reportDate("a date that only XML Schema knows: a day has no zone, and midnight is 00:00:00")
		}
	},
}

var lastModNoZone = &Rule{
	ID:            "lastmod-no-zone",
	Title:         "a lastmod with a time but no zone",
	Why:           "A time without a zone may be any of 26 hours. The W3C's note, which the protocol names, demands the zone. Google reports the date as invalid; Bing and Yandex read the page all the same.",
	Cure:          "Add Z for UTC or the offset, as in +01:00, or leave out the time.",
	Severity:      SeverityError,
	Overlay:       map[Engines]Severity{EngineBing | EngineYandex: SeverityWarning},
	Source:        dateText,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00Z</lastmod>")),
	needs:         needsLastMod,
	check: func(v *visit) {
		if d, ok := v.date(); ok && v.inXML() && (d.Dialects() != 0 && lacksZone(d) || v.lacksZoneOnly(d)) {
			v.reportDate("a time without a zone: add Z or an offset such as +01:00")
		}
	},
}

var lastModYearOnly = &Rule{
	ID:       "lastmod-year-only",
	Title:    "a lastmod without a day",
	Why:      "The W3C's note allows a year or a month by itself, the schema does not, and no engine can tell from it whether to come back.",
	Cure:     "Write the day: 2024-01-08.",
	Severity: SeverityError, Overlay: map[Engines]Severity{search: SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           urlset(page("https://example.com/", "<lastmod>2024</lastmod>")),
	Good:          urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs:         needsLastMod,
	check: func(v *visit) {
		if d, ok := v.date(); ok && d.Precision() < sitemap.Day {
			v.reportDate("a date without a day")
		}
	},
}

var lastModNoSeconds = &Rule{
	ID:       "lastmod-no-seconds",
	Title:    "a lastmod with hours and minutes but no seconds",
	Why:      "The W3C's note allows it and engines read it; the schema does not, so validators fail the file.",
	Cure:     "Write the seconds: 2024-01-08T09:30:00+01:00.",
	Severity: SeverityError, Overlay: map[Engines]Severity{search: SeverityInfo},
	Source: urlsetSchema,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30+01:00</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>2024-01-08T09:30:00+01:00</lastmod>")),
	needs:  needsLastMod,
	check: func(v *visit) {
		if d, ok := v.date(); ok && v.inXML() && d.Precision() == sitemap.Minute {
			v.reportDate("a time without seconds")
		}
	},
}

var lastModFuture = &Rule{
	ID:       "lastmod-future",
	Title:    "a lastmod in the future",
	Why:      "A page cannot have changed tomorrow. Bing rejects such dates, and engines that see many distrust all dates of the site.",
	Cure:     "Write when the page last changed; look for a wrong clock, a wrong zone, or the date of an event or of an expiry.",
	Severity: SeverityWarning, Overlay: map[Engines]Severity{EngineBing: SeverityError},
	Source: bingText,
	Since:  "0.1",
	Bad:    urlset(page("https://example.com/", "<lastmod>{{today 30}}</lastmod>")),
	Good:   urlset(page("https://example.com/", "<lastmod>{{today}}</lastmod>")),
	needs:  needsLastMod,
	check: func(v *visit) {
		if d, ok := v.date(); ok && d.Time().After(v.now().Add(v.leeway(d))) {
			v.reportDate("this lies in the future")
		}
	},
}

// lacksZoneOnly tells a time of hours and minutes to which the W3C's note would
// have nothing to add but the zone.
func (v *visit) lacksZoneOnly(d sitemap.Date) bool {
	return d.Precision() == sitemap.Minute && !d.HasZone() && len(v.entry.LastMod) > len("2024-01-08") && v.entry.LastMod[len("2024-01-08")] == 'T'
}

// leeway is how far a date may be ahead: clocks differ by minutes, and where
// there is no zone, days begin 14 hours before they do in UTC.
func (v *visit) leeway(d sitemap.Date) time.Duration {
	if d.HasZone() {
		return 10 * time.Minute
	}
	return aroundTheWorld
}

var firstWebsite = time.Date(1991, 8, 6, 0, 0, 0, 0, time.UTC)

var lastModAncient = &Rule{
	ID:       "lastmod-ancient",
	Title:    "a lastmod from before the web",
	Why:      "1970-01-01 and 0001-01-01 are what programs write when they have no date. Engines that see them distrust all dates of the site.",
	Cure:     "Leave lastmod out where the date is not known.",
	Severity: SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<lastmod>1970-01-01</lastmod>")),
	Good:     urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>")),
	needs:    needsLastMod,
	check: func(v *visit) {
		if d, ok := v.date(); ok && d.Time().Before(firstWebsite) {
			v.reportDate("older than the web: a program wrote it that had no date")
		}
	},
}

var lastModBeforeSite = &Rule{
	ID:    "lastmod-before-site",
	Title: "a lastmod from before the site began",
	Why: "A page cannot have changed before there was a site: the date is that of something else, such as the event that the page is about. " +
		"Engines that see wrong dates distrust all dates of the site. Without --site-since, the day on which the site began, nothing is said.",
	Cure:     "Write when the page last changed; pages that moved here from an older site changed when they moved.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/", "<lastmod>2009-12-24</lastmod>")),
	Good:     urlset("<!-- the site began on 1 January 2010 -->\n" + page("https://example.com/", "<lastmod>2010-01-08</lastmod>")),
	needs:    needsLastMod,
	check: func(v *visit) {
		since := v.options.SiteSince // a day of whatever zone
		if d, ok := v.date(); ok && ending(d).Before(since.Add(-aroundTheWorld)) && !d.Time().Before(firstWebsite) {
			v.reportDate("the site began on " + since.Format("2006-01-02"))
		}
	},
}
