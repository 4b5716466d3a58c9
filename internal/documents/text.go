package documents

import (
	"regexp"
	"strings"
)

// webAddress is what a reader of plain text takes for a URL.
var webAddress = regexp.MustCompile(`\bhttps?://[^\s<>"'\x60\\^{|}]+`)

// readText finds the URLs in plain text.
func readText(source []byte) *document {
	var found []placedLink
	for _, at := range webAddress.FindAllIndex(source, -1) {
		address := trimSentence(string(source[at[0]:at[1]]))
		found = append(found, placedLink{Link{URL: address, Text: address}, at[0]})
	}
	var d document
	d.addLinks(source, found)
	return &d
}

// trimSentence returns a URL without the punctuation of the sentence that it ends, and without a
// bracket that it does not open.
func trimSentence(address string) string {
	for {
		trimmed := strings.TrimRight(address, ".,;:!?*_~")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(trimmed, pair[1:]) && strings.Count(trimmed, pair[:1]) < strings.Count(trimmed, pair[1:]) {
				trimmed = trimmed[:len(trimmed)-1]
			}
		}
		if trimmed == address {
			return address
		}
		address = trimmed
	}
}
