package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends value to dst as JSON on one line. The characters that
// [Printable] escapes become JSON escapes, so the text keeps its meaning.
func AppendJSON(dst []byte, value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return dst, err
	}
	return appendEscaped(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// NewEncoder returns an encoder of JSON whose output has the escapes of [AppendJSON].
func NewEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(&escaper{out: w})
	encoder.SetEscapeHTML(false)
	return encoder
}

// An escaper escapes JSON. An encoder writes every value at once.
type escaper struct {
	out    io.Writer
	buffer []byte
}

// Write implements [io.Writer].
func (e *escaper) Write(value []byte) (int, error) {
	e.buffer = appendEscaped(e.buffer[:0], value)
	if _, err := e.out.Write(e.buffer); err != nil {
		return 0, err
	}
	return len(value), nil
}

// appendEscaped appends JSON with escapes for what [Printable] escapes.
func appendEscaped(dst, text []byte) []byte {
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
	return dst
}

// AppendString appends a text as [AppendJSON] does.
func AppendString(dst []byte, text string) []byte {
	from := len(dst)
	dst = append(dst, '"')
	for i := range len(text) {
		c := text[i]
		if c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '#' {
			dst, _ = AppendJSON(dst[:from], text) // a string cannot fail
			return dst
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// AppendScriptString appends text as [AppendScriptJSON] does, without the quotation
// marks.
func AppendScriptString(dst []byte, text string) []byte {
	from := len(dst)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < 0x20 || c >= 0x7f || c == '<' || c == '#':
			quoted, _ := AppendScriptJSON(nil, text) // a string cannot fail
			return append(dst[:from], quoted[1:len(quoted)-1]...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendScriptJSON appends value as JSON that is safe inside an HTML script element:
// nothing in it can end the element.
func AppendScriptJSON(dst []byte, value any) ([]byte, error) {
	from := len(dst)
	dst, err := AppendJSON(dst, value)
	if err != nil || bytes.IndexByte(dst[from:], '<') < 0 {
		return dst, err
	}
	return append(dst[:from], bytes.ReplaceAll(dst[from:], []byte("<"), []byte(`\u003c`))...), nil
}
