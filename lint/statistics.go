package lint

import (
	"bytes"
	"fmt"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A statistic counts what can be judged only of a whole file.
type statistic struct {
	pages     int
	dated     int
	equal     int // dates that are the first one
	first     []byte
	oldest    int64
	newest    int64
	frequent  int // pages with a changefreq
	ranked    int // pages with a priority
	rankEqual int // priorities that are the first one
	rank      []byte
	traits    traits // of all entries together
}

// count takes the entry at hand.
func (s *statistic) count(v *visit) {
	e := v.entry
	if e.IsSitemap() {
		return
	}
	s.pages++
	s.traits |= v.traits
	if e.LastMod != nil {
		if s.dated == 0 {
			s.first = bytes.Clone(e.LastMod)
		}
		if s.equal == s.dated && bytes.Equal(e.LastMod, s.first) {
			s.equal++
		}
		if v.traits&needsLastMod == 0 {
			s.between(v.glancer.seconds)
		}
		s.dated++
	}
	if e.ChangeFreq != nil {
		s.frequent++
	}
	if e.Priority != nil {
		if s.ranked == 0 {
			s.rank = bytes.Clone(e.Priority)
		}
		if s.rankEqual == s.ranked && bytes.Equal(e.Priority, s.rank) {
			s.rankEqual++
		}
		s.ranked++
	}
}

func (s *statistic) between(seconds int64) {
	if s.newest == 0 {
		s.oldest, s.newest = seconds, seconds
	}
	s.oldest, s.newest = min(s.oldest, seconds), max(s.newest, seconds)
}

// enough is how many pages it takes before their sameness means anything.
const enough = 10

// statisticRules are about the values of a file as a whole.
var statisticRules = []*Rule{
	nearLimit, lastModAllEqual, lastModGenerated, lastModSparse, allPriorityEqual, changeFreqIgnored, priorityIgnored,
}

const (
	mostEntries = sitemap.MaxURLs
	mostBytes   = sitemap.MaxBytes
)

var nearLimit = &Rule{
	ID:       "near-limit",
	Title:    "sitemap is close to a limit",
	Why:      "A sitemap may have at most 50,000 entries and 52,428,800 bytes. Search engines reject the whole file if it exceeds either limit.",
	Cure:     "Split the file before it grows further.",
	Severity: SeverityInfo,
	Source:   protocolText + "#index",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 45001 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     goodSitemap,
	finish: func(e *fileEnd) {
		size := e.file.Reader().Inspect().Size()
		switch {
		case e.entries > mostEntries/10*9 && e.entries <= mostEntries:
			e.report(fmt.Sprintf("%s entries of at most %s", grouped(e.entries), grouped(mostEntries)))
		case size > mostBytes/10*9 && size <= mostBytes:
			e.report(fmt.Sprintf("%s bytes of at most %s", grouped(int(size)), grouped(mostBytes)))
		}
	},
}

// dates is an example of eleven pages with these dates, one after the other.
func dates(lastMods ...string) string {
	entries := ""
	for i := range enough + 1 {
		entries += page(fmt.Sprintf("https://example.com/%d", i), "<lastmod>"+lastMods[i%len(lastMods)]+"</lastmod>")
	}
	return urlset(entries)
}

var lastModAllEqual = &Rule{
	ID:       "lastmod-all-equal",
	Title:    "all pages have the same lastmod",
	Why:      "Pages do not all change at the same time: the date is that of the sitemap or of a release. Bing and Google ignore dates that they find to be wrong.",
	Cure:     "Write when the content of each page last changed, or leave lastmod out.",
	Severity: SeverityWarning,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	finish: func(e *fileEnd) {
		if s := &e.statistic; s.equal > enough && s.equal == s.pages {
			e.report(fmt.Sprintf("all %s pages have the lastmod %s", grouped(s.pages), printable(s.first)))
		}
	},
}

var lastModGenerated = &Rule{
	ID:       "lastmod-looks-generated",
	Title:    "all pages changed within minutes",
	Why:      "The dates appear to be those of the sitemap generator's run. Search engines ignore dates that they find to be wrong.",
	Cure:     "Write when the content of each page last changed, or leave lastmod out.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      dates("2024-01-08T09:30:00Z", "2024-01-08T09:30:01Z"),
	Good:     dates("2024-01-08T09:30:00Z", "2023-05-01T10:00:00Z"),
	finish: func(e *fileEnd) {
		s := &e.statistic
		if s.dated > enough && s.dated == s.pages && s.equal < s.dated && s.traits&needsLastMod == 0 && s.newest-s.oldest < 600 {
			e.report(fmt.Sprintf("all %s dates are within %v", grouped(s.dated), time.Duration(s.newest-s.oldest)*time.Second))
		}
	},
}

var lastModSparse = &Rule{
	ID:       "lastmod-sparse",
	Title:    "most pages have no lastmod",
	Why:      "Bing and Google schedule their visits by lastmod. For pages without one they have to guess.",
	Cure:     "Add lastmod to every page if you know when it last changed.",
	Severity: SeverityInfo,
	Source:   bingText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") + `{{repeat 10 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     dates("2024-01-08", "2023-05-01"),
	finish: func(e *fileEnd) {
		if s := &e.statistic; s.pages > enough && s.dated > 0 && s.dated < s.pages/2 {
			e.report(fmt.Sprintf("only %s of %s pages have a lastmod", grouped(s.dated), grouped(s.pages)))
		}
	},
}

var allPriorityEqual = &Rule{
	ID:       "all-priority-equal",
	Title:    "all pages have the same priority",
	Why:      "Priorities compare the pages of one site with each other. Equal priorities carry no information.",
	Cure:     "Leave priority out, or raise it for the few pages that matter most.",
	Severity: SeverityInfo,
	Source:   protocolText + "#prioritydef",
	Since:    "0.1",
	Bad:      urlset(`{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	Good:     urlset(page("https://example.com/", "<priority>1.0</priority>") + `{{repeat 11 "<url><loc>https://example.com/{{n}}</loc><priority>0.8</priority></url>"}}`),
	finish: func(e *fileEnd) {
		if s := &e.statistic; s.rankEqual > enough && s.rankEqual == s.pages {
			e.report(fmt.Sprintf("all %s pages have the priority %s", grouped(s.pages), printable(s.rank)))
		}
	},
}

var changeFreqIgnored = &Rule{
	ID:       "changefreq-ignored",
	Title:    "changefreq is ignored",
	Why:      "Google and Bing do not use changefreq. It only makes the file larger.",
	Cure:     "Leave it out unless you need it for another search engine, and keep lastmod accurate.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle | EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<changefreq>daily</changefreq>")),
	Good:     goodSitemap,
	finish: func(e *fileEnd) {
		if n := e.statistic.frequent; n > 0 {
			e.report(fmt.Sprintf("%s of %s pages have a changefreq, which is ignored", grouped(n), grouped(e.statistic.pages)))
		}
	},
}

var priorityIgnored = &Rule{
	ID:       "priority-ignored",
	Title:    "priority is ignored",
	Why:      "Google and Bing do not use priority. It only makes the file larger.",
	Cure:     "Leave it out unless you need it for another search engine: Yandex orders its visits by it.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle | EngineBing,
	Source:   googleText,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/", "<priority>0.8</priority>")),
	Good:     goodSitemap,
	finish: func(e *fileEnd) {
		if n := e.statistic.ranked; n > 0 {
			e.report(fmt.Sprintf("%s of %s pages have a priority, which is ignored", grouped(n), grouped(e.statistic.pages)))
		}
	},
}
