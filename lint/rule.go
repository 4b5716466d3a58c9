package lint

import (
	"cmp"
	"time"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// Rule is one thing that can be wrong, in a sitemap or in a crawl, and how it is found. Every
// Rule that this package returns is the caller's own copy.
type Rule struct {
	// ID identifies the rule and never changes. For a fault that the reader reports
	// it is the sitemap.FaultKind.
	ID string
	// Subject is what the rule judges.
	Subject Subject
	// Severity applies under every rule set of Engines; the zero value of Engines is
	// all. Overlay replaces it under an engine that judges otherwise; SeverityOff
	// accepts the matter there. See SeverityUnder.
	Severity Severity
	Engines  Engines
	Overlay  Overlay
	// Escalated is the severity of what is worse than Severity: of a number beyond the
	// second limit of Threshold or, in a rule without one, of what the documentation of the
	// rule says. Only rules over crawls have it, and only some.
	Escalated Severity
	// Threshold has the limits of the number that the rule compares, if there is one.
	Threshold Threshold
	// Source is the address of the document that the rule follows.
	Source string
	// SearchConsole and Yandex are the names in the reports of Google and Yandex;
	// empty where they have no name for it.
	SearchConsole, Yandex string
	// Live rules request the site, and are applied only with Options.Live.
	Live bool

	// checkEntry looks at an entry that has one of the traits in needs, checkFile at
	// a file after its last entry, checkPage at what the site answers for a page of
	// the sample, checkHost at a robots.txt. All are nil in a rule that is broken by
	// a fault of the reader, by the error that ends a file, or by what files are
	// together.
	checkEntry func(*entryCheck)
	needs      scan.Traits
	checkFile  func(*fileCheck)
	checkPage  func(*pageCheck)
	checkHost  func(*hostCheck)
}

func (r *Rule) clone() *Rule {
	c := *r
	return &c
}

// Title says what is wrong in one line, lower case, without a full stop.
func (r *Rule) Title() Text { return newText("rule." + r.ID + ".title") }

// Why says what follows from it, in whole sentences.
func (r *Rule) Why() Text { return newText("rule." + r.ID + ".why") }

// Fix says what to do, in whole sentences.
func (r *Rule) Fix() Text { return newText("rule." + r.ID + ".fix") }

// Limits says when a rule over crawls has its severity, and when that of Escalated: in the
// form of "more than 4 clicks", or in that of "a link within the site". A text is empty where
// there is nothing to say.
func (r *Rule) Limits() (severity, escalated Text) {
	limits, code := r.Threshold.Limits(), "rule."+r.ID+".limit"
	switch {
	case r.Threshold.form == formOutside:
		severity = newText(code, limits[0], limits[1])
	case len(limits) > 0:
		severity = newText(code, limits[0])
	}
	switch {
	case r.Escalated == SeverityOff:
	case len(limits) == 2:
		escalated = newText(code, limits[1])
	case r.Subject == SubjectSite:
		escalated = newText("finding.not-usable")
	default:
		escalated = newText("rule." + r.ID + ".escalated")
	}
	return severity, escalated
}

// Examples returns a site that breaks the rule and one that keeps it; they differ as
// little as possible. Each is the sitemap at https://example.com/sitemap.xml or, where more
// matters, several files of the site, each after a line with its path, as in
// "-- /robots.txt --", and with the status and headers of the response. The first file is
// the one to check. Dates are relative to today. An example of a file that is too large is
// that large.
func (r *Rule) Examples() (bad, good string) {
	now := time.Now()
	bad, good = lintexample.Of(r.ID)
	return lintexample.Expand(bad, now), lintexample.Expand(good, now)
}

// AppliesTo returns the rule sets that the rule belongs to.
func (r *Rule) AppliesTo() Engines { return cmp.Or(r.Engines, EngineAll) }

// SeverityUnder returns the strictest severity under the chosen engines. The
// protocol's rules are applied under every engine, but its own severity gives way
// to that of an engine that judges otherwise.
func (r *Rule) SeverityUnder(engines Engines) Severity {
	severity := SeverityOff
	for _, engine := range RuleSets() {
		if engines&engine != 0 {
			severity = max(severity, r.severityUnderOne(engine))
		}
	}
	return severity
}

// OffByDefault reports whether the rule is applied only where Options.Enable or
// Options.Only, or the same setting of a crawl, names it.
func (r *Rule) OffByDefault() bool { return r.SeverityUnder(EngineAll|EngineSchema) == SeverityOff }

// SeverityOf returns the severity of a number that the rule compares: SeverityOff within the
// limits of Threshold.
func (r *Rule) SeverityOf(n int) Severity {
	switch r.Threshold.Beyond(n) {
	case 0:
		return SeverityOff
	case 1:
		return r.Severity
	}
	return r.Escalated
}

func (r *Rule) severityUnderOne(engine Engines) Severity {
	if severity, otherwise := r.Overlay.severity(engine); otherwise {
		return severity
	}
	if r.Engines == 0 || r.Engines&(engine|EngineSitemapsOrg) != 0 {
		return r.Severity
	}
	return SeverityOff
}
