// Package catalog holds the texts that Mapa shows in several languages, and writes
// numbers, dates and times in the form of a language.
//
// Each language has a file, such as en.json, with the same keys. A key that begins with "web." belongs to the web
// application, one that begins with "reason." explains a [crawl.Reason], "rule.ID." belongs
// to a rule of package lint and "finding." to its findings, "hint.", "notice." and "line." are of the
// command line, and all others belong to the report or to the command of their name.
// A text that depends on a number has two keys, which end in ".one"
// and ".other"; its first %s is the number.
//
// [crawl.Reason]: https://pkg.go.dev/github.com/mapatools/mapa/crawl#Reason
package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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

var matcher = sync.OnceValue(func() language.Matcher {
	return language.NewMatcher([]language.Tag{language.English, language.Spanish})
})

// Match returns the language that fits the value of an Accept-Language header best
// (RFC 9110, section 12.5.4), or the default one.
func Match(acceptLanguage string) Language {
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return languages[0]
	}
	_, index, _ := matcher().Match(wanted...)
	return languages[index]
}

// Catalog holds the texts of one language. Get it from [For]. It is safe for concurrent
// use.
type Catalog struct {
	language Language
	texts    map[string]string
	form     *form
	zone     *time.Location
}

// files are the texts: one JSON object of keys and texts for each language.
//
//go:embed en.json es.json
var files embed.FS

var (
	english = sync.OnceValue(func() *Catalog { return newCatalog(English, &englishForm) })
	spanish = sync.OnceValue(func() *Catalog { return newCatalog(Spanish, &spanishForm) })
)

// For returns the catalog of a language, or that of the default one if the language has
// none.
func For(l Language) *Catalog {
	if l == Spanish {
		return spanish()
	}
	return english()
}

// newCatalog reads the catalog of a language. A file that cannot be read is an error of the
// program.
func newCatalog(l Language, f *form) *Catalog {
	c := &Catalog{language: l, form: f, zone: time.UTC}
	file, err := files.ReadFile(string(l) + ".json")
	if err == nil {
		err = json.Unmarshal(file, &c.texts)
	}
	if err != nil {
		panic("catalog: " + err.Error())
	}
	return c
}

// In returns the catalog with dates and times of another time zone than UTC.
func (c *Catalog) In(zone *time.Location) *Catalog {
	local := *c
	local.zone = zone
	return &local
}

// Language returns the language of the texts.
func (c *Catalog) Language() Language { return c.language }

// Text returns a text with its arguments, as [fmt.Sprintf] formats them. A text without
// verbs, such as that for the number one, needs none of them. A key without a text is an
// error of the program: Text panics.
func (c *Catalog) Text(key string, arguments ...any) string {
	text, found := c.texts[key]
	if !found {
		panic("catalog: no text " + key)
	}
	if len(arguments) == 0 || !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, arguments...)
}

// Plural returns the form of a text for the number n, which is its first argument.
func (c *Catalog) Plural(key string, n int64, arguments ...any) string {
	return c.Text(key+pluralEnding(n), append([]any{c.Count(n)}, arguments...)...)
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
