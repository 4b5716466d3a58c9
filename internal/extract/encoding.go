package extract

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// coding converts pages to UTF-8.
type coding struct {
	text  []byte // the page in UTF-8, when it differs
	ascii bool   // the page is in UTF-8 and ASCII

	// The encoding looked up last: pages of one site share it.
	label, name string
	encoding    encoding.Encoding
}

const (
	utf8Name        = "utf-8"
	windows1252Name = "windows-1252"
	utf16BEName     = "utf-16be"
	utf16LEName     = "utf-16le"
)

// decode returns the page in UTF-8 and the name of its encoding, which it
// determines as browsers do (HTML standard, section 13.2.3.2): a byte order
// mark, the charset of the content type, a meta element or XML declaration in
// the first 1,024 bytes. Without any of these, browsers guess by the language of
// the user; this takes UTF-8 when the whole page is valid UTF-8, and windows-1252
// otherwise.
func (c *coding) decode(page []byte, contentType string) ([]byte, string) {
	c.text = reuse(c.text, maxKept)
	page, name := c.sniff(page, contentType)
	if name == "" {
		name = guess(page)
	}
	c.ascii = name == utf8Name && isASCII(page)
	if c.ascii || name == utf8Name && utf8.Valid(page) {
		return page, name
	}
	return c.convert(page, name), name
}

// isASCII reports whether all bytes are ASCII.
func isASCII(page []byte) bool {
	const step = 32
	i := 0
	for ; i+step <= len(page); i += step {
		p := page[i : i+step : i+step]
		if (binary.LittleEndian.Uint64(p)|binary.LittleEndian.Uint64(p[8:])|
			binary.LittleEndian.Uint64(p[16:])|binary.LittleEndian.Uint64(p[24:]))&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range page[i:] {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// guess returns the encoding of a page that does not state one. A character that is
// cut at the end of the page, which may be truncated, is valid UTF-8.
func guess(page []byte) string {
	for i := len(page) - 1; i >= 0 && i > len(page)-utf8.UTFMax; i-- {
		if utf8.RuneStart(page[i]) {
			if !utf8.FullRune(page[i:]) {
				page = page[:i]
			}
			break
		}
	}
	if utf8.Valid(page) {
		return utf8Name
	}
	return windows1252Name
}

// sniff returns the page without byte order mark, and the name of the encoding
// it states, or "".
func (c *coding) sniff(page []byte, contentType string) ([]byte, string) {
	for _, mark := range [...]struct{ bytes, name string }{
		{"\xef\xbb\xbf", utf8Name}, {"\xfe\xff", utf16BEName}, {"\xff\xfe", utf16LEName},
	} {
		if bytes.HasPrefix(page, []byte(mark.bytes)) {
			return page[len(mark.bytes):], mark.name
		}
	}
	if name := c.lookup(charsetParameter(contentType)); name != "" {
		return page, name
	}
	return page, c.prescan(page[:min(len(page), prescanLength)])
}

// lookup returns the name of the encoding with that label, or "".
func (c *coding) lookup(label string) string {
	if label == "" {
		return ""
	}
	if label != c.label {
		found, err := htmlindex.Get(label)
		if err != nil {
			return ""
		}
		name, err := htmlindex.Name(found)
		if err != nil {
			return ""
		}
		c.label, c.name, c.encoding = strings.Clone(label), name, found
	}
	return c.name
}

// convert converts the page to UTF-8; invalid bytes become U+FFFD.
func (c *coding) convert(page []byte, name string) []byte {
	var decoder transform.Transformer
	if name == utf8Name {
		decoder = unicode.UTF8.NewDecoder()
	} else if c.lookup(name) != "" {
		decoder = c.encoding.NewDecoder()
	}
	if decoder == nil {
		return page
	}
	text, _, err := transform.Append(decoder, c.text, page)
	if err != nil {
		return page
	}
	c.text = text
	return text
}

// charsetParameter returns the charset of a content type, or "". It is as
// lenient as the MIME Sniffing standard (section 4.4), unlike package mime.
func charsetParameter(contentType string) string {
	_, parameters, _ := strings.Cut(contentType, ";")
	for parameters != "" {
		var parameter string
		parameter, parameters, _ = strings.Cut(parameters, ";")
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "charset") {
			return strings.Trim(value, " \t\n\f\r\"'")
		}
	}
	return ""
}
