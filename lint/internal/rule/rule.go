// Package rule has what a rule of the linter consists of, and what its check gets
// to see: an [Entry], a [File], a [Page] or a [Host], each with a method that
// reports a breach. A check sees nothing else of the run.
package rule

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// Rule is one thing that can be wrong, and how it is found. Rules are never
// changed. See lint.Rule for the texts.
type Rule struct {
	ID                    string
	Title, Why, Cure      string
	Severity              Severity
	Engines               Engines
	Overlay               Overlay
	Source                string
	SearchConsole, Yandex string
	Since                 string
	Live                  bool
	Bad, Good             string

	// CheckEntry looks at an entry that has one of the traits in Needs, CheckFile at
	// a file after its last entry, CheckPage at what the site answers for a page of
	// the sample, CheckHost at a robots.txt. All are nil in a rule that is broken by
	// a fault of the reader, by the error that ends a file, or by what files are
	// together.
	CheckEntry func(*Entry)
	Needs      scan.Traits
	CheckFile  func(*File)
	CheckPage  func(*Page)
	CheckHost  func(*Host)
}

// SeverityUnder returns the strictest severity under the chosen engines.
func (r *Rule) SeverityUnder(engines Engines) Severity {
	return Verdict{r.Severity, r.Engines, r.Overlay}.Under(engines)
}

// Options are what checks need to know.
type Options struct {
	Engines       Engines
	Now           time.Time // the time that dates are compared with
	SiteSince     time.Time // the day on which the site began, or zero
	VerifiedHosts []string  // whose pages may be listed anywhere
}

// Finding is one place where a rule is broken, or the count of more such places.
// See lint.Finding.
type Finding struct {
	Rule         *Rule
	Severity     Severity
	File         string
	Line, Column int
	Offset       int64
	Element      string
	URL          string
	Message      string
	Evidence     string
	Source       string
	Caret        int
	More         int
}

// Reporter takes the findings of checks.
type Reporter interface {
	// Admit counts a breach of a rule and reports whether its finding is wanted.
	Admit(*Rule) bool
	// Add takes a finding that was admitted.
	Add(Finding)
}
