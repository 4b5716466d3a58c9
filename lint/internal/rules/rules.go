// Package rules has all rules of the linter. A rule with a check of its own has it
// next to its texts. CheckIndex, CheckSet and CheckLoss check several rules at once,
// and ForFault, ForError and ForMatch return the rule that something else has found
// to be broken.
package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mapatools/mapa/internal/spelling"
	"github.com/mapatools/mapa/lint/internal/rule"
)

// Group is a chapter of the rules.
type Group struct {
	Title string
	Rules []*rule.Rule
}

// Groups are all rules, in the order of the documentation. Nothing changes them.
var Groups = []Group{
	{"Fetching", slices.Concat(transportRules, answerRules)},
	{"File and encoding", slices.Concat(bodyRules, encodingRules)},
	{"XML", slices.Concat(markupRules, namespaceRules, stylesheetRules, structureRules, orderRules)},
	{"URLs", slices.Concat(locRules, scopeRules)},
	{"lastmod, changefreq and priority", slices.Concat(dateRules, frequencyRules)},
	{"Whole sitemap", statisticRules},
	{"Sitemap indexes and sets of sitemaps", slices.Concat(indexRules, childRules, setRules)},
	{"Text sitemaps", textRules},
	{"Feeds", feedRules},
	{"Extensions", extensionRules},
	{"Images", imageRules},
	{"Videos", videoRules},
	{"News", newsRules},
	{"hreflang", hreflangRules},
	{"PageMaps and retired extensions", slices.Concat(pageMapRules, retiredRules)},
	{"Live site: robots.txt", robotsRules},
	{"Live site: pages", slices.Concat(statusRules, contentRules, mediaRules)},
	{"Crawl of the site", crawlRules},
}

// All are the rules of all groups.
var All = func() (all []*rule.Rule) {
	for _, g := range Groups {
		all = append(all, g.Rules...)
	}
	return all
}()

var byID = func() map[string]*rule.Rule {
	rules := map[string]*rule.Rule{}
	for _, r := range All {
		rules[r.ID] = r
	}
	return rules
}()

// Find returns the rule with an ID. The error for an unknown one suggests the
// nearest ID.
func Find(id string) (*rule.Rule, error) {
	if r := byID[id]; r != nil {
		return r, nil
	}
	if near := spelling.Nearest(id, slices.Collect(maps.Keys(byID))); near != "" {
		return nil, fmt.Errorf("unknown rule %q: did you mean %s?", id, near)
	}
	return nil, fmt.Errorf("unknown rule %q", id)
}
