package insight

import (
	"cmp"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// judgeCanonicals applies the rules to the canonical URLs that pages name.
func (j *judge) judgeCanonicals() error {
	for _, one := range j.urls.targets { // also of the header
		if j.urls.has(one.from, isCanonical) {
			j.counts.canonicals = append(j.counts.canonicals, one)
		}
	}
	all := j.counts.canonicals
	slices.SortFunc(all, func(a, b target) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	all = slices.Compact(all)
	broken, chain := j.rules.rule("canonical-broken"), j.rules.rule("canonical-chain")
	for _, one := range all {
		if !j.urls.has(one.from, isDocument) {
			continue
		}
		if why, is := j.canonicalFault(one); is {
			if broken != nil {
				j.report(broken, broken.Severity, one.from, one.to, 1, why)
			}
			continue
		}
		if steps := j.canonicalSteps(one); chain != nil && steps > 1 {
			j.report(chain, chain.Severity, one.from, one.to, 1, steps)
		}
	}
	j.counts.canonicals = nil
	return j.failed
}

// canonicalFault returns why a URL cannot be the canonical one of a page.
func (j *judge) canonicalFault(one target) (why Why, is bool) {
	switch {
	case j.urls.hasAny(one.to, isBroken|isInconclusive):
		return j.urls.failures[one.to], true
	case j.urls.has(one.to, isBlocked):
		return Why{Detail: crawl.Detail("decision." + crawl.ReasonRobots)}, true
	case j.urls.has(one.to, isNoIndex):
		return Why{Detail: crawl.Detail("decision." + crawl.ReasonNoIndex)}, true
	case j.urls.has(one.to, isRedirect):
		end, _ := j.urls.follow(one.to)
		return Why{Detail: "redirects"}, end != one.from
	}
	return Why{}, false
}

// canonicalSteps returns how many canonical URLs follow each other.
func (j *judge) canonicalSteps(one target) (steps int) {
	for at := one.from; steps < maxSteps; steps++ {
		next := j.urls.target(at)
		if at == one.from {
			next = one.to
		}
		if steps > 0 && !j.urls.has(at, isCanonical) || next == 0 {
			break
		}
		at = next
	}
	return steps
}
