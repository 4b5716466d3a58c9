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

// pagePolicy lets a page apply its own style sheet and do nothing else
// (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
var pagePolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(hash[:]) + "'"
}()

// pageFunctions are what templates of pages call.
var pageFunctions = template.FuncMap{
	"printable": Printable,
	"counted":   counted,
	"plural":    plural,
	"capital":   capital,
	"linked":    isAddress,
}

// capital returns a title as a heading has it.
func capital(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(first)) + title[size:]
}
