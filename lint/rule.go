package lint

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/rules"
)

// Severity is how much a finding matters: SeverityOff, SeverityInfo,
// SeverityWarning or SeverityError. It is written and read as off, info, warning
// and error by String, MarshalText and UnmarshalText.
type Severity = rule.Severity

// The severities, from the lowest. SeverityOff means that a rule is not applied.
const (
	SeverityOff     = rule.SeverityOff
	SeverityInfo    = rule.SeverityInfo    // worth knowing
	SeverityWarning = rule.SeverityWarning // an engine ignores a part, or is likely to
	SeverityError   = rule.SeverityError   // the protocol, or the engine, refuses it
)

// Engines is a set of rule sets: the protocol's own, and what search engines add
// to it in their documentation. The zero value means EngineSitemapsOrg. String
// returns the names, joined by commas, and [ParseEngine] reads one.
type Engines = rule.Engines

// The rule sets.
const (
	EngineSitemapsOrg = rule.EngineSitemapsOrg // https://www.sitemaps.org/protocol.html and its schemas
	// https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview
	EngineGoogle = rule.EngineGoogle
	EngineBing   = rule.EngineBing   // https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed
	EngineYandex = rule.EngineYandex // https://yandex.com/support/webmaster/en/indexing-options/sitemap
	// The schemas of sitemaps.org and of Google's extensions, as strict validators
	// apply them. No search engine does, so EngineAll does not include it.
	EngineSchema = rule.EngineSchema // https://www.sitemaps.org/protocol.html#validating
	EngineAll    = rule.EngineAll
)

// ParseEngine returns the rule set with a name: sitemaps.org, google, bing, yandex,
// schema, or all, which is the first four.
func ParseEngine(name string) (Engines, error) { return rule.ParseEngine(name) }

// Rule is one thing that can be wrong. Every Rule that this package returns is the
// caller's own copy.
type Rule struct {
	// ID identifies the rule and never changes. For a fault that the reader reports
	// it is the sitemap.FaultKind.
	ID string
	// Title says what is wrong in one line, lower case, without a full stop.
	Title string
	// Why says what follows from it, and Cure how to fix it, in whole sentences.
	Why, Cure string
	// Severity applies under every rule set of Engines; the zero value of Engines is
	// all. Overlay replaces it under an engine that judges otherwise; SeverityOff
	// accepts the matter there. See SeverityUnder.
	Severity Severity
	Engines  Engines
	Overlay  map[Engines]Severity
	// Source is the address of the document that the rule follows.
	Source string
	// SearchConsole and Yandex are the names in the reports of Google and Yandex;
	// empty where they have no name for it.
	SearchConsole, Yandex string
	// Since is the version of Mapa that introduced the rule.
	Since string
	// Live rules request the site, and are applied only with Options.Live.
	Live bool
	// Bad breaks the rule and Good keeps it; they differ as little as possible. An
	// example is a sitemap at https://example.com/sitemap.xml or, when it begins with
	// "-- ", a txtar archive of what the site serves, in the form of
	// internal/testsite: its first file is checked, and a file //host/path is one of
	// another host. Directives are expanded before use: {{repeat 3 "<url/>"}} repeats
	// a text, in which {{n}} is the number of the repetition; {{today}} and
	// {{today -3}} are dates, {{now}} is the time; {{bytes "fffe"}} are bytes in
	// hexadecimal; {{gzip "text"}} is the text compressed, and {{gzip twice "text"}}
	// compressed twice. A header "Failure" replaces the answer: its value is dns,
	// tls, timeout, refused or missing, as of a local file. Answers have an ETag and X-Robots-Tag: noindex unless
	// they have these headers already. The site began on 1 January 2010, its sitemap
	// listed ten pages the last time, and a crawl found every page of the archive.
	Bad, Good string
}

// SeverityUnder returns the strictest severity under the chosen engines. The
// protocol's rules are applied under every engine, but its own severity gives way
// to that of an engine that judges otherwise.
func (r *Rule) SeverityUnder(engines Engines) Severity {
	return rule.Verdict{Severity: r.Severity, Engines: r.Engines, Overlay: rule.NewOverlay(r.Overlay)}.Under(engines)
}

func copyRule(r *rule.Rule) *Rule {
	return &Rule{
		ID: r.ID, Title: r.Title, Why: r.Why, Cure: r.Cure,
		Severity: r.Severity, Engines: r.Engines, Overlay: r.Overlay.Map(),
		Source: r.Source, SearchConsole: r.SearchConsole, Yandex: r.Yandex, Since: r.Since, Live: r.Live,
		Bad: r.Bad, Good: r.Good,
	}
}

// Group is a chapter of the rules.
type Group struct {
	Title string
	Rules []*Rule
}

// Groups returns copies of all rules, in the order of the documentation.
func Groups() (groups []Group) {
	for _, g := range rules.Groups {
		groups = append(groups, Group{g.Title, copyRules(g.Rules)})
	}
	return groups
}

// Rules returns copies of the rules of all groups.
func Rules() []*Rule { return copyRules(rules.All) }

func copyRules(from []*rule.Rule) []*Rule {
	copies := make([]*Rule, len(from))
	for i, r := range from {
		copies[i] = copyRule(r)
	}
	return copies
}

// Find returns a copy of the rule with an ID. The error for an unknown ID suggests
// the nearest one.
func Find(id string) (*Rule, error) {
	r, err := rules.Find(id)
	if err != nil {
		return nil, err
	}
	return copyRule(r), nil
}
