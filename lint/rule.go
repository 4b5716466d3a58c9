package lint

import "github.com/mapatools/mapa/lint/internal/scan"

// Rule is one thing that can be wrong, and how it is found. Every Rule that this package
// returns is the caller's own copy.
type Rule struct {
	// ID identifies the rule and never changes. For a fault that the reader reports
	// it is the sitemap.FaultKind.
	ID string
	// Title says what is wrong in one line, lower case, without a full stop.
	Title string
	// Why says what follows from it, and Fix what to do, in whole sentences.
	Why, Fix string
	// Severity applies under every rule set of Engines; the zero value of Engines is
	// all. Overlay replaces it under an engine that judges otherwise; SeverityOff
	// accepts the matter there. See SeverityUnder.
	Severity Severity
	Engines  Engines
	Overlay  Overlay
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

// SeverityUnder returns the strictest severity under the chosen engines. The
// protocol's rules are applied under every engine, but its own severity gives way
// to that of an engine that judges otherwise.
func (r *Rule) SeverityUnder(engines Engines) Severity {
	severity := SeverityOff
	for _, e := range engineNames {
		if e.engines != EngineAll && engines&e.engines != 0 {
			severity = max(severity, r.severityUnderOne(e.engines))
		}
	}
	return severity
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
