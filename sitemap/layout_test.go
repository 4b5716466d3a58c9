package sitemap_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mapatools/mapa/sitemap"
)

// recordShapes are records that a reader that predicts the next from the last
// could confuse; %d is the number of the record.
var recordShapes = []string{
	"<url><loc>http://a/%d</loc></url>",
	"<url><loc>http://a/%d</loc></url>\n",
	"\n  <url>\n    <loc>http://a/%d</loc>\n    <lastmod>2024-01-%d</lastmod>\n  </url>",
	"<url><loc>http://a/%d</loc><lastmod>%d</lastmod></url>",
	"<url><lastmod>%d</lastmod><loc>http://a/%d</loc></url>",
	"<url><loc>http://a/%d</loc><priority>%d</priority></url>",
	"<url><loc>http://a/%d</loc><lastmod>%d</lastmod><changefreq>daily</changefreq><priority>0.%d</priority></url>",
	"<url><loc>http://a/%d</loc><lastmod></lastmod></url>",
	"<url><loc>http://a/%d</loc><lastmod/></url>",
	"<url><loc></loc><lastmod>%d</lastmod></url>",
	"<url><loc>http://a/%d</loc><loc>http://b/%d</loc></url>",
	"<url><loc>http://a/%d</loc><!-- %d --><lastmod>%d</lastmod></url>",
	"<url><loc>http://a/<!-- %d -->%d</loc></url>",
	"<url><loc><![CDATA[http://a/%d?a&b]]></loc><lastmod>%d</lastmod></url>",
	"<url><loc>http://a/<![CDATA[%d]]></loc><lastmod>%d</lastmod></url>",
	"<url><loc>http://a/%d</loc><lastmod><![CDATA[%d]]></lastmod></url>",
	"<url><loc>http://a/%d?b&amp;c</loc><lastmod> %d </lastmod></url>",
	"<url><loc>http://a/%d?b&c</loc></url>",
	"<url><loc>http://a/%d?b&amperes=%d</loc></url>",
	"<url><loc>http://a/%d?b&amp;c&#38;d&amp;e=%%20</loc></url>",
	"<url><loc>http://a/%d?é&amp;e\u00a0</loc></url>",
	"<url><loc>http://a/%d</loc><image:image><image:loc>i%d</image:loc></image:image></url>",
	"<url><loc>http://a/%d</loc><image:image><image:loc>i%d</image:loc></image:image><lastmod>%d</lastmod></url>",
	"<url><image:image><image:loc>i%d</image:loc></image:image><loc>http://a/%d</loc></url>",
	"<url><loc>http://a/%d</loc><lastmod>%d</lastmod><xhtml:link href='h%d'/></url>",
	"<url a='%d'><loc>http://a/%d</loc></url>",
	"<url ><loc b='%d'>http://a/%d</loc></url>",
	"<url><loc>http://a/%d</loc >x</url>",
	"<url>" + "          \n" + strings.Repeat(" ", 300) + "<loc>http://a/%d</loc></url>",
	strings.Repeat("\n", 300) + "<url><loc>http://a/%d</loc></url>",
	"<sitemap><loc>http://a/%d</loc><lastmod>%d</lastmod></sitemap>",
	"<url><lastmod>%d</lastmod></url>",
	"<url/>",
	"<!-- %d -->",
	"<?p %d?>",
	"<foo><url><loc>http://no/%d</loc></url></foo>",
	"text %d<!---->",
	"<urlset><url><loc>http://a/%d</loc></url></urlset>",
}

// TestAlternatingRecords puts records of all shapes next to each other, each
// several times so that its layout is learnt. Every record must read as it does
// alone, where nothing can be predicted.
func TestAlternatingRecords(t *testing.T) {
	alone := func(record string) ([]readEntry, []sitemap.Fault) {
		got := readFrom(strings.NewReader(urlset(record)), sitemap.ReaderOptions{})
		if len(got.Entries) == 0 && len(got.Faults) > 0 {
			got.Faults = got.Faults[:len(got.Faults)-1] // of the set, which is empty
		}
		return got.Entries, got.Faults
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var document strings.Builder
		var want reading
		for i := range 30 {
			record := strings.ReplaceAll(recordShapes[random.IntN(len(recordShapes))], "%d", fmt.Sprint(i))
			entries, faults := alone(record)
			for range 1 + random.IntN(3) {
				offset, lines := int64(document.Len()), strings.Count(document.String(), "\n")
				for _, e := range entries {
					e.Offset, e.Line = e.Offset+offset, e.Line+lines
					want.Entries = append(want.Entries, e)
				}
				want.Faults = append(want.Faults, faults...)
				document.WriteString(record)
			}
		}
		got := read(t, urlset(document.String()), sitemap.ReaderOptions{})
		got.wantErr(t, "")
		got.wantKinds(t, want.kinds()...)
		want.Faults = got.Faults // their places differ
		if got.describe() != want.describe() {
			t.Fatalf("read\n%s\nwant\n%s\ndocument %s", got.describe(), want.describe(), document.String())
		}
	}
}

// TestValueAfterExtensions has a record whose layout is that of the one before up
// to its extension, and a value after it that the next record lacks.
func TestValueAfterExtensions(t *testing.T) {
	extended := "<url><loc>http://a/</loc><image:image/></url>"
	late := "<url><loc>http://a/</loc><image:image/><lastmod>2024</lastmod></url>"
	document := urlset(extended, late, url("http://a/"), extended)
	want := []string{absent, "2024", absent, absent}
	for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		if got := valueText(entry.LastMod); got != want[0] {
			t.Errorf("lastmod is %s, want %s", got, want[0])
		}
		want = want[1:]
	}
}

// TestEveryByteInARepeatedRecord puts every byte at many places of a value whose
// record has the layout of the one before. It must read as it does alone.
func TestEveryByteInARepeatedRecord(t *testing.T) {
	record := func(loc, date string) string {
		return "<url><loc>http://a/" + loc + "</loc><lastmod>" + date + "</lastmod></url>"
	}
	usual := strings.Repeat("x", 60)
	for _, at := range []int{0, 7, 8, 22, 31, 40, 59} {
		var document strings.Builder
		var want reading
		for c := range 256 {
			if c == '<' {
				continue
			}
			strange := usual[:at] + string([]byte{byte(c)}) + usual[at+1:]
			for _, r := range []string{record(usual, usual), record(strange, usual), record(usual, usual),
				record(usual, strange)} {
				alone := readFrom(strings.NewReader(urlset(r)), sitemap.ReaderOptions{})
				want.Entries = append(want.Entries, alone.Entries...)
				want.Faults = append(want.Faults, alone.Faults...)
				document.WriteString(r)
			}
		}
		got := readFrom(strings.NewReader(urlset(document.String())), sitemap.ReaderOptions{})
		got.wantErr(t, "")
		if !reflect.DeepEqual(got.fieldsOnly(), want.fieldsOnly()) || !reflect.DeepEqual(got.kinds(), want.kinds()) {
			t.Errorf("byte %d of a value reads differently in a repeated record", at)
		}
		unheard := 0
		for entry, err := range sitemap.NewReader(strings.NewReader(urlset(document.String())), nil).Entries() {
			if err != nil {
				t.Fatal(err)
			}
			if e := want.Entries[unheard]; string(entry.Loc) != e.Loc || string(entry.LastMod) != e.LastMod {
				t.Fatalf("without a report: read %q, %q, want %q, %q", entry.Loc, entry.LastMod, e.Loc, e.LastMod)
			}
			unheard++
		}
	}
}

// TestValuesAcrossTheWindow reads values of every size up to MiB, so that they
// cross the end of the piece that the reader holds.
func TestValuesAcrossTheWindow(t *testing.T) {
	sizes := []int{1, 100, 64<<10 - 30, 64 << 10, 128<<10 - 30, 128<<10 - 1, 128 << 10, 200 << 10, 7, 1 << 20, 3, 3 << 20,
		5}
	var records []string
	var want []string
	for i, size := range sizes {
		loc := fmt.Sprintf("http://a/%d/%s", i, strings.Repeat("b", size))
		image := strings.Repeat("c", size)
		records = append(records, url(loc, "<lastmod>2024</lastmod>"), url(loc+"&amp;"), url("<![CDATA["+loc+"]]>"),
			url("http://i/", "<image:image><image:loc>"+image+"</image:loc></image:image>"))
		want = append(want, loc, loc+"&", loc, "http://i/")
	}
	document := urlset(records...)
	for name, r := range map[string]io.Reader{
		"at once":   strings.NewReader(document),
		"by halves": iotest.HalfReader(strings.NewReader(document)),
		"in pieces": &pieces{strings.NewReader(document), 1500},
	} {
		t.Run(name, func(t *testing.T) {
			i := 0
			for entry, err := range sitemap.NewReader(r).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				if i >= len(want) || string(entry.Loc) != want[i] {
					t.Fatalf("entry %d is %q", i, clip(string(entry.Loc)))
				}
				if want[i] == "http://i/" {
					var e sitemap.Extensions
					if err := entry.Extensions(&e); err != nil || len(e.Images) != 1 || len(e.Images[0].Loc) != sizes[i/4] {
						t.Errorf("entry %d: %v, %d images", i, err, len(e.Images))
					}
				}
				i++
			}
			if i != len(want) {
				t.Errorf("%d entries, want %d", i, len(want))
			}
		})
	}
}

// TestRecordsAcrossTheWindow reads many records of one layout. The window moves under
// some of them while they are read.
func TestRecordsAcrossTheWindow(t *testing.T) {
	const count = 5000
	for name, shape := range map[string]string{
		"plain":    "<url><loc>http://a/%[1]d</loc><lastmod>%[1]d</lastmod><priority>%[1]d</priority></url>",
		"escaped":  "<url><loc>http://a/?b&amp;é=%%20&amp;%[1]d</loc><lastmod>%[1]d</lastmod></url>",
		"extended": "<url><loc>http://a/%[1]d</loc><lastmod>%[1]d</lastmod><image:image><image:loc>%0100[1]d</image:loc></image:image></url>",
	} {
		t.Run(name, func(t *testing.T) {
			var document strings.Builder
			for i := range count {
				fmt.Fprintf(&document, shape, i)
			}
			i := 0
			for entry, err := range sitemap.NewReader(strings.NewReader(urlset(document.String())), nil).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				loc, date := string(entry.Loc), fmt.Sprint(i)
				if !strings.HasPrefix(loc, "http://a/") || !strings.HasSuffix(loc, date) || string(entry.LastMod) != date {
					t.Fatalf("entry %d is %q of %q", i, loc, entry.LastMod)
				}
				i++
			}
			if i != count {
				t.Errorf("%d entries, want %d", i, count)
			}
		})
	}
}

// pieces gives at most so many bytes a read, as a network does.
type pieces struct {
	r    io.Reader
	most int
}

func (p *pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.most)]) }

// TestEntryCeiling aborts at an entry that is larger than allowed, wherever its
// bytes are, and after the entries before.
func TestEntryCeiling(t *testing.T) {
	const ceiling = 256 << 10
	options := sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Entry: ceiling}}
	for name, c := range map[string]struct{ before, after string }{
		"loc":       {"<url><loc>http://a/", "</loc></url>"},
		"CDATA":     {"<url><loc><![CDATA[http://a/", "]]></loc></url>"},
		"lastmod":   {"<url><loc>http://a/</loc><lastmod>", "</lastmod></url>"},
		"extension": {"<url><loc>http://a/</loc><image:image><image:loc>", "</image:loc></image:image></url>"},
		"comment":   {"<url><!--", "--><loc>http://a/</loc></url>"},
		"attribute": {"<url a='", "'><loc>http://a/</loc></url>"},
		"between":   {"<!--", "-->" + url("http://a/")},
		"unknown":   {"<foo>", "</foo>" + url("http://a/")},
		"stray":     {"", url("http://a/")},
	} {
		t.Run(name, func(t *testing.T) {
			within := urlset(url("http://first/"), c.before+strings.Repeat("x", ceiling/2)+c.after)
			if got := readFrom(strings.NewReader(within), options); got.Err != nil || len(got.Entries) != 2 {
				t.Errorf("half the ceiling: %d entries, %v", len(got.Entries), got.Err)
			}
			over := urlset(url("http://first/"), c.before+strings.Repeat("x", ceiling+1)+c.after)
			got := readFrom(strings.NewReader(over), options)
			got.wantErr(t, sitemap.FaultCeilingReached)
			got.wantLocs(t, "http://first/")
		})
	}
}
