package setting

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
)

// LangSetting is the setting of the language of what people read: summaries, reports and the HTML
// sitemap of a site in a language without texts.
func LangSetting(value *string) Setting {
	return Setting{Name: "lang", Value: String(value), Risk: RiskNone, Values: Choices(catalog.Languages()...),
		Help: "`LANGUAGE` of what people read: " + OneOf(catalog.Languages())}
}

// SystemLanguage returns the language of the user's system by the variables of POSIX, or "" if they name no
// language that has texts. C and POSIX are English.
func SystemLanguage(environment func(name string) string) catalog.Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale, _, _ := strings.Cut(environment(name), ".")
		locale, _, _ = strings.Cut(locale, "@")
		language, _, _ := strings.Cut(locale, "_")
		switch named := catalog.Language(strings.ToLower(language)); {
		case locale == "C" || locale == "POSIX":
			return catalog.English
		case slices.Contains(catalog.Languages(), named):
			return named
		}
	}
	return ""
}

// LanguageOf returns the language that a lang setting names.
func LanguageOf(name string) (catalog.Language, error) {
	language := catalog.Language(name)
	if !slices.Contains(catalog.Languages(), language) {
		return "", Invalid("lang", "%s must be %s, not %q", OneOf(catalog.Languages()), name)
	}
	return language, nil
}
