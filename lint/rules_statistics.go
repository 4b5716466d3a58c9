package lint

import (
	"fmt"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// minPages is the number of pages up to which equal values mean nothing.
const minPages = 10

// statisticRules are about the values of all entries of a file.
var statisticRules = []*Rule{
	nearLimit, lastModAllEqual, lastModGenerated, lastModSparse, allPriorityEqual, changeFreqIgnored, priorityIgnored,
}

const (
	maxEntries = sitemap.MaxURLs
	maxBytes   = sitemap.MaxBytes
)

var nearLimit = &Rule{
	ID:       "near-limit",
	Title:    "sitemap is close to a limit",
	Why:      "A sitemap may have at most 50,000 entries and 52,428,800 bytes. Search engines reject the whole file if it exceeds either limit.",
	Fix:      "Split the file before it grows further.",
	Severity: SeverityInfo,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 45001 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     goodSitemap,
	checkFile: func(f *fileCheck) {
		size := f.Reader().Inspect().Size()
		switch {
		case f.statistics.entries > maxEntries/10*9 && f.statistics.entries <= maxEntries:
			f.report(fmt.Sprintf("%s entries of at most %s", number(f.statistics.entries), number(maxEntries)))
		case size > maxBytes/10*9 && size <= maxBytes:
			f.report(fmt.Sprintf("%s bytes of at most %s", number(int(size)), number(maxBytes)))
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

var lastModAllEqual = &Rule{
	ID:       "lastmod-all-equal",
	Title:    "all pages have the same lastmod",
	Why:      "Pages do not all change at the same time: the date is that of the sitemap or of a release. Bing and Google ignore dates that they find to be wrong.",
	Fix:      "Write when the content of each page last changed, or leave lastmod out.",
	Severity: SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	checkFile: func(f *fileCheck) {
		if s := &f.statistics; s.equalDates > minPages && s.equalDates == s.pages {
			f.report(fmt.Sprintf("all %s pages have the lastmod %s", number(s.pages), printable(s.firstDate)))
		}
	},
}

var lastModGenerated = &Rule{
	ID:       "lastmod-looks-generated",
	Title:    "all pages changed within minutes",
	Why:      "The dates appear to be those of the sitemap generator's run. Search engines ignore dates that they find to be wrong.",
	Fix:      "Write when the content of each page last changed, or leave lastmod out.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z", "2024-01-08T09:30:01Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	checkFile: func(f *fileCheck) {
		s := &f.statistics
		if s.dated > minPages && s.dated == s.pages && s.equalDates < s.dated && s.traits&scan.UnusualLastMod == 0 &&
			s.newest-s.oldest < 600 {
			f.report(fmt.Sprintf("all %s dates are within %v", number(s.dated),
				time.Duration(s.newest-s.oldest)*time.Second))
		}
	},
}

var lastModSparse = &Rule{
	ID:       "lastmod-sparse",
	Title:    "most pages have no lastmod",
	Why:      "Bing and Google schedule their visits by lastmod. For pages without one they have to guess.",
	Fix:      "Add lastmod to every page if you know when it last changed.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		`{{repeat 10 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good: dates("2024-01-08", "2023-05-01"),
	checkFile: func(f *fileCheck) {
		if s := &f.statistics; s.pages > minPages && s.dated > 0 && s.dated < s.pages/2 {
			f.report(fmt.Sprintf("only %s of %s pages have a lastmod", number(s.dated), number(s.pages)))
		}
	},
}

var allPriorityEqual = &Rule{
	ID:       "all-priority-equal",
	Title:    "all pages have the same priority",
	Why:      "Priorities compare the pages of one site with each other. Equal priorities carry no information.",
	Fix:      "Leave priority out, or raise it for the few pages that matter most.",
	Severity: SeverityInfo,
	Source:   protocolText + "#prioritydef",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	Good: urlset(page("https://example.com/", "<priority>1.0</priority>") +
		`{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	checkFile: func(f *fileCheck) {
		if s := &f.statistics; s.equalPriorities > minPages && s.equalPriorities == s.pages {
			f.report(fmt.Sprintf("all %s pages have the priority %s", number(s.pages), printable(s.firstPriority)))
		}
	},
}

var changeFreqIgnored = &Rule{
	ID:       "changefreq-ignored",
	Title:    "changefreq is ignored",
	Why:      "Google and Bing do not use changefreq. It only makes the file larger.",
	Fix:      "Leave it out unless you need it for another search engine, and keep lastmod accurate.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle | EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<changefreq>daily</changefreq>")),
	Good:     goodSitemap,
	checkFile: func(f *fileCheck) {
		if n := f.statistics.withChangeFreq; n > 0 {
			f.report(fmt.Sprintf("%s of %s pages have a changefreq, which is ignored", number(n),
				number(f.statistics.pages)))
		}
	},
}

var priorityIgnored = &Rule{
	ID:       "priority-ignored",
	Title:    "priority is ignored",
	Why:      "Google and Bing do not use priority. It only makes the file larger.",
	Fix:      "Leave it out unless you need it for another search engine: Yandex orders its visits by it.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle | EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<priority>0.8</priority>")),
	Good:     goodSitemap,
	checkFile: func(f *fileCheck) {
		if n := f.statistics.withPriority; n > 0 {
			f.report(fmt.Sprintf("%s of %s pages have a priority, which is ignored", number(n),
				number(f.statistics.pages)))
		}
	},
}
