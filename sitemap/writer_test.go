package sitemap_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

var noon = time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)

func date(t testing.TB, text string) sitemap.Date {
	t.Helper()
	d, err := sitemap.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWriteFields(t *testing.T) {
	got := write(t, nil,
		&sitemap.URL{Loc: "https://example.com/"},
		&sitemap.URL{
			Loc: "https://example.com/a", LastMod: date(t, "2024-02-29T12:00:00.50+01:00"),
			ChangeFreq: sitemap.ChangeFreqNever, Priority: sitemap.PriorityOf(0),
		},
		&sitemap.URL{Loc: "https://example.com/b", Priority: sitemap.PriorityOf(1)},
		&sitemap.URL{Loc: "https://example.com/c", ChangeFreq: sitemap.ChangeFreqDaily, Priority: sitemap.PriorityOf(0.85)},
		&sitemap.URL{Loc: "https://example.com/d", ChangeFreq: sitemap.ChangeFreqDaily})
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc></url>
<url><loc>https://example.com/a</loc><lastmod>2024-02-29T12:00:00.50+01:00</lastmod><changefreq>never</changefreq><priority>0.0</priority></url>
<url><loc>https://example.com/b</loc><priority>1.0</priority></url>
<url><loc>https://example.com/c</loc><changefreq>daily</changefreq><priority>0.85</priority></url>
<url><loc>https://example.com/d</loc><changefreq>daily</changefreq></url>
</urlset>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteIndex(t *testing.T) {
	got := write(t, &sitemap.WriterOptions{Format: sitemap.FormatIndex},
		&sitemap.URL{Loc: "https://example.com/1.xml.gz"},
		&sitemap.URL{
			Loc: "https://example.com/2.xml?a&b", LastMod: date(t, "2024-02-29"), ChangeFreq: sitemap.ChangeFreqDaily,
			Priority: sitemap.PriorityOf(1), Extensions: sitemap.Extensions{Mobile: true},
		})
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/1.xml.gz</loc></sitemap>
<sitemap><loc>https://example.com/2.xml?a&amp;b</loc><lastmod>2024-02-29</lastmod></sitemap>
</sitemapindex>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteStylesheets(t *testing.T) {
	got := write(t, &sitemap.WriterOptions{Stylesheets: []string{"/sitemap.xsl?a&b", "/sitemap.css"}},
		&sitemap.URL{Loc: "https://example.com/"})
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="/sitemap.xsl?a&amp;b"?>
<?xml-stylesheet type="text/css" href="/sitemap.css"?>
<urlset `
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin\n%s", got, want)
	}
	validate(t, "all.xsd", []byte(got))
}

// TestWriteDates checks that a date is written as it was read, in all dialects.
func TestWriteDates(t *testing.T) {
	for _, text := range []string{
		"1997", "1997-07", "1997-07-16", "1997-07-16T19:20Z", "1997-07-16T19:20+01:00",
		"1997-07-16T19:20:30+01:00", "1997-07-16T19:20:30.45-11:30", "1997-07-16T19:20:30",
		"1997-07-16T19:20:30.000Z", "2024-01-01T00:00:00-00:00", "2024-02-29T23:59:59.123456789Z",
		"0001-01-01", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59Z", "1960-01-01",
	} {
		d := date(t, text)
		for _, format := range []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatIndex} {
			file := write(t, &sitemap.WriterOptions{Format: format}, &sitemap.URL{Loc: "https://example.com/", LastMod: d})
			if got := between(t, file, "<lastmod>", "</lastmod>"); got != text {
				t.Errorf("%s: %q is written as %q", format, text, got)
			}
		}
	}
}

func TestWriteRefused(t *testing.T) {
	const loc = "https://example.com/refused"
	for _, test := range []struct {
		name, field string
		u           *sitemap.URL
		why         error
	}{
		{"unknown changefreq", "changefreq", &sitemap.URL{ChangeFreq: "fortnightly"}, nil},
		{"capital changefreq", "changefreq", &sitemap.URL{ChangeFreq: "Daily"}, nil},
		{"changefreq with a space", "changefreq", &sitemap.URL{ChangeFreq: "daily "}, nil},
		{"priority above", "priority", &sitemap.URL{Priority: sitemap.PriorityOf(1.5)}, nil},
		{"priority below", "priority", &sitemap.URL{Priority: sitemap.PriorityOf(-0.1)}, nil},
		{"priority NaN", "priority", &sitemap.URL{Priority: sitemap.PriorityOf(math.NaN())}, nil},
		{"priority infinite", "priority", &sitemap.URL{Priority: sitemap.PriorityOf(math.Inf(1))}, nil},
		{"year 10000", "lastmod", &sitemap.URL{LastMod: sitemap.DayOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}, nil},
		{"year 0", "lastmod", &sitemap.URL{LastMod: sitemap.DayOf(time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC))}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.u.Loc = loc
			refused(t, sitemap.FormatURLSet, test.u, test.field, test.why)
		})
	}
	refused(t, sitemap.FormatAtom, &sitemap.URL{Loc: loc}, "lastmod", sitemap.ErrNoDate)
}

// TestWriteTail checks that a refused pair of changefreq and priority is not
// remembered as a good one.
func TestWriteTail(t *testing.T) {
	var file strings.Builder
	w := sitemap.NewWriter(&file)
	bad := &sitemap.URL{Loc: "https://example.com/", ChangeFreq: "no", Priority: sitemap.PriorityOf(2)}
	for range 2 {
		if w.Write(bad) == nil {
			t.Error("an invalid changefreq was written")
		}
	}
	for _, p := range []float64{0.3, 0.7, 0.7} {
		if err := w.Write(&sitemap.URL{Loc: fmt.Sprintf("https://example.com/%v", p),
			Priority: sitemap.PriorityOf(p)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/0.3</loc><priority>0.3<", "/0.7</loc><priority>0.7<"} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("no %s in %s", want, file.String())
		}
	}
}

func TestNewestLastMod(t *testing.T) {
	w := sitemap.NewWriter(&strings.Builder{})
	for _, step := range []struct{ lastMod, want string }{
		{"", ""},
		{"1960-01-01", "1960-01-01"},
		{"", "1960-01-01"},
		{"1959", "1960-01-01"},
		{"2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"},
		{"2024-02-29T12:30:00+01:00", "2024-02-29T12:00:00Z"},
		{"2024-02-29T12:00:00.1Z", "2024-02-29T12:00:00.1Z"},
		{"2024-02-29", "2024-02-29T12:00:00.1Z"},
	} {
		u := &sitemap.URL{Loc: "https://example.com/"}
		if step.lastMod != "" {
			u.LastMod = date(t, step.lastMod)
		}
		if err := w.Write(u); err != nil {
			t.Fatal(err)
		}
		if got := w.NewestLastMod().String(); got != step.want {
			t.Errorf("after %q the newest is %q, want %q", step.lastMod, got, step.want)
		}
	}
}

func TestWriterOptionsRefused(t *testing.T) {
	for _, test := range []struct {
		field   string
		options sitemap.WriterOptions
		why     error
	}{
		{"feed title", sitemap.WriterOptions{Format: sitemap.FormatRSS, Feed: sitemap.Feed{Link: feed.Link}},
			sitemap.ErrMissing},
		{"feed title", sitemap.WriterOptions{Format: sitemap.FormatAtom, Feed: sitemap.Feed{Title: "\x00", Link: feed.Link}},
			sitemap.ErrText},
		{"feed description", sitemap.WriterOptions{Format: sitemap.FormatRSS,
			Feed: sitemap.Feed{Title: "a", Description: "\xff", Link: feed.Link}}, sitemap.ErrText},
		{"feed link", sitemap.WriterOptions{Format: sitemap.FormatRSS, Feed: sitemap.Feed{Title: "a"}}, sitemap.ErrMissing},
		{"feed link", sitemap.WriterOptions{Format: sitemap.FormatAtom, Feed: sitemap.Feed{Title: "a", Link: "/"}},
			sitemap.ErrRelative},
		{"stylesheet", sitemap.WriterOptions{Stylesheets: []string{"/a\x01.xsl"}}, sitemap.ErrText},
		{"format", sitemap.WriterOptions{Format: 99}, nil},
	} {
		var file strings.Builder
		w := sitemap.NewWriter(&file, &test.options)
		for range 2 {
			for _, err := range []error{w.Write(&sitemap.URL{Loc: feed.Link}), w.Close()} {
				var fault *sitemap.FieldError
				if !errors.As(err, &fault) || fault.Field != test.field || test.why != nil && !errors.Is(err, test.why) {
					t.Errorf("%s: got error %v, want %v", test.field, err, test.why)
				}
			}
			w.Reset(&file)
		}
		if file.Len() > 0 {
			t.Errorf("%s: wrote %q", test.field, file.String())
		}
	}
}

// brokenDisk fails after a number of bytes.
type brokenDisk struct{ room int }

var errDisk = errors.New("no space left")

func (d *brokenDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		return d.room, errDisk
	}
	d.room -= len(b)
	return len(b), nil
}

func TestWriterReportsBrokenDisk(t *testing.T) {
	for _, room := range []int{0, 50, 1 << 10, 100 << 10} {
		w := sitemap.NewWriter(&brokenDisk{room})
		var err error
		for i := 0; err == nil && i < 10_000; i++ {
			err = w.Write(&sitemap.URL{Loc: longLoc(500)})
		}
		if !errors.Is(err, errDisk) {
			t.Errorf("room for %d: Write gave %v", room, err)
		}
		if err := w.Write(&sitemap.URL{Loc: "https://example.com/"}); !errors.Is(err, errDisk) {
			t.Errorf("room for %d: the next Write gave %v", room, err)
		}
		if err := w.Close(); !errors.Is(err, errDisk) {
			t.Errorf("room for %d: Close gave %v", room, err)
		}
	}
}

func TestWriterAfterClose(t *testing.T) {
	var file strings.Builder
	w := sitemap.NewWriter(&file)
	for range 2 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	size := file.Len()
	if w.Write(&sitemap.URL{Loc: "https://example.com/"}) == nil {
		t.Error("a closed writer took an entry")
	}
	if file.Len() != size || w.Size() != int64(size) {
		t.Errorf("the file has %d bytes, then %d, Size says %d", size, file.Len(), w.Size())
	}
}
