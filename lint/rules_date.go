package lint

import (
	"slices"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const dateText = "https://www.w3.org/TR/NOTE-datetime"

// dateRules are about lastmod: its format and its time.
var dateRules = []*Rule{
	// it keeps the page
	{ID: "lastmod-invalid", Severity: SeverityError, Overlay: Overlay{Warning: EngineYandex},
		Source: protocolText + "#lastmoddef", SearchConsole: "Invalid date", Yandex: "Invalid tag value",
		needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if !inXML(e) {
				return
			}
			d, ok := date(e)
			switch {
			case !ok:
				reportDate(e, "rule.lastmod-invalid.found")
			case d.Dialects() == 0 && !lacksZoneOnly(e, d):
				reportDate(e, "rule.lastmod-invalid.almost")
			case d.Dialects() == sitemap.DialectXSD && d.HasZone():
				reportDate(e, "rule.lastmod-invalid.only-schema")
			}
		}},
	{ID: "lastmod-no-zone", Severity: SeverityError, Overlay: Overlay{Warning: EngineBing | EngineYandex},
		Source: dateText, SearchConsole: "Invalid date", needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if d, ok := date(e); ok && inXML(e) && (d.Dialects() != 0 && lacksZone(d) || lacksZoneOnly(e, d)) {
				reportDate(e, "rule.lastmod-no-zone.found")
			}
		}},
	{ID: "lastmod-year-only", Severity: SeverityError, Overlay: Overlay{Warning: search}, Source: urlsetSchema,
		SearchConsole: "Invalid date", needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if d, ok := date(e); ok && d.Precision() < sitemap.PrecisionDay {
				reportDate(e, "rule.lastmod-year-only.found")
			}
		}},
	{ID: "lastmod-no-seconds", Severity: SeverityError, Overlay: Overlay{Info: search}, Source: urlsetSchema,
		needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if d, ok := date(e); ok && inXML(e) && d.Precision() == sitemap.PrecisionMinute {
				reportDate(e, "rule.lastmod-no-seconds.found")
			}
		}},
	{ID: "lastmod-future", Severity: SeverityWarning, Overlay: Overlay{Error: EngineBing}, Source: bingText,
		needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if d, ok := date(e); ok && d.Time().After(e.file.options.Now.Add(leeway(e, d))) {
				reportDate(e, "rule.lastmod-future.found")
			}
		}},
	{ID: "lastmod-ancient", Severity: SeverityWarning, Source: bingText, needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if d, ok := date(e); ok && d.Time().Before(firstWebsite) {
				reportDate(e, "rule.lastmod-ancient.found")
			}
		}},
	{ID: "lastmod-before-site", Severity: SeverityInfo, Source: bingText, needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			since := e.file.options.SiteSince // a day in any zone
			if d, ok := date(e); ok && latest(d).Before(since.Add(-scan.MaxZone)) && !d.Time().Before(firstWebsite) {
				reportDate(e, "rule.lastmod-before-site.found", since.Format(time.DateOnly))
			}
		}},
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

// reportDate reports a breach by the lastmod of the entry. The first argument of the text
// is the date.
func reportDate(e *entryCheck, code string, arguments ...any) {
	arguments = slices.Insert(arguments, 0, any(printable(e.LastMod)))
	e.report("lastmod", 0, string(e.LastMod), newText(code, arguments...))
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
