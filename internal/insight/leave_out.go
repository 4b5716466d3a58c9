package insight

import (
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// leaveOut leaves out the rules that this crawl says nothing about, so that none of them counts as
// passed.
func (j *judge) leaveOut() error {
	t, end := &j.totals, j.end
	var ids []string
	leave := func(unknown bool, rules ...string) {
		if unknown {
			ids = append(ids, rules...)
		}
	}
	onlySeeds := j.crawled.Meta().OnlySeeds
	// Nobody knows all links to a page.
	leave(t.Waiting+t.Beyond > 0 || onlySeeds, "orphan", "single-inlink", "nofollow-only")
	leave(onlySeeds, "deep-page", "site-sitemap-broken", "site-sitemap-unnamed")
	leave(end.Agents.Robots == nil, ruleAIRobots)
	leave(end.Agents.Refused == nil, ruleEngineRefused)
	// Documents have links that only a site has, which no request tells.
	leave(len(t.others) > 0 && !t.askedOthers && !end.Documents, "link-inconclusive")
	// No second look was taken.
	leave(end.Cut || end.Limit == crawl.LimitTime || end.Limit == crawl.LimitBytes, "soft-404-text", "http-page")
	leave(end.Folder || end.BaseURL || !t.hasHTTP, "http-page") // no host was asked for https
	leave(end.Folder, "slow-response")                          // no server has answered
	leave(!end.Folder || onlySeeds, ruleUnreached)              // nobody knows which pages there are
	leave(true, figureRules...)                                 // they are applied when there are figures
	leave(t.rendered+t.unrendered == 0, "rendered-differs", "render-inconclusive")
	for id, rule := range j.rules.byID {
		isKnown := func(h *hostAnswers) bool { return h.answers(id) }
		isUnknown := end.Folder || end.BaseURL || !slices.ContainsFunc(j.hosts.hosts, isKnown)
		leave(rule.Subject == lint.SubjectHost && isUnknown, id)
	}
	j.rules = j.rules.without(ids)
	return nil
}
