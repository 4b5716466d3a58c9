package extract

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

func utf16LE(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}

func TestEncoding(t *testing.T) {
	tests := []struct{ name, contentType, page, encoding, title string }{
		{"mark before header", "text/html; charset=iso-8859-1", "\xef\xbb\xbf<title>é</title>", "utf-8", "é"},
		{"header before meta", "text/html; charset=utf-8", "<meta charset=iso-8859-1><title>é</title>", "utf-8", "é"},
		{"quoted header", `text/html;x;CharSet="koi8-r"`, "<title>\xc1</title>", "koi8-r", "а"},
		{"unknown header", "text/html; charset=none", "<meta charset=koi8-r><title>\xc1</title>", "koi8-r", "а"},
		{"meta", "", "<meta charset=' Shift_JIS '><title>\x93\xfa\x96\x7b</title>", "shift_jis", "日本"},
		{"pragma", "", `<meta content="text/html; charset=windows-1251" http-equiv=Content-Type>` + "<title>\xe0</title>",
			"windows-1251", "а"},
		{"content without pragma", "", `<meta content="text/html; charset=koi8-r">` + "<title>\xe9</title>", "windows-1252",
			"é"},
		{"latin1 is windows-1252", "", "<meta charset=latin1><title>\x80</title>", "windows-1252", "€"},
		{"utf-16 in meta", "", "<meta charset=utf-16le><title>é</title>", "utf-8", "é"},
		{"in a comment", "", "<!-- <meta charset=koi8-r> --><title>\xe9</title>", "windows-1252", "é"},
		{"behind 1024 bytes", "", strings.Repeat(" ", 1024) + "<meta charset=koi8-r><title>\xe9</title>", "windows-1252",
			"é"},
		{"across 1024 bytes", "", strings.Repeat(" ", 1010) + "<meta charset=koi8-r><title>\xe9</title>", "windows-1252",
			"é"},
		{"xml declaration", "", "<?xml version='1.0' encoding = \"koi8-r\"?><title>\xc1</title>", "koi8-r", "а"},
		{"meta before xml", "", "<?xml encoding='koi8-r'?><meta charset=windows-1251><title>\xe0</title>", "windows-1251",
			"а"},
		{"nothing, utf-8", "", "<title>é</title>", "utf-8", "é"},
		{"nothing, utf-8 cut off", "", "<title>é</title>\xe2\x82", "utf-8", "é"},
		{"nothing, not utf-8", "", "<title>\xe9</title>", "windows-1252", "é"},
		{"invalid utf-8", "", "<meta charset=utf-8><title>\xe9\xe2\x82x</title>", "utf-8", "\ufffd\ufffdx"},
		{"utf-16", "", "\xff\xfe" + utf16LE("<title>é</title>"), "utf-16le", "é"},
		{"gbk", "text/html;charset=gb2312", "<title>\xd6\xd0</title>", "gbk", "中"},
	}
	var s Scanner
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := s.Scan([]byte(test.page), test.contentType, Options{})
			if page.Encoding != test.encoding || string(page.Title) != test.title {
				t.Errorf("got %s, %q; want %s, %q", page.Encoding, page.Title, test.encoding, test.title)
			}
		})
	}
}

// FuzzEncoding compares the encoding found with that of golang.org/x/net's
// charset package, where that follows the standard.
func FuzzEncoding(f *testing.F) {
	f.Add("<meta charset=koi8-r>é", "")
	f.Add("<meta http-equiv=content-type content='a;charset=x;charset = \"gbk\"'>", "text/html")
	f.Add("<title><meta charset=gbk></title>", "text/html; charset=utf-8")
	f.Fuzz(func(t *testing.T, page, contentType string) {
		var s Scanner
		got := s.Scan([]byte(page), contentType, Options{}).Encoding
		if got == "" {
			t.Error("a page without encoding")
		}
		lowered := strings.ToLower(page)
		for _, beyond := range []string{"<?", "<!", "</", "\x00", "<title", "<style", "<script", "<no", "<iframe",
			"<textarea", "<xmp", "<plaintext", "user-defined", "&"} {
			if strings.Contains(lowered, beyond) {
				return // the charset package reads these as a tokenizer does, not as the prescan
			}
		}
		if strings.Contains(contentType, ";") || strings.Count(lowered, "<meta") > 1 ||
			strings.Count(lowered, "charset") > 1 || len(page) > prescanLength {
			return
		}
		_, want, _ := charset.DetermineEncoding([]byte(page), contentType)
		if want == utf8Name && !utf8.ValidString(page) {
			return // the charset package overlooks any last three bytes
		}
		if want != got && want != windows1252Name {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
