package documents

import (
	"regexp"
	"strings"
)

// addressEnds are the characters that no URL in plain text has.
const addressEnds = "\t\n\v\f\r <>\"'`\\^{|}"

// linkText begins the text of a link of AsciiDoc (https://docs.asciidoctor.org/asciidoc/latest/macros/url-macro/).
var linkText = regexp.MustCompile(`^(https?://[^\[]+)\[[^\]]*$`)

// webAddress is what a reader of plain text takes for a URL.
var webAddress = regexp.MustCompile(`\bhttps?://[^` + regexp.QuoteMeta(addressEnds) + `]+`)

// readText finds the URLs in a part of a plain text.
func readText(source []byte, p part) *document {
	var found []placedLink
	for _, at := range webAddress.FindAllIndex(source, -1) {
		address := linkText.ReplaceAllString(trimSentence(string(source[at[0]:at[1]])), "$1")
		found = append(found, placedLink{Link{URL: address, Text: address}, at[0]})
	}
	var d document
	d.addLinks(source, found)
	for i := range d.links {
		l := &d.links[i]
		if l.Line == 1 {
			l.Column += p.column
		}
		l.Line += p.line
	}
	return &d
}

// trimSentence returns a URL without the punctuation of the sentence that it ends, and without
// brackets that it does not open.
func trimSentence(address string) string {
	round := strings.Count(address, ")") - strings.Count(address, "(")
	square := strings.Count(address, "]") - strings.Count(address, "[")
	for end := len(address); end > 0; end-- {
		switch c := address[end-1]; {
		case strings.IndexByte(".,;:!?*_~", c) >= 0:
		case c == ')' && round > 0:
			round--
		case c == ']' && square > 0:
			square--
		default:
			return address[:end]
		}
	}
	return ""
}
