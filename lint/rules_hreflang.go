package lint

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// hreflangRules are about the versions of a page in other languageSet
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
var hreflangRules = []*Rule{
	hreflangFormat, hreflangSeparator, hreflangCase, hreflangRegionOnly, hreflangUnknownCode, hreflangMissing,
	hreflangWithMedia,
	badXDefault, missingXDefault, repeatedHreflang, hreflangRel, hreflangWithoutHref, relativeHreflang,
	hreflangWithoutSelf,
}

const (
	linksHead = exampleHead + ` xmlns:xhtml="http://www.w3.org/1999/xhtml"` + examplePage
	linkSelf  = `    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/steak"/>` + "\n"
	linkOther = `    <xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/steak"/>`

	hreflangCodes = hreflangText + "#language-codes"
	hreflangAll   = hreflangText + "#all-method-guidelines"
	hreflangLinks = hreflangText + "#sitemap"
)

// Parts of examples that differ in the second link, that to the German page.
const (
	germanStart = linksHead + linkSelf + "    <xhtml:link "
	germanEnd   = "/>\n" + linkOther + exampleTail
	germanRest  = ` href="https://example.com/de/steak"`
	germanGood  = germanStart + `rel="alternate" hreflang="de"` + germanRest + germanEnd
)

// eachAlternate returns a check that calls check with the links of an entry. N counts
// them from 0.
func eachAlternate(check func(e *entryCheck, n int, a *sitemap.Alternate)) func(*entryCheck) {
	return func(e *entryCheck) {
		alternates := e.Parsed().Alternates
		for n := range alternates {
			check(e, n, &alternates[n])
		}
	}
}

// reportLink reports a breach by the n-th link of the entry.
func reportLink(e *entryCheck, n int, evidence, message string) {
	e.report("xhtml:link", n, evidence, message)
}

// hreflangOf returns a check that reports values of hreflang of the forms.
func hreflangOf(message func(value string) string, forms ...hreflangForm) func(*entryCheck) {
	var reported [invalidForm + 1]bool
	for _, form := range forms {
		reported[form] = true
	}
	return eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Hreflang != "" && reported[formOf(a.Hreflang)] {
			reportLink(e, n, a.Hreflang, `hreflang "`+printable(a.Hreflang)+`" `+message(a.Hreflang))
		}
	})
}

func fixed(message string) func(string) string { return func(string) string { return message } }

var hreflangFormat = &Rule{
	ID:            "hreflang-format",
	Title:         "hreflang is not a valid language code",
	Why:           "Google reads a language code, with an optional script and an optional country. It ignores links with any other hreflang.",
	Fix:           "Write a language such as de, with a script such as zh-Hant or a country such as de-CH. Google does not read variants and other subtags.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="german"` + germanRest + germanEnd,
	Good:          germanGood,
	needs:         scan.HasAlternates,
	checkEntry:    hreflangOf(fixed("is not a language with an optional script and country"), invalidForm),
}

var hreflangSeparator = &Rule{
	ID:            "hreflang-separator",
	Title:         "hreflang has an underscore instead of a hyphen",
	Why:           "The parts of a code are joined by hyphens. The form en_US, common in software, is not a language code, and Google ignores the link.",
	Fix:           "Write a hyphen: en-US.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de_CH"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-CH"` + germanRest + germanEnd,
	needs:         scan.HasAlternates,
	checkEntry: hreflangOf(func(value string) string {
		hyphenated := strings.ReplaceAll(value, "_", "-")
		if isXDefault(hyphenated) {
			hyphenated = "x-default"
		}
		return "must have hyphens instead of underscores: " + hyphenated
	}, wrongSeparator),
}

var hreflangCase = &Rule{
	ID:       "hreflang-case",
	Title:    "hreflang has unusual letter case",
	Why:      "Google accepts either case, but to other programs values that differ only in case look like two languages.",
	Fix:      "Write everything in lower case, or only the country in upper case: de-ch or de-CH.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   hreflangCodes,
	Since:    "0.1",
	Bad:      germanStart + `rel="alternate" hreflang="DE-ch"` + germanRest + germanEnd,
	Good:     germanStart + `rel="alternate" hreflang="de-CH"` + germanRest + germanEnd,
	needs:    scan.HasAlternates,
	checkEntry: hreflangOf(func(value string) string {
		if isXDefault(value) {
			return "must be lower case: x-default"
		}
		return "must be all lower case, or have only the country in upper case"
	}, unusualCase),
}

var hreflangRegionOnly = &Rule{
	ID:            "hreflang-region-only",
	Title:         "hreflang names a country without a language",
	Why:           "The first code is always a language, and a country does not imply one. Google ignores the link, or takes the code for a language that you do not mean.",
	Fix:           "Write the language before the country: de-AT, not at.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="at"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-AT"` + germanRest + germanEnd,
	needs:         scan.HasAlternates,
	checkEntry:    hreflangOf(fixed("is the code of a country, not of a language"), regionAlone),
}

var hreflangUnknownCode = &Rule{
	ID:            "hreflang-unknown-code",
	Title:         "hreflang has a code that Google does not know",
	Why:           "Google reads languages from ISO 639-1, scripts from ISO 15924 and countries from ISO 3166-1. It ignores codes that ISO only reserves, such as UK and EU, and regions such as 419.",
	Fix:           "Look up the code: Japanese is ja, Czech is cs, the United Kingdom is GB. Latin America has no code: list the countries.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        hreflangCodes,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="de-EU"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="de-AT"` + germanRest + germanEnd,
	needs:         scan.HasAlternates,
	checkEntry: hreflangOf(func(value string) string {
		switch formOf(value) {
		case unknownScript:
			return "has a script that is not in ISO 15924"
		case unknownRegion:
			return "has a country that is not in ISO 3166-1"
		}
		return "has a language that is not in ISO 639-1"
	}, unknownLanguage, unknownScript, unknownRegion),
}

var hreflangMissing = &Rule{
	ID:            "hreflang-missing",
	Title:         "alternate link has no hreflang",
	Why:           "Search engines cannot use a link without hreflang, media or type.",
	Fix:           "Add hreflang with the language of the linked page.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        hreflangLinks,
	SearchConsole: "Missing XML attribute",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate"` + germanRest + germanEnd,
	Good:          germanGood,
	needs:         scan.HasAlternates,
	checkEntry: eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Hreflang == "" && a.Media == "" && a.Type == "" && isAlternate(a.Rel) && scan.IsAbsolute(a.Href) {
			reportLink(e, n, a.Href, "the link has no hreflang")
		}
	}),
}

var hreflangWithMedia = &Rule{
	ID:       "hreflang-with-media",
	Title:    "alternate link has both hreflang and media",
	Why:      "A link points to a version for a language or to a version for a medium. Google asks not to combine the two.",
	Fix:      "Write two links, or leave media out.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   hreflangText + "#html",
	Since:    "0.1",
	Bad: germanStart + `rel="alternate" hreflang="de" media="only screen and (max-width: 640px)"` + germanRest +
		germanEnd,
	Good:  germanGood,
	needs: scan.HasAlternates,
	checkEntry: eachAlternate(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Hreflang != "" && a.Media != "" {
			reportLink(e, n, a.Media, "the link has both hreflang and media")
		}
	}),
}

// isAlternate reports whether the rel of a link contains alternate.
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

var badXDefault = &Rule{
	ID:            "hreflang-xdefault-bad",
	Title:         "misspelled x-default",
	Why:           "The page for all other languages is marked with exactly x-default. Any other spelling has no effect.",
	Fix:           "Write x-default.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        hreflangText + "#xdefault",
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           germanStart + `rel="alternate" hreflang="default"` + germanRest + germanEnd,
	Good:          germanStart + `rel="alternate" hreflang="x-default"` + germanRest + "/>" + exampleTail,
	needs:         scan.HasAlternates,
	checkEntry:    hreflangOf(fixed("must be spelled x-default"), misspelledX),
}

var missingXDefault = &Rule{
	ID:       "hreflang-xdefault-missing",
	Title:    "language versions without an x-default",
	Why:      "People whose language is not listed see the version that Google thinks best. x-default lets you choose it.",
	Fix:      "Add a link with hreflang x-default to the page for everybody else, such as a language selector. It can also be one of the versions.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   hreflangText + "#xdefault",
	Since:    "0.1",
	Bad: linksHead + linkSelf + `    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/steak"/>` +
		exampleTail,
	Good:  germanGood,
	needs: scan.HasAlternates,
	checkEntry: func(e *entryCheck) {
		versions := 0
		for _, a := range e.Parsed().Alternates {
			switch {
			case a.Hreflang == "":
			case isXDefault(a.Hreflang), formOf(a.Hreflang) == misspelledX:
				return
			default:
				versions++
			}
		}
		if versions > 1 {
			reportLink(e, 0, "", fmt.Sprintf("%d language versions, but no x-default", versions))
		}
	},
}
