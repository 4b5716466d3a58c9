package lint

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// hreflangRules are about the versions of a page in other languages
// (https://developers.google.com/search/docs/specialty/international/localized-versions).
var hreflangRules = slices.Concat(hreflangCodeRules, hreflangElementRules, hreflangSetRules, hreflangLinkRules,
	[]*Rule{hreflangWithoutSelf})

// hreflangCodeRules are about the codes of languages and regions.
var hreflangCodeRules = []*Rule{
	{ID: "hreflang-format", Severity: SeverityError, Engines: EngineGoogle, Source: hreflangCodes,
		SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: hreflangOf(naming("rule.hreflang-format.found"), invalidForm)},
	{ID: "hreflang-separator", Severity: SeverityError, Engines: schemaOfGoogle, Overlay: notElsewhere,
		Source: hreflangCodes, SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: hreflangOf(func(value string) Text {
			hyphenated := strings.ReplaceAll(value, "_", "-")
			if isXDefault(hyphenated) {
				hyphenated = "x-default"
			}
			return newText("rule.hreflang-separator.found", printable(value), printable(hyphenated))
		}, wrongSeparator)},
	{ID: "hreflang-case", Severity: SeverityInfo, Engines: EngineGoogle, Source: hreflangCodes,
		needs: scan.HasAlternates,
		checkEntry: hreflangOf(func(value string) Text {
			if isXDefault(value) {
				return newText("rule.hreflang-case.x-default", printable(value))
			}
			return newText("rule.hreflang-case.found", printable(value))
		}, unusualCase)},
	{ID: "hreflang-region-only", Severity: SeverityError, Engines: EngineGoogle, Source: hreflangCodes,
		SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: hreflangOf(naming("rule.hreflang-region-only.found"), regionAlone)},
	{ID: "hreflang-unknown-code", Severity: SeverityWarning, Engines: EngineGoogle, Source: hreflangCodes,
		SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: hreflangOf(func(value string) Text {
			switch formOf(value) {
			case unknownScript:
				return newText("rule.hreflang-unknown-code.script", printable(value))
			case unknownRegion:
				return newText("rule.hreflang-unknown-code.country", printable(value))
			}
			return newText("rule.hreflang-unknown-code.language", printable(value))
		}, unknownLanguage, unknownScript, unknownRegion)},
}

// hreflangElementRules are about the attributes that a link has or lacks.
var hreflangElementRules = []*Rule{
	links.ofGoogle("hreflang-missing", SeverityWarning, "Missing XML attribute",
		func(e *entryCheck, n int, a *sitemap.Alternate) {
			if a.Hreflang == "" && a.Media == "" && a.Type == "" && isAlternate(a.Rel) && scan.IsAbsolute(a.Href) {
				reportLink(e, n, a.Href, newText("rule.hreflang-missing.found"))
			}
		}),
	{ID: "hreflang-with-media", Severity: SeverityWarning, Engines: EngineGoogle, Source: hreflangText + "#html",
		needs: scan.HasAlternates,
		checkEntry: links.each(func(e *entryCheck, n int, a *sitemap.Alternate) {
			if a.Hreflang != "" && a.Media != "" {
				reportLink(e, n, a.Media, newText("rule.hreflang-with-media.found"))
			}
		})},
}

// hreflangSetRules are about the links of a page together.
var hreflangSetRules = []*Rule{
	{ID: "hreflang-xdefault-bad", Severity: SeverityError, Engines: EngineGoogle, Source: hreflangText + "#xdefault",
		SearchConsole: "Invalid attribute value", needs: scan.HasAlternates,
		checkEntry: hreflangOf(naming("rule.hreflang-xdefault-bad.found"), misspelledX)},
	{ID: "hreflang-xdefault-missing", Severity: SeverityInfo, Engines: EngineGoogle, Source: hreflangText + "#xdefault",
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
				reportLink(e, 0, "", newText("rule.hreflang-xdefault-missing.found", versions))
			}
		}},
	{ID: "hreflang-duplicate", Severity: SeverityWarning, Engines: EngineGoogle, Source: hreflangAll,
		needs: scan.HasAlternates,
		checkEntry: func(e *entryCheck) {
			var seen variants
			for n, a := range e.Parsed().Alternates {
				if a.Hreflang != "" && seen.has(variant{strings.ToLower(a.Hreflang), a.Media}) {
					reportLink(e, n, a.Hreflang, newText("rule.hreflang-duplicate.found"))
				}
			}
		}},
}

const (
	hreflangCodes = hreflangText + "#language-codes"
	hreflangAll   = hreflangText + "#all-method-guidelines"
	hreflangLinks = hreflangText + "#sitemap"
)

// reportLink reports a breach by the n-th link of the entry.
func reportLink(e *entryCheck, n int, evidence string, message Text) {
	e.report("xhtml:link", n, evidence, message)
}

// hreflangOf returns a check that reports values of hreflang of the forms.
func hreflangOf(message func(value string) Text, forms ...hreflangForm) func(*entryCheck) {
	var reported [invalidForm + 1]bool
	for _, form := range forms {
		reported[form] = true
	}
	return links.each(func(e *entryCheck, n int, a *sitemap.Alternate) {
		if a.Hreflang != "" && reported[formOf(a.Hreflang)] {
			reportLink(e, n, a.Hreflang, message(a.Hreflang))
		}
	})
}

// naming returns a message that names the value.
func naming(code string) func(value string) Text {
	return func(value string) Text { return newText(code, printable(value)) }
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
