package insight

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// judgeRedirects applies the rules to the redirects that pages link to.
func (j *judge) judgeRedirects() error {
	internal, chain := j.rules.rule("redirect-internal"), j.rules.rule("redirect-chain")
	loop := j.rules.rule("redirect-loop")
	if j.end.Documents {
		internal, chain = nil, nil // each link has a finding of its own
	}
	for id := crawl.ID(1); id <= j.urls.last; id++ {
		if !j.urls.hasAny(id, isRedirect|isLoop) || j.counts.linked[id] == 0 {
			continue
		}
		pages := int(j.counts.linked[id])
		report := func(r *chosenRule, severity lint.Severity, end crawl.ID, arguments ...any) {
			j.emitFinding(r, &Finding{Severity: severity, Page: id, Other: end, Position: j.counts.redirects[id],
				Count: pages, Arguments: arguments})
		}
		from, err := j.crawled.Link(j.counts.first[id])
		if err != nil {
			return err
		}
		end, steps := j.urls.follow(id)
		if j.urls.has(id, isLoop) || j.urls.has(end, isLoop) || end == 0 && steps > maxSteps {
			if loop != nil {
				report(loop, loop.Severity, id, from.URL)
			}
			continue
		}
		if internal != nil && !j.urls.has(id, isExternal) {
			report(internal, internal.Severity, end, pages, from.URL)
		}
		if chain != nil {
			if severity, _ := chain.beyond(steps); severity != lint.SeverityOff {
				report(chain, severity, end, steps, from.URL)
			}
		}
	}
	return j.failed
}
