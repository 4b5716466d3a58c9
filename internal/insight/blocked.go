package insight

import "github.com/mapatools/mapa/crawl"

// maxBlocked is how many pages that robots.txt forbids are looked up in the crawl before.
const maxBlocked = 100_000

// judgeBlocked reports pages that robots.txt forbids and that were noindex in the crawl before:
// search engines do not see that any more.
func (j *judge) judgeBlocked() error {
	rule := j.rules.rule("noindex-blocked")
	if rule == nil || j.end.Previous == nil {
		return nil
	}
	looked := 0
	for id := crawl.ID(1); id <= j.urls.last && looked < maxBlocked; id++ {
		if !j.urls.has(id, isBlocked) {
			continue
		}
		looked++
		page, _, err := j.crawled.Page(id)
		if err != nil {
			return err
		}
		before, known, err := j.end.Previous.PageByURL(page.Link.URL)
		if err != nil {
			return err
		}
		if known && before.Reason() == crawl.ReasonNoIndex {
			j.report(rule, rule.Severity, id, 0, 1, WhyOf(&page))
		}
	}
	return j.failed
}
