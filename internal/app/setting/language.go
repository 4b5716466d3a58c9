package setting

import (
	"slices"

	"github.com/mapatools/mapa/internal/catalog"
)

// LangSetting is the setting of the language of what people read: summaries, reports and the HTML
// sitemap of a site in a language without texts.
func LangSetting(value *string) Setting {
	return Setting{Name: "lang", Value: String(value), Risk: RiskNone, Values: Choices(catalog.Languages()...),
		Help: "`LANGUAGE` of what people read: " + OneOf(catalog.Languages())}
}

// LanguageOf returns the language that a lang setting names.
func LanguageOf(name string) (catalog.Language, error) {
	language := catalog.Language(name)
	if !slices.Contains(catalog.Languages(), language) {
		return "", Invalid("lang", "%s must be %s, not %q", OneOf(catalog.Languages()), name)
	}
	return language, nil
}
