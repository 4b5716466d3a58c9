package lint

import (
	"fmt"
	"strings"
)

// Engines is a set of rule sets: the protocol's own, and what search engines add
// to it in their documentation. The zero value stands for SitemapsOrg.
type Engines uint8

const (
	SitemapsOrg Engines = 1 << iota // https://www.sitemaps.org/protocol.html and its schemas
	Google                          // https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview
	Bing                            // https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed
	Yandex                          // https://yandex.com/support/webmaster/en/indexing-options/sitemap
	AllEngines  = SitemapsOrg | Google | Bing | Yandex
)

var engineNames = []struct {
	name    string
	engines Engines
}{{"sitemaps.org", SitemapsOrg}, {"google", Google}, {"bing", Bing}, {"yandex", Yandex}, {"all", AllEngines}}

// ParseEngine returns the rule set of a name: sitemaps.org, google, bing, yandex
// or all.
func ParseEngine(name string) (Engines, error) {
	for _, e := range engineNames {
		if e.name == name {
			return e.engines, nil
		}
	}
	return 0, fmt.Errorf("engine is sitemaps.org, google, bing, yandex or all, not %q", name)
}

// String returns the names of the set, joined by commas.
func (e Engines) String() string {
	if e == AllEngines {
		return "all"
	}
	var names []string
	for _, each := range engineNames {
		if each.engines != AllEngines && e&each.engines != 0 {
			names = append(names, each.name)
		}
	}
	return strings.Join(names, ",")
}
