package lint

import (
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/lintexample"
)

// ruleJSON is the JSON form of a rule.
type ruleJSON struct {
	ID            string              `json:"id"`
	Title         string              `json:"title"`
	Why           string              `json:"why"`
	Fix           string              `json:"fix"`
	Severity      Severity            `json:"severity"`
	Engines       map[string]Severity `json:"engines"`
	Live          bool                `json:"live,omitempty"`
	Source        string              `json:"source"`
	SearchConsole string              `json:"search_console,omitempty"`
	Yandex        string              `json:"yandex,omitempty"`
	Since         string              `json:"since"`
	Bad           string              `json:"bad"`
	Good          string              `json:"good"`
}

// MarshalJSON returns the rule with its texts in English, its severity under every rule
// set, and its examples, in which brackets say what is repeated, compressed or relative to
// today.
func (r *Rule) MarshalJSON() ([]byte, error) {
	bad, good := lintexample.Of(r.ID)
	encoded := ruleJSON{
		ID: r.ID, Title: r.Title().String(), Why: r.Why().String(), Fix: r.Fix().String(), Severity: r.Severity,
		Engines: map[string]Severity{}, Live: r.Live, Source: r.Source, SearchConsole: r.SearchConsole, Yandex: r.Yandex,
		Since: r.Since, Bad: lintexample.Describe(bad), Good: lintexample.Describe(good),
	}
	for _, engine := range RuleSets() {
		encoded.Engines[engine.String()] = r.SeverityUnder(engine)
	}
	return format.AppendJSON(nil, encoded)
}
