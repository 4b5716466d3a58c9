package web

import "github.com/mapatools/mapa/internal/app/service"

// A crawlLine is a crawl in a list with those before it that failed for the same reason.
type crawlLine struct {
	service.Crawl
	Times int // how often in a row
}

// crawlLines returns the lines of crawls, the newest first: equal failures of a site in a row
// are one.
func crawlLines(crawls []service.Crawl) (lines []crawlLine) {
	last := map[string]int{} // the line of each site
	for i := range crawls {
		c := &crawls[i]
		at, known := last[c.Site]
		if known && lines[at].IsRepeated(c) {
			lines[at].Times += 1 + c.Repeats
			continue
		}
		last[c.Site] = len(lines)
		lines = append(lines, crawlLine{*c, 1 + c.Repeats})
	}
	return lines
}
