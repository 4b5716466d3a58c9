package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// frequencyRules are about changefreq and priority.
var frequencyRules = []*Rule{
	{ID: "changefreq-invalid", Severity: SeverityError, Overlay: valueIgnored, Source: protocolText + "#changefreqdef",
		SearchConsole: "Invalid tag value", Yandex: "Invalid tag value", needs: scan.UnusualFreq,
		checkEntry: func(e *entryCheck) {
			value := printable(e.ChangeFreq)
			message := newText("rule.changefreq-invalid.found", value)
			switch lower := bytes.ToLower(e.ChangeFreq); {
			case e.Source().Padded():
				message = newText("rule.changefreq-invalid.padded", value)
			case scan.IsChangeFreq(lower):
				message = newText("rule.changefreq-invalid.case", value, string(lower))
			}
			e.report("changefreq", 0, string(e.ChangeFreq), message)
		}},
	{ID: "priority-invalid", Severity: SeverityError, Overlay: valueIgnored, Source: protocolText + "#prioritydef",
		SearchConsole: "Invalid tag value", Yandex: "Invalid tag value", needs: scan.UnusualPriority,
		checkEntry: func(e *entryCheck) {
			if _, ok := decimal(e.Priority); !ok {
				e.report("priority", 0, string(e.Priority), newText("rule.priority-invalid.found", printable(e.Priority)))
			}
		}},
	{ID: "priority-range", Severity: SeverityError, Overlay: valueIgnored, Source: protocolText + "#prioritydef",
		SearchConsole: "Invalid tag value", Yandex: "Invalid tag value", needs: scan.UnusualPriority,
		checkEntry: func(e *entryCheck) {
			if inside, ok := decimal(e.Priority); ok && !inside {
				e.report("priority", 0, string(e.Priority), newText("rule.priority-range.found", printable(e.Priority)))
			}
		}},
}

// valueIgnored is how engines judge a wrong value: Google's report calls it invalid,
// Bing reads neither element, and Yandex keeps the page.
var valueIgnored = Overlay{Info: EngineBing, Warning: EngineYandex}

// decimal reports whether a value is an xsd:decimal
// (https://www.w3.org/TR/xmlschema-2/#decimal) and whether it lies in 0 to 1.
func decimal(value []byte) (inside, ok bool) {
	s := string(value)
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return false, false
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" && fraction == "" {
		return true, true
	}
	return !negative && (whole == "" || whole == "1" && fraction == ""), true
}
