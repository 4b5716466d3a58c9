package sitemap_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// A stream repeats records between the tags of a url set without holding more
// than one round of them.
type stream struct {
	head, round, tail []byte
	rounds            int
	rest              []byte
}

func newStream(rounds int, records string) *stream {
	s := &stream{head: []byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`),
		round: []byte(records), tail: []byte("</urlset>"), rounds: rounds}
	s.rest = s.head
	return s
}

func (s *stream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		switch {
		case s.rounds > 0:
			s.rest = s.round
		case s.rounds == 0:
			s.rest = s.tail
		default:
			return 0, io.EOF
		}
		s.rounds--
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// TestSteadyState reads 100,000 entries and counts the allocations after the first
// ones. There are none.
func TestSteadyState(t *testing.T) {
	const entries, warm = 100_000, 1000
	for name, c := range map[string]struct {
		records string
		options *sitemap.ReaderOptions
	}{
		"plain": {records: url("http://example.com/page", "<lastmod>2024-01-08</lastmod>") + "\n" +
			url("http://example.com/other", "<lastmod>2024-01-09</lastmod>") + "\n"},
		"entities": {records: url("http://example.com/?a&amp;b=&#50;", "<lastmod>2024-01-08</lastmod>") +
			url("http://example.com/españa&amp;c")},
		"alternating": {records: url("http://example.com/", "<lastmod>2024-01-08</lastmod>") +
			url("http://example.com/", "<priority>0.5</priority>", "<changefreq>daily</changefreq>")},
		"white space": {records: url("\n  http://example.com/\n") + "<!-- c -->\r\n" + url("http://example.com/",
			"<lastmod> 2024-01-08 </lastmod>")},
		"CDATA": {records: url("<![CDATA[http://example.com/?a&b]]>") + url("http://example.com/<!-- c -->")},
		"extensions aside": {records: url("http://example.com/",
			"<image:image><image:loc>http://i/</image:loc></image:image>") + url("http://example.com/")},
		"bare ampersands": {records: url("http://example.com/?a&b") + url("http://example.com/?a&b&c")},
		"faults looked for": {records: url("http://example.com/?a&amp;b") + url("http://example.com/é"),
			options: &sitemap.ReaderOptions{Strict: true, Limits: sitemap.Limits{URLs: entries}}},
	} {
		t.Run(name, func(t *testing.T) {
			stream := newStream(entries/2, c.records)
			var before, after runtime.MemStats
			read, length := 0, 0
			for entry, err := range sitemap.NewReader(stream, c.options).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				if read++; read == warm {
					runtime.ReadMemStats(&before)
				}
				if date, err := entry.Date(); err == nil && !date.IsZero() {
					length += int(date.Unix() & 1)
				}
				length += len(entry.Loc)
			}
			runtime.ReadMemStats(&after)
			if read != entries || length == 0 {
				t.Fatalf("%d entries", read)
			}
			// The runtime itself allocates a little now and then.
			if allocated := after.Mallocs - before.Mallocs; allocated > entries/1000 {
				t.Errorf("%d allocations for %d entries", allocated, entries-warm)
			}
		})
	}
}

// TestFaultPlacesLinear reads one entry with so many faults that counting its
// lines again for each would take minutes.
func TestFaultPlacesLinear(t *testing.T) {
	const ampersands = 1 << 20
	document := "<urlset><url><loc>http://a/" + string(bytes.Repeat([]byte("&\n"), ampersands)) + "</loc></url></urlset>"
	faults, last := 0, sitemap.Fault{}
	options := &sitemap.ReaderOptions{OnFault: func(f *sitemap.Fault) {
		if f.Kind == sitemap.FaultBareAmpersand {
			faults, last = faults+1, *f
		}
	}}
	for _, err := range sitemap.NewReader(bytes.NewReader([]byte(document)), options).Entries() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if faults != ampersands || last.Line != ampersands || last.Column != 1 {
		t.Errorf("%d faults, the last %v", faults, last.Error())
	}
}

// TestUndeclaredPrefixesLinear reads one entry whose tag is as long as its many
// children of an unknown prefix are together.
func TestUndeclaredPrefixesLinear(t *testing.T) {
	const children = 200_000
	document := "<urlset><url" + string(bytes.Repeat([]byte(" a=''"), children)) + "><loc>http://a/</loc>" +
		string(bytes.Repeat([]byte("<x:y/>"), children)) + "</url></urlset>"
	faults := 0
	options := &sitemap.ReaderOptions{OnFault: func(f *sitemap.Fault) {
		if f.Kind == sitemap.FaultExtensionUndeclared {
			faults++
		}
	}}
	for _, err := range sitemap.NewReader(bytes.NewReader([]byte(document)), options).Entries() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if faults != children {
		t.Errorf("%d faults, want %d", faults, children)
	}
}
