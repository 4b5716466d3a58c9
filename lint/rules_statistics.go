package lint

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// minPages is the number of pages up to which equal values mean nothing.
const minPages = 10

// statisticRules are about the values of all entries of a file.
var statisticRules = []*Rule{
	{ID: "near-limit", Severity: SeverityInfo, Source: protocolText + "#index",
		checkFile: func(f *fileCheck) {
			size := f.Reader().Inspect().Size()
			switch {
			case f.statistics.entries > maxEntries/10*9 && f.statistics.entries <= maxEntries:
				f.report(newText("rule.near-limit.entries", f.statistics.entries, maxEntries))
			case size > maxBytes/10*9 && size <= maxBytes:
				f.report(newText("rule.near-limit.bytes", int(size), maxBytes))
			}
		}},
	{ID: "lastmod-all-equal", Severity: SeverityWarning, Source: bingText,
		checkFile: func(f *fileCheck) {
			if s := &f.statistics; s.equalDates > minPages && s.equalDates == s.pages {
				f.report(newText("rule.lastmod-all-equal.found", s.pages, printable(s.firstDate)))
			}
		}},
	{ID: "lastmod-looks-generated", Severity: SeverityInfo, Source: bingText,
		checkFile: func(f *fileCheck) {
			s := &f.statistics
			if s.dated > minPages && s.dated == s.pages && s.equalDates < s.dated && s.traits&scan.UnusualLastMod == 0 &&
				s.newest-s.oldest < 600 {
				f.report(newText("rule.lastmod-looks-generated.found", s.dated,
					(time.Duration(s.newest-s.oldest) * time.Second).String()))
			}
		}},
	{ID: "lastmod-sparse", Severity: SeverityInfo, Source: bingText,
		checkFile: func(f *fileCheck) {
			if s := &f.statistics; s.pages > minPages && s.dated > 0 && s.dated < s.pages/2 {
				f.report(newText("rule.lastmod-sparse.found", s.dated, s.pages))
			}
		}},
	{ID: "all-priority-equal", Severity: SeverityInfo, Source: protocolText + "#prioritydef",
		checkFile: func(f *fileCheck) {
			if s := &f.statistics; s.equalPriorities > minPages && s.equalPriorities == s.pages {
				f.report(newText("rule.all-priority-equal.found", s.pages, printable(s.firstPriority)))
			}
		}},
	{ID: "changefreq-ignored", Severity: SeverityInfo, Engines: EngineGoogle | EngineBing, Source: googleText,
		checkFile: func(f *fileCheck) {
			if n := f.statistics.withChangeFreq; n > 0 {
				f.report(newText("rule.changefreq-ignored.found", n, f.statistics.pages))
			}
		}},
	{ID: "priority-ignored", Severity: SeverityInfo, Engines: EngineGoogle | EngineBing, Source: googleText,
		checkFile: func(f *fileCheck) {
			if n := f.statistics.withPriority; n > 0 {
				f.report(newText("rule.priority-ignored.found", n, f.statistics.pages))
			}
		}},
}

const (
	maxEntries = sitemap.MaxURLs
	maxBytes   = sitemap.MaxBytes
)
