package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"unicode"
	"unicode/utf8"
)

//go:embed page.css
var pageStyle string

// pagePolicy lets a page apply its own style sheet and do nothing else.
var pagePolicy = StylePolicy(pageStyle)

// StylePolicy returns the Content-Security-Policy that lets a page apply a style
// sheet of its own and nothing else, and load nothing.
func StylePolicy(style string) string {
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashSource(style)
}

// hashSource names a text that a page may apply or run
// (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
func hashSource(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// pageFunctions are what templates of pages call.
var pageFunctions = template.FuncMap{
	"printable": Printable,
	"counted":   counted,
	"plural":    Plural,
	"capital":   capital,
	"linked":    IsAddress,
}

// capital returns a title as a heading has it.
func capital(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(first)) + title[size:]
}
