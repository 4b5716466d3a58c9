package lint

import (
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// Text is a text of a rule or a finding: a code and arguments, which are worded when they
// are shown. Package fmt prints it in English.
type Text struct {
	// Code names the text. One that is unknown is shown as it is.
	Code string
	// Arguments are the values in the text: strings, integers and Texts.
	Arguments []any
}

func newText(code string, arguments ...any) Text { return Text{code, arguments} }

// String returns the text in English.
func (t Text) String() string { return t.word(catalog.For(catalog.English)) }

// In returns the text in a language, which is named by its code of BCP 47, such as "es"
// or "es-MX". A language without texts means English.
func (t Text) In(language string) string { return t.word(catalog.For(catalog.Match(language))) }

func (t Text) word(c *catalog.Catalog) string {
	values := make([]any, len(t.Arguments))
	for i, argument := range t.Arguments {
		values[i] = argument
		if inner, isText := argument.(Text); isText {
			values[i] = inner.word(c)
		}
	}
	return c.Message(t.Code, values)
}

// masked returns the text with asterisks in place of user information in its arguments.
func (t Text) masked() Text {
	masked := Text{Code: t.Code}
	for _, argument := range t.Arguments {
		switch a := argument.(type) {
		case string:
			argument = format.MaskUser(a)
		case Text:
			argument = a.masked()
		}
		masked.Arguments = append(masked.Arguments, argument)
	}
	return masked
}
