package format

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

// StylePolicy returns a Content-Security-Policy that lets a page apply this style
// sheet and load nothing.
func StylePolicy(style string) string {
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + HashSource(style)
}

// HashSource returns the hash source of a text that a page may apply or run
// (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
func HashSource(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// PageFunctions are the functions that page templates call.
var PageFunctions = template.FuncMap{
	"printable":  Printable,
	"readable":   func(url string) string { return Printable(ReadableURL(url)) },
	"link":       Link,
	"count":      Count,
	"plural":     Plural,
	"capitalize": Capitalize,
	"isURL":      IsURL,
}

// InSentence returns the name of something as it is within a sentence: with its first letter in
// lower case, unless it has another one in upper case.
func InSentence(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if strings.ContainsFunc(name[size:], unicode.IsUpper) {
		return name
	}
	return string(unicode.ToLower(first)) + name[size:]
}

// Capitalize returns title with its first letter in upper case.
func Capitalize(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(first)) + title[size:]
}
