package lint

import (
	"fmt"
	"strings"
)

// Engines is a set of rule sets: the protocol's own, and what search engines add
// to it in their documentation. The zero value stands for SitemapsOrg.
type Engines uint8

const (
	EngineSitemapsOrg Engines = 1 << iota // https://www.sitemaps.org/protocol.html and its schemas
	EngineGoogle                          // https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview
	EngineBing                            // https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed
	EngineYandex                          // https://yandex.com/support/webmaster/en/indexing-options/sitemap
	EngineAll         = EngineSitemapsOrg | EngineGoogle | EngineBing | EngineYandex
)

var engineNames = []struct {
	name    string
	engines Engines
}{{"sitemaps.org", EngineSitemapsOrg}, {"google", EngineGoogle}, {"bing", EngineBing}, {"yandex", EngineYandex}, {"all", EngineAll}}

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
	if e == EngineAll {
		return "all"
	}
	var names []string
	for _, each := range engineNames {
		if each.engines != EngineAll && e&each.engines != 0 {
			names = append(names, each.name)
		}
	}
	return strings.Join(names, ",")
}
