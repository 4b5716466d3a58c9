// Package catalog holds the texts that Mapa shows in several languages, and writes
// numbers, dates and times in the form of a language.
//
// Each language has the same keys. A key that begins with "web." belongs to the web
// application, one that begins with "reason." explains a [crawl.Reason], and all others
// belong to the report. A text that depends on a number has two keys, which end in ".one"
// and ".other"; its first %s is the number.
//
// [crawl.Reason]: https://pkg.go.dev/github.com/mapatools/mapa/crawl#Reason
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/lazy"
	"golang.org/x/text/language"
)

// Language is the code of a language (BCP 47), such as "en".
type Language string

// The languages.
const (
	English Language = "en"
	Spanish Language = "es"
)

// languages are all languages. The first is that of people whose language is not there.
var languages = []Language{English, Spanish}

// Languages returns the languages, the default one first.
func Languages() []Language { return slices.Clone(languages) }

var matcher lazy.Value[language.Matcher]

func newMatcher() language.Matcher {
	return language.NewMatcher([]language.Tag{language.English, language.Spanish})
}

// Match returns the language that fits the value of an Accept-Language header best
// (RFC 9110, section 12.5.4), or the default one.
func Match(acceptLanguage string) Language {
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return languages[0]
	}
	_, index, _ := matcher.Get(newMatcher).Match(wanted...)
	return languages[index]
}

// Catalog holds the texts of one language. Get it from [For]. It is safe for concurrent
// use.
type Catalog struct {
	language Language
	texts    map[string]string
	form     *form
}

var catalogs lazy.Value[map[Language]*Catalog]

func newCatalogs() map[Language]*Catalog {
	return map[Language]*Catalog{
		English: newCatalog(English, &englishForm,
			englishReport(), englishDetails(), englishReasons(), englishWeb(), englishMail()),
		Spanish: newCatalog(Spanish, &spanishForm,
			spanishReport(), spanishDetails(), spanishReasons(), spanishWeb(), spanishMail()),
	}
}

// For returns the catalog of a language, or that of the default one if the language has
// none.
func For(l Language) *Catalog {
	if found := catalogs.Get(newCatalogs)[l]; found != nil {
		return found
	}
	return catalogs.Get(newCatalogs)[languages[0]]
}

// newCatalog returns the catalog of a language, whose texts are in several parts. A key in
// two parts is an error of the program.
func newCatalog(l Language, f *form, parts ...map[string]string) *Catalog {
	c := &Catalog{language: l, texts: map[string]string{}, form: f}
	for _, part := range parts {
		for key, text := range part {
			if _, known := c.texts[key]; known {
				panic("catalog: two texts " + key)
			}
			c.texts[key] = text
		}
	}
	return c
}

// Language returns the language of the texts.
func (c *Catalog) Language() Language { return c.language }

// Text returns a text with its arguments, as [fmt.Sprintf] formats them. A key without a
// text is an error of the program: Text panics.
func (c *Catalog) Text(key string, arguments ...any) string {
	text, found := c.texts[key]
	if !found {
		panic("catalog: no text " + key)
	}
	if len(arguments) == 0 {
		return text
	}
	return fmt.Sprintf(text, arguments...)
}

// Plural returns the form of a text for the number n, which is its first argument.
func (c *Catalog) Plural(key string, n int64, arguments ...any) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return c.Text(key+form, append([]any{c.Count(n)}, arguments...)...)
}

// WithPrefix returns the texts whose keys begin with prefix, by the rest of their keys. A
// script gets its texts this way.
func (c *Catalog) WithPrefix(prefix string) map[string]string {
	found := map[string]string{}
	for key, text := range c.texts {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			found[rest] = text
		}
	}
	return found
}
