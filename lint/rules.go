package lint

import (
	"fmt"
	"slices"

	"github.com/mapatools/mapa/internal/spelling"
)

// Group is a chapter of the rules.
type Group struct {
	Title string
	Rules []*Rule
}

// groups are all rules over sitemaps, in the order of the documentation. A rule with a check of its own
// has it in its value. checkIndex, checkFileSet and checkLoss check several rules at once,
// and ruleForFault, ruleForError and ruleForMatch return the rule that something else has
// found to be broken.
var groups = []Group{
	{"Fetching", slices.Concat(transportRules, answerRules)},
	{"File and encoding", slices.Concat(bodyRules, encodingRules)},
	{"XML", slices.Concat(markupRules, namespaceRules, stylesheetRules, structureRules, orderRules)},
	{"URLs", slices.Concat(locRules, locEscapeRules, locUsualRules, scopeRules)},
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
var allRules = rulesOf(groups)

func rulesOf(groups []Group) (all []*Rule) {
	for _, g := range groups {
		all = append(all, g.Rules...)
	}
	return all
}

// Groups returns copies of all rules over sitemaps, in the order of the documentation.
func Groups() []Group { return cloneGroups(groups) }

// Rules returns copies of the rules of Groups.
func Rules() []*Rule { return cloneRules(allRules) }

func cloneGroups(groups []Group) (copies []Group) {
	for _, g := range groups {
		copies = append(copies, Group{g.Title, cloneRules(g.Rules)})
	}
	return copies
}

func cloneRules(rules []*Rule) (copies []*Rule) {
	for _, r := range rules {
		copies = append(copies, r.clone())
	}
	return copies
}

// ruleByID are the rules over sitemaps and crawled pages.
var ruleByID = func() map[string]*Rule {
	rules := map[string]*Rule{}
	for _, r := range slices.Concat(allRules, allPageRules) {
		rules[r.ID] = r
	}
	return rules
}()

// LookupRule returns a copy of the rule with an ID, over sitemaps or crawled pages. The error
// for an unknown ID suggests the nearest one.
func LookupRule(id string) (*Rule, error) {
	return lookupRule(id, slices.Concat(allRules, allPageRules), "")
}

// LookupSitemapRule returns a copy of the rule over sitemaps with an ID, as LookupRule does.
// For a rule over crawled pages, the error says so.
func LookupSitemapRule(id string) (*Rule, error) {
	return lookupRule(id, allRules, "judges crawled pages: mapa crawl")
}

// LookupPageRule returns a copy of the rule over crawled pages with an ID, as LookupRule
// does. For a rule over sitemaps, the error says so.
func LookupPageRule(id string) (*Rule, error) {
	return lookupRule(id, allPageRules, "judges sitemaps: mapa lint")
}

// lookupRule returns a copy of the rule with an ID among rules. The error for a rule that is
// not among them ends in what it is instead.
func lookupRule(id string, rules []*Rule, instead string) (*Rule, error) {
	if r := ruleByID[id]; slices.Contains(rules, r) {
		return r.clone(), nil
	} else if r != nil {
		return nil, fmt.Errorf("%s %s", id, instead)
	}
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	if near := spelling.Nearest(id, ids); near != "" {
		return nil, fmt.Errorf("unknown rule %q: did you mean %s?", id, near)
	}
	return nil, fmt.Errorf("unknown rule %q", id)
}
