package sitemap

import (
	"bytes"
	"mime"
	"strings"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// charset decides by byte order mark, then XML declaration, then HTTP header
// (RFC 7303, section 3). A nil encoding is UTF-8; skip is the length of
// a UTF-8 byte order mark.
func (in *input) charset(head []byte, contentType string) (enc encoding.Encoding, skip int, err error) {
	declared := declaredCharset(head)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		in.report(FaultBOMPresent, "")
		if declared := declaredCharset(head[3:]); declared != "" && !isUTF8(declared) {
			in.report(FaultEncodingConflict, "a UTF-8 byte order mark, but "+excerpt([]byte(declared))+" is declared")
		}
		return nil, 3, nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")), isWide(head, 1):
		return in.utf16(head, unicode.LittleEndian, "UTF-16, little endian"), 0, nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")), isWide(head, 0):
		return in.utf16(head, unicode.BigEndian, "UTF-16, big endian"), 0, nil
	}
	label := declared
	if label == "" {
		if _, parameters, err := mime.ParseMediaType(contentType); err == nil {
			label = parameters["charset"]
		}
	}
	if label == "" || isUTF8(label) {
		return nil, 0, nil
	}
	enc, err = charsetNamed(label)
	if err != nil {
		return nil, 0, &Fault{Kind: FaultUnknownCharset, Detail: excerpt([]byte(label))}
	}
	if name, _ := htmlindex.Name(enc); strings.HasPrefix(name, "utf-16") {
		in.report(FaultEncodingConflict, "UTF-16 is declared, but the bytes are not")
		return nil, 0, nil
	}
	in.report(FaultEncodingNotUTF8, excerpt([]byte(label)))
	return enc, 0, nil
}

// charsetNamed finds a charset by the labels that browsers know
// (https://encoding.spec.whatwg.org/#names-and-labels), or else a DOS code page by
// its registered number (https://www.iana.org/assignments/character-sets).
func charsetNamed(label string) (encoding.Encoding, error) {
	enc, err := htmlindex.Get(label)
	if err == nil {
		return enc, nil
	}
	number := strings.ToLower(strings.TrimSpace(label))
	number = strings.TrimPrefix(strings.TrimPrefix(number, "ibm"), "cp")
	switch number {
	case "437":
		return charmap.CodePage437, nil
	case "850":
		return charmap.CodePage850, nil
	case "852":
		return charmap.CodePage852, nil
	case "855":
		return charmap.CodePage855, nil
	case "00858", "858":
		return charmap.CodePage858, nil
	case "860":
		return charmap.CodePage860, nil
	case "862":
		return charmap.CodePage862, nil
	case "863":
		return charmap.CodePage863, nil
	case "865":
		return charmap.CodePage865, nil
	}
	return nil, err
}

// isWide reports whether a head without a byte order mark is UTF-16: its first
// two characters are ASCII, so the upper byte of each, at index zero, is 0 (XML
// 1.0, appendix F.1).
func isWide(head []byte, zero int) bool {
	return len(head) >= 4 && head[zero] == 0 && head[1-zero] != 0 && head[2+zero] == 0 && head[3-zero] != 0
}

// utf16 returns the encoding of a file in UTF-16, and reports it, and a
// declaration that contradicts it.
func (in *input) utf16(head []byte, order unicode.Endianness, name string) encoding.Encoding {
	enc := unicode.UTF16(order, unicode.UseBOM)
	in.report(FaultEncodingNotUTF8, name)
	text, _ := enc.NewDecoder().Bytes(head)
	if declared := declaredCharset(text); declared != "" && !strings.HasPrefix(strings.ToLower(declared), "utf-16") {
		in.report(FaultEncodingConflict, name+", but "+excerpt([]byte(declared))+" is declared")
	}
	return enc
}

func isUTF8(label string) bool {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return true
	}
	return false
}

// declaredCharset reads the encoding of an XML declaration.
func declaredCharset(head []byte) string {
	head = bytes.TrimLeft(head, xmltext.Whitespace)
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		return ""
	}
	attributes := head[len("<?xml"):end]
	for at := 0; ; {
		attribute, next, err := xmlscan.NextAttribute(attributes, at)
		if err != nil || attribute.Name == nil {
			return ""
		}
		if string(attribute.Name) == "encoding" {
			return string(attribute.Value)
		}
		at = next
	}
}
