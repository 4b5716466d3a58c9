package rule

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

// Verdict is what the engines make of a breach: Severity under every rule set of
// Engines (the zero value is every one), and the severity in Overlay instead under
// an engine that judges otherwise.
type Verdict struct {
	Severity Severity
	Engines  Engines
	Overlay  Overlay
}

// Overlay has the engines that judge a breach otherwise, by their severity.
type Overlay struct{ Off, Info, Warning, Error Engines }

// NewOverlay returns the overlay of a map.
func NewOverlay(severities map[Engines]Severity) (o Overlay) {
	for engines, severity := range severities {
		*o.engines(severity) |= engines
	}
	return o
}

// Map returns the overlay as a map, or nil if it is empty.
func (o Overlay) Map() map[Engines]Severity {
	var severities map[Engines]Severity
	for severity := SeverityOff; severity <= SeverityError; severity++ {
		if engines := *o.engines(severity); engines != 0 {
			if severities == nil {
				severities = map[Engines]Severity{}
			}
			severities[engines] = severity
		}
	}
	return severities
}

func (o *Overlay) engines(severity Severity) *Engines {
	switch severity {
	case SeverityInfo:
		return &o.Info
	case SeverityWarning:
		return &o.Warning
	case SeverityError:
		return &o.Error
	}
	return &o.Off
}

// Under returns the strictest severity under the chosen engines. The protocol's
// rules are applied under every engine, but its own severity gives way to that of
// an engine that judges otherwise.
func (v Verdict) Under(engines Engines) Severity {
	severity := SeverityOff
	for _, e := range engineNames {
		if e.engines != EngineAll && engines&e.engines != 0 {
			severity = max(severity, v.of(e.engines))
		}
	}
	return severity
}

func (v Verdict) of(engine Engines) Severity {
	for severity := SeverityOff; severity <= SeverityError; severity++ {
		if *v.Overlay.engines(severity)&engine != 0 {
			return severity
		}
	}
	if v.Engines == 0 || v.Engines&(engine|EngineSitemapsOrg) != 0 {
		return v.Severity
	}
	return SeverityOff
}
