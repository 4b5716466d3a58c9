package sitemap_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/mapatools/mapa/sitemap"
)

func encoded(t *testing.T, enc encoding.Encoding, text string) string {
	t.Helper()
	s, err := enc.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCharsets reads the same address in every charset that a byte order mark,
// a declaration or a header may name. The mark goes before the declaration, that
// before the header (RFC 7303, section 3).
func TestCharsets(t *testing.T) {
	document := func(declaration, loc string) string {
		return declaration + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` + loc +
			`</loc></url></urlset>`
	}
	declared := func(label string) string { return `<?xml version="1.0" encoding="` + label + `"?>` }
	const loc = "http://ejemplo.com/españa"
	const mark = "\xef\xbb\xbf"
	little := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	big := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	kinds := func(kinds ...sitemap.FaultKind) []sitemap.FaultKind { return kinds }
	for _, c := range []struct {
		name, document, header, want string
		kinds                        []sitemap.FaultKind
	}{
		{"UTF-8", document("", loc), "", loc, nil},
		{"UTF-8 declared", document(declared("utf-8"), loc), "", loc, nil},
		{"UTF-8 declared oddly", document(declared(" UTF8 "), loc), "", loc, nil},
		{"ASCII declared", document(declared("us-ascii"), loc), "", loc, nil},
		{"UTF-8 by header", document("", loc), `text/xml; charset="utf-8"`, loc, nil},
		{"UTF-8 with a mark", mark + document("", loc), "", loc, kinds(sitemap.FaultBOMPresent)},
		{"mark against declaration", mark + document(declared("ISO-8859-1"), loc), "", loc,
			kinds(sitemap.FaultBOMPresent, sitemap.FaultEncodingConflict)},
		{"mark against header", mark + document("", loc), "text/xml; charset=iso-8859-1", loc,
			kinds(sitemap.FaultBOMPresent)},
		{"windows-1252", document(declared("windows-1252"), encoded(t, charmap.Windows1252, loc+"“")), "", loc + "“",
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"ISO-8859-1", document(declared("ISO-8859-1"), encoded(t, charmap.ISO8859_1, loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"single quotes", document(`<?xml version='1.0' encoding='latin1' standalone='yes'?>`,
			encoded(t, charmap.ISO8859_1, loc)), "", loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"after white space", document(" \n"+declared("latin1"), encoded(t, charmap.ISO8859_1, loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8, sitemap.FaultLeadingWhitespace)},
		{"header alone", document("", encoded(t, charmap.ISO8859_1, loc)), "application/xml; charset=ISO-8859-1", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"declaration against header", document(declared("ISO-8859-1"), encoded(t, charmap.ISO8859_1, loc)),
			"text/xml; charset=utf-8", loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"declared UTF-8 against header", document(declared("UTF-8"), loc), "text/xml; charset=iso-8859-1", loc, nil},
		{"broken header", document("", loc), "text/xml; charset=a; charset=b", loc, nil},
		{"windows-1251", document(declared("windows-1251"), encoded(t, charmap.Windows1251, "http://a/привет")), "",
			"http://a/привет", kinds(sitemap.FaultEncodingNotUTF8)},
		{"Shift_JIS", document(declared("Shift_JIS"), encoded(t, japanese.ShiftJIS, "http://a/日本")), "", "http://a/日本",
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"EUC-JP", document(declared("EUC-JP"), encoded(t, japanese.EUCJP, "http://a/日本")), "", "http://a/日本",
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"GB18030", document(declared("gb18030"), encoded(t, simplifiedchinese.GB18030, "http://a/中文")), "", "http://a/中文",
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"GB2312", document(declared("gb2312"), encoded(t, simplifiedchinese.GBK, "http://a/中文")), "", "http://a/中文",
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 LE with a mark", "\xff\xfe" + encoded(t, little, document(declared("UTF-16"), loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 BE with a mark", "\xfe\xff" + encoded(t, big, document(declared("UTF-16"), loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 LE", encoded(t, little, document(declared("UTF-16LE"), loc)), "", loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 BE", encoded(t, big, document("", loc)), "", loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 that says UTF-8", "\xff\xfe" + encoded(t, little, document(declared("utf-8"), loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8, sitemap.FaultEncodingConflict)},
		{"UTF-16 LE after white space", encoded(t, little, "\r\n"+document("", loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 LE by header", encoded(t, little, loc+"\n"), "text/plain; charset=utf-16le", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-16 BE lines", encoded(t, big, loc+"\r\n"), "", loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"IBM850", document(declared("IBM850"), encoded(t, charmap.CodePage850, loc)), "", loc,
			kinds(sitemap.FaultEncodingNotUTF8)},
		{"IBM437 by an alias in the header", document("", encoded(t, charmap.CodePage437, loc)), "text/xml; charset=cp437",
			loc, kinds(sitemap.FaultEncodingNotUTF8)},
		{"UTF-8 that says UTF-16", document(declared("utf-16"), loc), "", loc, kinds(sitemap.FaultEncodingConflict)},
		{"UTF-8 that says UCS-2", document(declared("iso-10646-ucs-2"), loc), "", loc, kinds(sitemap.FaultEncodingConflict)},
		{"UTF-8 and a header that says UTF-16", document("", loc), "text/xml; charset=utf-16", loc,
			kinds(sitemap.FaultEncodingConflict)},
		{"latin1 that says nothing", document("", encoded(t, charmap.ISO8859_1, loc)), "", "http://ejemplo.com/espa\xf1a",
			kinds(sitemap.FaultInvalidUTF8)},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := sitemap.ReaderOptions{ContentType: c.header}
			got := read(t, c.document, options)
			got.wantErr(t, "")
			got.wantLocs(t, c.want)
			got.wantKinds(t, c.kinds...)
			options.Strict = true
			if strict := readFrom(strings.NewReader(c.document), options); (strict.Err != nil) != (len(c.kinds) > 0) {
				t.Errorf("strict ends with %v", strict.Err)
			}
		})
	}
}

// TestOffsetsCountTheFile places an entry in the file as it is, byte order mark
// included, with columns that do not count the mark.
func TestOffsetsCountTheFile(t *testing.T) {
	got := read(t, "\xef\xbb\xbf<urlset><url><loc>&</loc></url>\n <url><loc>a</loc></url></urlset>",
		sitemap.ReaderOptions{})
	if len(got.Entries) != 2 || got.Entries[0].Offset != 11 || got.Entries[1].Offset != 36 || got.Entries[1].Line != 2 {
		t.Errorf("%s", got.describe())
	}
	got.wantKinds(t, sitemap.FaultBOMPresent, sitemap.FaultNamespaceMissing, sitemap.FaultBareAmpersand,
		sitemap.FaultLocRelative, sitemap.FaultLocRelative)
	if f := got.Faults[2]; f.Offset != 21 || f.Line != 1 || f.Column != 19 {
		t.Errorf("%v", f.Error())
	}
}
