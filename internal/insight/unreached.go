package insight

import "cmp"

// ruleUnreached is the rule of a folder with many pages that the crawl did not reach.
const ruleUnreached = "site-unreached"

// minUnreached is how many pages of a folder are many where fewer than the listed ones are not reached.
const minUnreached = 10

// unreached reports a folder most of whose pages, or a fifth, no link from the start page reaches. Where the
// pages lead to another site, that is why. A site that cannot be used has this cause first.
func (j *judge) unreached() (*cause, error) {
	t, n := &j.totals, j.end.Unreached
	if n <= t.Listed && (n < minUnreached || n*5 < t.Listed+n) {
		return nil, nil
	}
	other, err := j.otherHost()
	if other != nil || err != nil {
		return nil, err
	}
	one := &cause{
		rule: ruleUnreached, unusable: t.Listed == 0, action: ActionListOrphans, arguments: Arguments{t.Listed, t.Listed + n},
	}
	start, failed := j.startFault()
	script, err := j.script()
	for _, worse := range []*cause{start, script} {
		one.unusable = one.unusable || worse != nil && worse.unusable
	}
	if t.rendered == 0 && (script != nil || j.end.ScriptMenu) {
		one.action = ActionRenderMenu
	}
	if j.end.CleanOrphans >= minCleanURLs {
		one.action = ActionCleanURLs
	}
	return one, cmp.Or(failed, err)
}
