package insight

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// leaveOut leaves out the rules that this crawl says nothing about, so that none of them counts as
// passed.
func (j *judge) leaveOut() error {
	var ids []string
	if j.totals.Waiting > 0 { // nobody knows all links to a page
		ids = append(ids, "orphan", "single-inlink", "nofollow-only")
	}
	if len(j.totals.others) > 0 && !j.totals.askedOthers {
		ids = append(ids, "link-inconclusive")
	}
	if j.end.Cut || j.end.Limit != crawl.LimitNone && j.end.Limit != crawl.LimitPages { // no second look was taken
		ids = append(ids, "soft-404-text", "http-page")
	}
	if !j.end.Folder { // nobody knows which pages there are
		ids = append(ids, ruleUnreached)
	} else { // no server has answered
		ids = append(ids, "slow-response", "http-page")
		for id, rule := range j.rules.byID {
			if rule.Subject == lint.SubjectHost {
				ids = append(ids, id)
			}
		}
	}
	j.rules = j.rules.without(ids)
	return nil
}
