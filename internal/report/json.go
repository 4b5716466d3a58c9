package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// appendJSON appends a value as JSON on one line. What [Printable] keeps from
// people's eyes is written as escapes, which mean the same text.
func appendJSON(dst []byte, value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return dst, err
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r >= 0x7f && isControl(r):
			for _, unit := range utf16.Encode([]rune{r}) {
				dst = fmt.Appendf(dst, `\u%04x`, unit)
			}
		case r == '#' && isCommand(string(text[:min(len(text), len("##vso["))])):
			dst = append(dst, `\u0023`...)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst, nil
}
