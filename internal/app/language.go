package app

import (
	"slices"

	"github.com/mapatools/mapa/internal/catalog"
)

// langSetting is the setting of the language of an HTML report.
func langSetting(value *string) Setting {
	return Setting{Name: "lang", Value: value, Risk: RiskNone, Values: choices(catalog.Languages()...),
		Help: "`LANGUAGE` of the HTML report: " + oneOf(catalog.Languages())}
}

// languageOf returns the language that a lang setting names.
func languageOf(name string) (catalog.Language, error) {
	language := catalog.Language(name)
	if !slices.Contains(catalog.Languages(), language) {
		return "", badSetting("lang", "%s must be %s, not %q", oneOf(catalog.Languages()), name)
	}
	return language, nil
}
