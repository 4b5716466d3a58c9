package rules

import (
	"fmt"
	"time"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// minPages is the number of pages up to which equal values mean nothing.
const minPages = 10

// statisticRules are about the values of all entries of a file.
var statisticRules = []*rule.Rule{
	nearLimit, lastModAllEqual, lastModGenerated, lastModSparse, allPriorityEqual, changeFreqIgnored, priorityIgnored,
}

const (
	maxEntries = sitemap.MaxURLs
	maxBytes   = sitemap.MaxBytes
)

var nearLimit = &rule.Rule{
	ID:       "near-limit",
	Title:    "sitemap is close to a limit",
	Why:      "A sitemap may have at most 50,000 entries and 52,428,800 bytes. Search engines reject the whole file if it exceeds either limit.",
	Cure:     "Split the file before it grows further.",
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 45001 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     goodSitemap,
	CheckFile: func(f *rule.File) {
		size := f.Reader().Inspect().Size()
		switch {
		case f.Statistics.Entries > maxEntries/10*9 && f.Statistics.Entries <= maxEntries:
			f.Report(fmt.Sprintf("%s entries of at most %s", display.Number(f.Statistics.Entries), display.Number(maxEntries)))
		case size > maxBytes/10*9 && size <= maxBytes:
			f.Report(fmt.Sprintf("%s bytes of at most %s", display.Number(int(size)), display.Number(maxBytes)))
		}
	},
}

// dates is an example of eleven pages with dates, in turn.
func dates(lastMods ...string) string {
	entries := ""
	for i := range minPages + 1 {
		entries += page(fmt.Sprintf("https://example.com/%d", i), "<lastmod>"+lastMods[i%len(lastMods)]+"</lastmod>")
	}
	return urlset(entries)
}

var lastModAllEqual = &rule.Rule{
	ID:       "lastmod-all-equal",
	Title:    "all pages have the same lastmod",
	Why:      "Pages do not all change at the same time: the date is that of the sitemap or of a release. Bing and Google ignore dates that they find to be wrong.",
	Cure:     "Write when the content of each page last changed, or leave lastmod out.",
	Severity: rule.SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	CheckFile: func(f *rule.File) {
		if s := &f.Statistics; s.EqualDates > minPages && s.EqualDates == s.Pages {
			f.Report(fmt.Sprintf("all %s pages have the lastmod %s", display.Number(s.Pages), display.Text(s.FirstDate)))
		}
	},
}

var lastModGenerated = &rule.Rule{
	ID:       "lastmod-looks-generated",
	Title:    "all pages changed within minutes",
	Why:      "The dates appear to be those of the sitemap generator's run. Search engines ignore dates that they find to be wrong.",
	Cure:     "Write when the content of each page last changed, or leave lastmod out.",
	Severity: rule.SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z", "2024-01-08T09:30:01Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	CheckFile: func(f *rule.File) {
		s := &f.Statistics
		if s.Dated > minPages && s.Dated == s.Pages && s.EqualDates < s.Dated && s.Traits&scan.UnusualLastMod == 0 &&
			s.Newest-s.Oldest < 600 {
			f.Report(fmt.Sprintf("all %s dates are within %v", display.Number(s.Dated),
				time.Duration(s.Newest-s.Oldest)*time.Second))
		}
	},
}

var lastModSparse = &rule.Rule{
	ID:       "lastmod-sparse",
	Title:    "most pages have no lastmod",
	Why:      "Bing and Google schedule their visits by lastmod. For pages without one they have to guess.",
	Cure:     "Add lastmod to every page if you know when it last changed.",
	Severity: rule.SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		`{{repeat 10 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good: dates("2024-01-08", "2023-05-01"),
	CheckFile: func(f *rule.File) {
		if s := &f.Statistics; s.Pages > minPages && s.Dated > 0 && s.Dated < s.Pages/2 {
			f.Report(fmt.Sprintf("only %s of %s pages have a lastmod", display.Number(s.Dated), display.Number(s.Pages)))
		}
	},
}

var allPriorityEqual = &rule.Rule{
	ID:       "all-priority-equal",
	Title:    "all pages have the same priority",
	Why:      "Priorities compare the pages of one site with each other. Equal priorities carry no information.",
	Cure:     "Leave priority out, or raise it for the few pages that matter most.",
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#prioritydef",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	Good: urlset(page("https://example.com/", "<priority>1.0</priority>") +
		`{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	CheckFile: func(f *rule.File) {
		if s := &f.Statistics; s.EqualPriorities > minPages && s.EqualPriorities == s.Pages {
			f.Report(fmt.Sprintf("all %s pages have the priority %s", display.Number(s.Pages), display.Text(s.FirstPriority)))
		}
	},
}

var changeFreqIgnored = &rule.Rule{
	ID:       "changefreq-ignored",
	Title:    "changefreq is ignored",
	Why:      "Google and Bing do not use changefreq. It only makes the file larger.",
	Cure:     "Leave it out unless you need it for another search engine, and keep lastmod accurate.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle | rule.EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<changefreq>daily</changefreq>")),
	Good:     goodSitemap,
	CheckFile: func(f *rule.File) {
		if n := f.Statistics.WithChangeFreq; n > 0 {
			f.Report(fmt.Sprintf("%s of %s pages have a changefreq, which is ignored", display.Number(n),
				display.Number(f.Statistics.Pages)))
		}
	},
}

var priorityIgnored = &rule.Rule{
	ID:       "priority-ignored",
	Title:    "priority is ignored",
	Why:      "Google and Bing do not use priority. It only makes the file larger.",
	Cure:     "Leave it out unless you need it for another search engine: Yandex orders its visits by it.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle | rule.EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<priority>0.8</priority>")),
	Good:     goodSitemap,
	CheckFile: func(f *rule.File) {
		if n := f.Statistics.WithPriority; n > 0 {
			f.Report(fmt.Sprintf("%s of %s pages have a priority, which is ignored", display.Number(n),
				display.Number(f.Statistics.Pages)))
		}
	},
}
