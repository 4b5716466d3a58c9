package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// frequencyRules are about changefreq and priority.
var frequencyRules = []*Rule{changeFreqInvalid, priorityInvalid, priorityRange}

// valueIgnored is how engines judge a wrong value: Google's report calls it invalid,
// Bing reads neither element, and Yandex keeps the page.
var valueIgnored = Overlay{Info: EngineBing, Warning: EngineYandex}

var changeFreqInvalid = &Rule{
	ID:       "changefreq-invalid",
	Title:    "changefreq is not one of the seven allowed values",
	Why:      "The schema allows only always, hourly, daily, weekly, monthly, yearly and never, in lower case and without spaces around it. It rejects anything else.",
	Fix:      "Write one of the seven values, or leave changefreq out: Google and Bing do not use it.",
	Severity: SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#changefreqdef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<changefreq>Daily</changefreq>")),
	Good:  urlset(page("https://example.com/", "<changefreq>daily</changefreq>")),
	needs: scan.UnusualFreq,
	checkEntry: func(e *entryCheck) {
		value := `changefreq "` + printable(e.ChangeFreq) + `" `
		message := "must be always, hourly, daily, weekly, monthly, yearly or never"
		switch lower := bytes.ToLower(e.ChangeFreq); {
		case e.Source().Padded():
			message = "must not have white space around it"
		case scan.IsChangeFreq(lower):
			message = "must be lower case: " + string(lower)
		}
		e.report("changefreq", 0, string(e.ChangeFreq), value+message)
	},
}

var priorityInvalid = &Rule{
	ID:       "priority-invalid",
	Title:    "priority is not a number",
	Why:      "The schema accepts only decimal numbers with a point. It rejects 0,8, 5e-1 and high.",
	Fix:      "Write 0.8, or leave priority out: Google and Bing do not use it.",
	Severity: SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#prioritydef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<priority>0,8</priority>")),
	Good:  urlset(page("https://example.com/", "<priority>0.8</priority>")),
	needs: scan.UnusualPriority,
	checkEntry: func(e *entryCheck) {
		if _, ok := decimal(e.Priority); !ok {
			e.report("priority", 0, string(e.Priority),
				`priority "`+printable(e.Priority)+`" is not a decimal number such as 0.8`)
		}
	},
}

var priorityRange = &Rule{
	ID:       "priority-range",
	Title:    "priority is not between 0.0 and 1.0",
	Why:      "Priorities compare the pages of one site on a scale from 0.0 to 1.0. The schema rejects other values.",
	Fix:      "Scale the values to 0.0–1.0: 8 of 10 becomes 0.8.",
	Severity: SeverityError, Overlay: valueIgnored,
	Source:        protocolText + "#prioritydef",
	SearchConsole: "Invalid tag value", Yandex: "Invalid tag value",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<priority>8</priority>")),
	Good:  urlset(page("https://example.com/", "<priority>0.8</priority>")),
	needs: scan.UnusualPriority,
	checkEntry: func(e *entryCheck) {
		if inside, ok := decimal(e.Priority); ok && !inside {
			e.report("priority", 0, string(e.Priority), `priority "`+printable(e.Priority)+`" is not between 0.0 and 1.0`)
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
