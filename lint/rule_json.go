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
	Subject       Subject             `json:"subject"`
	Severity      Severity            `json:"severity"`
	Escalated     Severity            `json:"escalated,omitempty"`
	Threshold     string              `json:"threshold,omitempty"`
	Engines       map[string]Severity `json:"engines,omitempty"` // of rules over sitemaps
	Off           bool                `json:"off,omitempty"`
	Live          bool                `json:"live,omitempty"`
	Source        string              `json:"source"`
	SearchConsole string              `json:"search_console,omitempty"`
	Yandex        string              `json:"yandex,omitempty"`
	Bad           string              `json:"bad"`
	Good          string              `json:"good"`
}

// MarshalJSON returns the rule with its texts in English, its severity under every rule
// set if it judges sitemaps, and its examples, in which brackets say what is repeated, compressed or relative to
// today.
func (r *Rule) MarshalJSON() ([]byte, error) {
	bad, good := lintexample.Of(r.ID)
	encoded := ruleJSON{
		ID: r.ID, Title: r.Title().String(), Why: r.Why().String(), Fix: r.Fix().String(), Subject: r.Subject,
		Severity: r.Severity, Escalated: r.Escalated, Threshold: r.Threshold.String(), Off: r.OffByDefault(),
		Live: r.Live, Source: r.Source, SearchConsole: r.SearchConsole, Yandex: r.Yandex,
		Bad: lintexample.Describe(bad), Good: lintexample.Describe(good),
	}
	if r.Subject == SubjectSitemap {
		encoded.Engines = map[string]Severity{}
		for _, engine := range RuleSets() {
			encoded.Engines[engine.String()] = r.SeverityUnder(engine)
		}
	}
	return format.AppendJSON(nil, encoded)
}
