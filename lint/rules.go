package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mapatools/mapa/internal/spelling"
)

// Group is a chapter of the rules.
type Group struct {
	Title string
	Rules []*Rule
}

// groups are all rules, in the order of the documentation. A rule with a check of its own
// has it in its value. checkIndex, checkFileSet and checkLoss check several rules at once,
// and ruleForFault, ruleForError and ruleForMatch return the rule that something else has
// found to be broken.
var groups = []Group{
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
	{"PageMaps and retired extensions", slices.Concat(pageMapRules, retiredExtensionRules)},
	{"Live site: robots.txt", robotsRules},
	{"Live site: pages", slices.Concat(statusRules, contentRules, mediaRules)},
	{"Crawl of the site", crawlRules},
}

// allRules are the rules of all groups.
var allRules = func() (all []*Rule) {
	for _, g := range groups {
		all = append(all, g.Rules...)
	}
	return all
}()

var ruleByID = func() map[string]*Rule {
	rules := map[string]*Rule{}
	for _, r := range allRules {
		rules[r.ID] = r
	}
	return rules
}()

// Groups returns copies of all rules, in the order of the documentation.
func Groups() (copies []Group) {
	for _, g := range groups {
		copies = append(copies, Group{g.Title, cloneRules(g.Rules)})
	}
	return copies
}

// Rules returns copies of the rules of all groups.
func Rules() []*Rule { return cloneRules(allRules) }

func cloneRules(rules []*Rule) (copies []*Rule) {
	for _, r := range rules {
		copies = append(copies, r.clone())
	}
	return copies
}

// LookupRule returns a copy of the rule with an ID. The error for an unknown ID suggests the nearest
// one.
func LookupRule(id string) (*Rule, error) {
	if r := ruleByID[id]; r != nil {
		return r.clone(), nil
	}
	if near := spelling.Nearest(id, slices.Collect(maps.Keys(ruleByID))); near != "" {
		return nil, fmt.Errorf("unknown rule %q: did you mean %s?", id, near)
	}
	return nil, fmt.Errorf("unknown rule %q", id)
}
