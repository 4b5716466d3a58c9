package rules

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
)

// frequencyRules are about changefreq and priority.
var frequencyRules = []*rule.Rule{changeFreqInvalid, priorityInvalid, priorityRange}

// valueIgnored is what engines make of a wrong value: Google's report calls it
// invalid, Bing reads neither element, and Yandex keeps the page.
var valueIgnored = map[rule.Engines]rule.Severity{rule.EngineBing: rule.SeverityInfo, rule.EngineYandex: rule.SeverityWarning}

var changeFreqInvalid = &rule.Rule{
	ID:       "changefreq-invalid",
	Title:    "a changefreq that is none of the seven words",
	Why:      "The value is always, hourly, daily, weekly, monthly, yearly or never, in lower case and without space around it; the schema refuses anything else.",
	Cure:     "Write one of the seven, or leave changefreq out: Google and Bing do not use it.",
	Severity: rule.SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#changefreqdef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<changefreq>Daily</changefreq>")),
	Good:  urlset(page("https://example.com/", "<changefreq>daily</changefreq>")),
	Needs: scan.UnusualFreq,
	CheckEntry: func(e *rule.Entry) {
		message := "always, hourly, daily, weekly, monthly, yearly or never"
		switch lower := bytes.ToLower(e.ChangeFreq); {
		case e.Padded():
			message = "without white space around it"
		case scan.IsChangeFreq(lower):
			message = "in lower case: " + string(lower)
		}
		e.Report("changefreq", 0, string(e.ChangeFreq), message)
	},
}

var priorityInvalid = &rule.Rule{
	ID:       "priority-invalid",
	Title:    "a priority that is no number",
	Why:      "The value is a decimal number with a point; neither 0,8 nor 5e-1 nor high is one, and the schema refuses them.",
	Cure:     "Write 0.8, or leave priority out: Google and Bing do not use it.",
	Severity: rule.SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#prioritydef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<priority>0,8</priority>")),
	Good:  urlset(page("https://example.com/", "<priority>0.8</priority>")),
	Needs: scan.UnusualPriority,
	CheckEntry: func(e *rule.Entry) {
		if _, ok := decimal(e.Priority); !ok {
			e.Report("priority", 0, string(e.Priority), "this is no decimal number: write it as 0.8")
		}
	},
}

var priorityRange = &rule.Rule{
	ID:       "priority-range",
	Title:    "a priority below 0.0 or above 1.0",
	Why:      "Priorities compare the pages of one site between 0.0 and 1.0; the schema refuses others.",
	Cure:     "Bring the values to 0.0 to 1.0, as 8 of 10 becomes 0.8.",
	Severity: rule.SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#prioritydef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<priority>8</priority>")),
	Good:  urlset(page("https://example.com/", "<priority>0.8</priority>")),
	Needs: scan.UnusualPriority,
	CheckEntry: func(e *rule.Entry) {
		if inside, ok := decimal(e.Priority); ok && !inside {
			e.Report("priority", 0, string(e.Priority), "outside of 0.0 to 1.0")
		}
	},
}

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
