package rules

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// hreflangRules are about the versions of a page in other languages
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
var hreflangRules = []*rule.Rule{
	hreflangFormat, hreflangSeparator, hreflangCase, hreflangRegionOnly, hreflangUnknownCode, hreflangMissing, hreflangWithMedia,
	badXDefault, missingXDefault, repeatedHreflang, hreflangRel, hreflangWithoutHref, relativeHreflang, hreflangWithoutSelf,
}

const (
	linksHead = exampleHead + ` xmlns:xhtml="http://www.w3.org/1999/xhtml"` + examplePage
	linkSelf  = `    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/steak"/>` + "\n"
	linkOther = `    <xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/steak"/>`

	hreflangCodes = hreflangText + "#language-codes"
	hreflangAll   = hreflangText + "#all-method-guidelines"
	hreflangLinks = hreflangText + "#sitemap"
)

// The parts of examples that differ in the second link, which is to the page in
// German.
const (
	germanStart = linksHead + linkSelf + "    <xhtml:link "
	germanEnd   = "/>\n" + linkOther + exampleTail
	germanRest  = ` href="https://example.com/de/steak"`
	germanGood  = germanStart + `rel="alternate" hreflang="de"` + germanRest + germanEnd
)

// eachAlternate makes a check of an entry from one of a link, the n-th of its
// entry from 0.
func eachAlternate(check func(e *rule.Entry, n int, a *sitemap.Alternate)) func(*rule.Entry) {
	return func(e *rule.Entry) {
		alternates := e.Parsed().Alternates
		for n := range alternates {
			check(e, n, &alternates[n])
		}
	}
}

// reportLink yields a finding about the n-th link of the entry.
func reportLink(e *rule.Entry, n int, evidence, message string) {
	e.Report("xhtml:link", n, evidence, message)
}

// hreflangOf makes a check that reports the values of hreflang of a form.
func hreflangOf(message func(value string) string, forms ...hreflangForm) func(*rule.Entry) {
	var reported [noForm + 1]bool
	for _, form := range forms {
		reported[form] = true
	}
	return eachAlternate(func(e *rule.Entry, n int, a *sitemap.Alternate) {
		if a.Hreflang != "" && reported[formOf(a.Hreflang)] {
			reportLink(e, n, a.Hreflang, message(a.Hreflang))
		}
	})
}

func saying(message string) func(string) string { return func(string) string { return message } }

var hreflangFormat = &rule.Rule{
	ID:            "hreflang-format",
	Title:         "an hreflang that is no language code",
	Why:           "Google reads a language, which a script or a country or both may follow, and ignores links with anything else.",
	Cure:          "Write a language as in de, a script as in zh-Hant, a country as in de-CH; variants and other subtags are not understood.",
	Severity:      rule.SeverityError,
	Engines:       rule.EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="german"` + germanRest + germanEnd,
	Good:          germanGood,
	Needs:         scan.HasAlternates,
	CheckEntry:    hreflangOf(saying("not a language with an optional script and country"), noForm),
}

var hreflangSeparator = &rule.Rule{
	ID:            "hreflang-separator",
	Title:         "an hreflang with an underscore",
	Why:           "Codes are joined by hyphens; en_US, as programs write it, is no language code, and the link is ignored.",
	Cure:          "Write a hyphen: en-US.",
	Severity:      rule.SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de_CH"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-CH"` + germanRest + germanEnd,
	Needs:         scan.HasAlternates,
	CheckEntry: hreflangOf(func(value string) string {
		return "an underscore where a hyphen should be: " + strings.ReplaceAll(value, "_", "-")
	}, wrongSeparator),
}

var hreflangCase = &rule.Rule{
	ID:         "hreflang-case",
	Title:      "an hreflang in letters of unusual case",
	Why:        "Google takes either case, but values that differ only in it look like two languages to other programs.",
	Cure:       "Write small letters throughout, or the country in capitals: de-ch or de-CH.",
	Severity:   rule.SeverityInfo,
	Engines:    rule.EngineGoogle,
	Source:     hreflangCodes,
	Since:      "0.1",
	Bad:        germanStart + `rel="alternate" hreflang="DE-ch"` + germanRest + germanEnd,
	Good:       germanStart + `rel="alternate" hreflang="de-CH"` + germanRest + germanEnd,
	Needs:      scan.HasAlternates,
	CheckEntry: hreflangOf(saying("neither small letters throughout nor the country alone in capitals"), oddCase),
}

var hreflangRegionOnly = &rule.Rule{
	ID:            "hreflang-region-only",
	Title:         "an hreflang that names a country without a language",
	Why:           "The first code is always a language, and a country says nothing of it; Google ignores the link, or takes the code for a language you do not mean.",
	Cure:          "Put the language before the country: de-AT, not at.",
	Severity:      rule.SeverityError,
	Engines:       rule.EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="at"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-AT"` + germanRest + germanEnd,
	Needs:         scan.HasAlternates,
	CheckEntry:    hreflangOf(saying("the code of a country, and of no language"), regionAlone),
}

var hreflangUnknownCode = &rule.Rule{
	ID:            "hreflang-unknown-code",
	Title:         "an hreflang with a code that Google does not know",
	Why:           "Languages are codes of ISO 639-1, scripts of ISO 15924 and countries of ISO 3166-1; those that ISO only reserves, as UK and EU, and regions such as 419 are ignored.",
	Cure:          "Look the code up: Japanese is ja, Czech cs, the United Kingdom GB, and Latin America has no code: list the countries.",
	Severity:      rule.SeverityWarning,
	Engines:       rule.EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de-EU"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-AT"` + germanRest + germanEnd,
	Needs:         scan.HasAlternates,
	CheckEntry: hreflangOf(func(value string) string {
		switch formOf(value) {
		case unknownScript:
			return "the script is none of ISO 15924"
		case unknownRegion:
			return "the country is none of ISO 3166-1"
		}
		return "the language is none of ISO 639-1"
	}, unknownLanguage, unknownScript, unknownRegion),
}

var hreflangMissing = &rule.Rule{
	ID:            "hreflang-missing",
	Title:         "a link to a version of a page that does not say which",
	Why:           "A link with neither hreflang, media nor type says nothing that a search engine could use.",
	Cure:          "Add hreflang with the language of the page that the link leads to.",
	Severity:      rule.SeverityWarning,
	Engines:       rule.EngineGoogle,
	Source:        hreflangLinks,
	SearchConsole: "Missing XML attribute",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate"` + germanRest + germanEnd,
	Good:          germanGood,
	Needs:         scan.HasAlternates,
	CheckEntry: eachAlternate(func(e *rule.Entry, n int, a *sitemap.Alternate) {
		if a.Hreflang == "" && a.Media == "" && a.Type == "" && isAlternate(a.Rel) && scan.IsAbsolute(a.Href) {
			reportLink(e, n, a.Href, "the link has no hreflang")
		}
	}),
}

var hreflangWithMedia = &rule.Rule{
	ID:       "hreflang-with-media",
	Title:    "a link with both hreflang and media",
	Why:      "A link is to a version in a language or to one for a medium; Google wants the two not to be combined.",
	Cure:     "Write two links, or leave media out.",
	Severity: rule.SeverityWarning,
	Engines:  rule.EngineGoogle,
	Source:   hreflangText + "#html",
	Since:    "0.1",
	Bad:      germanStart + `rel="alternate" hreflang="de" media="only screen and (max-width: 640px)"` + germanRest + germanEnd,
	Good:     germanGood,
	Needs:    scan.HasAlternates,
	CheckEntry: eachAlternate(func(e *rule.Entry, n int, a *sitemap.Alternate) {
		if a.Hreflang != "" && a.Media != "" {
			reportLink(e, n, a.Media, "the link has both hreflang and media")
		}
	}),
}

// isAlternate reports whether the relation of a link is among others that of an
// alternate.
func isAlternate(rel string) bool {
	if rel == "alternate" {
		return true
	}
	for word := range strings.FieldsSeq(rel) {
		if strings.EqualFold(word, "alternate") {
			return true
		}
	}
	return false
}

var badXDefault = &rule.Rule{
	ID:            "hreflang-xdefault-bad",
	Title:         "an hreflang that is meant for x-default and is not",
	Why:           "The page for everybody else is marked with exactly x-default; any other spelling names no page.",
	Cure:          "Write x-default.",
	Severity:      rule.SeverityError,
	Engines:       rule.EngineGoogle,
	Source:        hreflangText + "#xdefault",
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="default"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="x-default"` + germanRest + "/>" + exampleTail,
	Needs:         scan.HasAlternates,
	CheckEntry:    hreflangOf(saying("not x-default"), misspelledX),
}

var missingXDefault = &rule.Rule{
	ID:       "hreflang-xdefault-missing",
	Title:    "versions in several languages without an x-default",
	Why:      "People whose language is none of those listed see whichever version Google thinks best; x-default lets you say which.",
	Cure:     "Add a link with hreflang x-default to the page that suits everybody else, such as the choice of languages. One of the versions may serve as well.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle,
	Source:   hreflangText + "#xdefault",
	Since:    "0.1",
	Bad: linksHead + linkSelf + `    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/steak"/>` +
		exampleTail,
	Good:  germanGood,
	Needs: scan.HasAlternates,
	CheckEntry: func(e *rule.Entry) {
		versions := 0
		for _, a := range e.Parsed().Alternates {
			switch {
			case a.Hreflang == "":
			case strings.EqualFold(a.Hreflang, "x-default"):
				return
			default:
				versions++
			}
		}
		if versions > 1 {
			reportLink(e, 0, "", fmt.Sprintf("%d versions and no x-default", versions))
		}
	},
}
