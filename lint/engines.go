package lint

import (
	"fmt"
	"strings"
)

// Engines is a set of rule sets: the protocol's own, and what search engines add
// to it in their documentation. The zero value means EngineSitemapsOrg.
type Engines uint8

// The rule sets, each with the document that it follows.
const (
	EngineSitemapsOrg Engines = 1 << iota // https://www.sitemaps.org/protocol.html and its schemas
	EngineGoogle                          // https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview
	EngineBing                            // https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed
	EngineYandex                          // https://yandex.com/support/webmaster/en/indexing-options/sitemap
	// The schemas of sitemaps.org and of Google's extensions, as strict validators
	// apply them. No search engine does, so EngineAll does not include it.
	EngineSchema // https://www.sitemaps.org/protocol.html#validating

	EngineAll = EngineSitemapsOrg | EngineGoogle | EngineBing | EngineYandex
)

var engineNames = []struct {
	name    string
	engines Engines
}{
	{"sitemaps.org", EngineSitemapsOrg}, {"google", EngineGoogle}, {"bing", EngineBing}, {"yandex", EngineYandex},
	{"schema", EngineSchema}, {"all", EngineAll},
}

// RuleSets returns each rule set, in the order of tables.
func RuleSets() []Engines {
	return []Engines{EngineSitemapsOrg, EngineGoogle, EngineBing, EngineYandex, EngineSchema}
}

// ParseEngine returns the rule set with a name: sitemaps.org, google, bing, yandex,
// schema, or all, which is the first four.
func ParseEngine(name string) (Engines, error) {
	for _, e := range engineNames {
		if e.name == name {
			return e.engines, nil
		}
	}
	return 0, fmt.Errorf("engine is sitemaps.org, google, bing, yandex, schema or all, not %q", name)
}

// String returns the names of the set, joined by commas.
func (e Engines) String() string {
	var names []string
	if e&EngineAll == EngineAll {
		names, e = append(names, "all"), e&^EngineAll
	}
	for _, each := range engineNames {
		if each.engines != EngineAll && e&each.engines != 0 {
			names = append(names, each.name)
		}
	}
	return strings.Join(names, ",")
}

// Overlay has the engines that judge a rule otherwise, by their severity.
type Overlay struct{ Off, Info, Warning, Error Engines }

// severity returns the severity under one engine that judges otherwise.
func (o *Overlay) severity(engine Engines) (severity Severity, otherwise bool) {
	for severity, engines := range [...]Engines{o.Off, o.Info, o.Warning, o.Error} {
		if engines&engine != 0 {
			return Severity(severity), true
		}
	}
	return SeverityOff, false
}
