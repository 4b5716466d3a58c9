package sitemap_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

func TestTextFile(t *testing.T) {
	kinds := func(kinds ...sitemap.FaultKind) []sitemap.FaultKind { return kinds }
	for _, c := range []struct {
		name, file string
		locs       string
		kinds      []sitemap.FaultKind
		base       string
	}{
		{"LF", "http://a/\nhttps://b/\n", "http://a/ https://b/", nil, ""},
		{"no end", "http://a/\nhttp://b/", "http://a/ http://b/", nil, ""},
		{"CR LF", "http://a/\r\nhttp://b/\r\n", "http://a/ http://b/", nil, ""},
		{"CR", "http://a/\rhttp://b/\r", "http://a/ http://b/", nil, ""},
		{"CR and LF mixed", "http://a/\rhttp://b/\nhttp://c/\r\nhttp://d/", "http://a/ http://b/ http://c/ http://d/", nil,
			""},
		{"a byte order mark", "\xef\xbb\xbfhttp://a/\n", "http://a/", kinds(sitemap.FaultBOMPresent), ""},
		{"blank lines", "http://a/\n\n \n\r\nhttp://b/\n\n", "http://a/ http://b/", kinds(sitemap.FaultBlankLine), ""},
		{"blank lines first", "\n\nhttp://a/", "http://a/", nil, ""},
		{"white space", "  http://a/\t\nhttp://b/ \r\n", "http://a/ http://b/", nil, ""},
		{"a header", "My sitemap\nhttp://a/\n", "http://a/", kinds(sitemap.FaultLineInvalid), ""},
		{"garbage", "http://a/\nfoo\nhttp://b/ c\n# d\n", "http://a/",
			kinds(sitemap.FaultLineInvalid, sitemap.FaultLineInvalid, sitemap.FaultLineInvalid), ""},
		{"relative", "http://a/\n/b\n", "http://a/", kinds(sitemap.FaultLineInvalid), ""},
		{"relative with a base", "/b\nc?d\n//e/f\n", "https://h/b https://h/x/c?d https://e/f",
			kinds(sitemap.FaultLocRelative, sitemap.FaultLocRelative, sitemap.FaultLocRelative), "https://h/x/sitemap.txt"},
		{"ampersands stay", "http://a/?b&amp;c&d\n", "http://a/?b&amp;c&d", nil, ""},
		{"no UTF-8", "http://a/\xe9\n", "http://a/\xe9", kinds(sitemap.FaultInvalidUTF8), ""},
		{"capitals", "HTTP://A/\n", "HTTP://A/", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.file, sitemap.ReaderOptions{Base: c.base})
			got.wantErr(t, "")
			got.wantLocs(t, strings.Fields(c.locs)...)
			got.wantKinds(t, c.kinds...)
			if got.Format != sitemap.FormatText {
				t.Errorf("format %v", got.Format)
			}
			strict := read(t, c.file, sitemap.ReaderOptions{Base: c.base, Strict: true})
			if (strict.Err != nil) != (len(c.kinds) > 0) {
				t.Errorf("strict ends with %v", strict.Err)
			}
		})
	}
}

func TestTextPlaces(t *testing.T) {
	got := read(t, "http://a/\r\n\r\n  http://b/\rfoo bar\n", sitemap.ReaderOptions{Limits: sitemap.Limits{URLs: 1}})
	if len(got.Entries) != 2 || got.Entries[1].Offset != 15 || got.Entries[1].Line != 3 {
		t.Errorf("%s", got.describe())
	}
	got.wantKinds(t, sitemap.FaultBlankLine, sitemap.FaultTooManyEntries, sitemap.FaultLineInvalid)
	for i, want := range []sitemap.Fault{
		{Kind: sitemap.FaultBlankLine, Offset: 11, Line: 2, Column: 1},
		{Kind: sitemap.FaultTooManyEntries, Offset: 15, Line: 3, Column: 3},
		{Kind: sitemap.FaultLineInvalid, Offset: 25, Line: 3, Column: 13, Detail: "foo bar"},
	} {
		if i < len(got.Faults) && got.Faults[i] != want {
			t.Errorf("fault %#v, want %#v", got.Faults[i], want)
		}
	}
}

// TestTextLongLine aborts at a line that is longer than a value may be.
func TestTextLongLine(t *testing.T) {
	long := "http://a/" + strings.Repeat("b", 300<<10)
	read(t, "http://a/\n"+long+"\n", sitemap.ReaderOptions{}).wantLocs(t, "http://a/", long)
	got := readFrom(strings.NewReader("http://a/\n"+long+"\n"),
		sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Entry: 200 << 10}})
	got.wantLocs(t, "http://a/")
	got.wantErr(t, sitemap.FaultCeilingReached)
}
