package sitemap_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

func TestCompressed(t *testing.T) {
	document := urlset(url("http://a/"), url("http://b/"))
	half := strings.Index(document, "<url>")
	kinds := func(kinds ...sitemap.FaultKind) []sitemap.FaultKind { return kinds }
	for _, c := range []struct {
		name, file string
		kinds      []sitemap.FaultKind
		err        sitemap.FaultKind
		locs       string
	}{
		{"once", zip(t, document), nil, "", "http://a/ http://b/"},
		{"twice", zip(t, zip(t, document)), kinds(sitemap.FaultGzipTwice), "", "http://a/ http://b/"},
		{"thrice", zip(t, zip(t, zip(t, document))), kinds(sitemap.FaultGzipTwice), sitemap.FaultNotASitemap, ""},
		{"in members", zip(t, document[:half]) + zip(t, "") + zip(t, document[half:]), nil, "", "http://a/ http://b/"},
		{"followed by garbage", zip(t, document) + "garbage", kinds(sitemap.FaultGzipTrailing), "", "http://a/ http://b/"},
		{"followed by a NUL", zip(t, document) + "\x00", kinds(sitemap.FaultGzipTrailing), "", "http://a/ http://b/"},
		{"followed by half a magic", zip(t, document) + "\x1f", kinds(sitemap.FaultGzipTrailing), "", "http://a/ http://b/"},
		{"followed by half a member", zip(t, document) + "\x1f\x8b\x08", nil, sitemap.FaultGzipTruncated,
			"http://a/ http://b/"},
		{"nothing", zip(t, ""), nil, sitemap.FaultEmptyBody, ""},
		{"text", zip(t, "http://a/\nhttp://b/"), nil, "", "http://a/ http://b/"},
		{"cut XML", zip(t, document[:len(document)-len("/urlset>\n")]), nil, sitemap.FaultTruncated, "http://a/ http://b/"},
		{"a header alone", zip(t, document)[:10], nil, sitemap.FaultGzipTruncated, ""},
		{"a magic alone", "\x1f\x8b", nil, sitemap.FaultGzipTruncated, ""},
		{"another method", "\x1f\x8b\x07" + zip(t, document)[3:], nil, sitemap.FaultGzipCorrupt, ""},
		{"the inner one cut", zip(t, zip(t, document)[:30]), kinds(sitemap.FaultGzipTwice), sitemap.FaultGzipTruncated, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.file, sitemap.ReaderOptions{})
			got.wantErr(t, c.err)
			got.wantKinds(t, c.kinds...)
			got.wantLocs(t, strings.Fields(c.locs)...)
			if c.err == sitemap.FaultGzipTruncated && !errors.Is(got.Err, io.ErrUnexpectedEOF) {
				t.Errorf("%v does not wrap io.ErrUnexpectedEOF", got.Err)
			}
			strict := read(t, c.file, sitemap.ReaderOptions{Strict: true})
			if faulty := c.err != "" || len(c.kinds) > 0; faulty != (strict.Err != nil) {
				t.Errorf("strict ends with %v", strict.Err)
			}
		})
	}
}

// TestCompressedDamage cuts a compressed file at every byte and changes every
// byte of it: the reader must never take the result for a whole file with other
// content.
func TestCompressedDamage(t *testing.T) {
	document := urlset(url("http://a/"), url("http://b/", "<lastmod>2024-01-01</lastmod>"))
	file := zip(t, document)
	want := readFrom(strings.NewReader(file), sitemap.ReaderOptions{})
	for at := range len(file) {
		if at >= 2 {
			got := readFrom(strings.NewReader(file[:at]), sitemap.ReaderOptions{})
			got.wantErr(t, sitemap.FaultGzipTruncated)
		}
		for _, flip := range []byte{0x01, 0x10, 0xff} {
			changed := []byte(file)
			changed[at] ^= flip
			got := readFrom(strings.NewReader(string(changed)), sitemap.ReaderOptions{})
			if got.Err == nil && got.describe() != want.describe() {
				t.Errorf("byte %d changed by %#x unnoticed:\n%s", at, flip, got.describe())
			}
			var fault *sitemap.Fault
			if got.Err != nil && !errors.As(got.Err, &fault) {
				t.Errorf("byte %d changed by %#x: %v is not a fault", at, flip, got.Err)
			}
			if at < len("\x1f\x8b") || fault == nil {
				continue
			}
			switch fault.Kind {
			case sitemap.FaultGzipCorrupt, sitemap.FaultGzipTruncated:
			case sitemap.FaultUnknownCharset: // said before the rest of the data is asked for
			default:
				t.Errorf("byte %d changed by %#x is taken for %v", at, flip, fault)
			}
		}
	}
}

// TestCompressedBrokenMarkup shows the line that is broken in a large file, whose
// rest is read to see whether it is whole.
func TestCompressedBrokenMarkup(t *testing.T) {
	broken := "<url><loc>http://a/</lox></url>"
	file := zip(t, urlset(url("http://a/"), broken, strings.Repeat(url("http://b/"), 100_000)))
	r := sitemap.NewReader(strings.NewReader(file))
	var fault *sitemap.Fault
	for _, err := range r.Entries() {
		if err != nil && (!errors.As(err, &fault) || fault.Kind != sitemap.FaultNotWellFormed) {
			t.Fatal(err)
		}
	}
	if fault == nil {
		t.Fatal("no fault")
	}
	if line, _ := r.Inspect().Line(fault.Offset); line != broken {
		t.Errorf("line %q", line)
	}
}

// TestCompressedBomb ends what inflates without measure.
func TestCompressedBomb(t *testing.T) {
	entry := url("http://example.com/" + strings.Repeat("a", 500))
	bomb := zip(t, urlset(strings.Repeat(entry, 60_000)))
	t.Run("ratio", func(t *testing.T) {
		got := countEntries(bomb, nil)
		got.wantErr(t, sitemap.FaultCeilingReached)
		if got.entries == 0 {
			t.Error("nothing was read before")
		}
	})
	t.Run("bytes", func(t *testing.T) {
		got := countEntries(bomb, &sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Bytes: 1 << 20}})
		got.wantErr(t, sitemap.FaultCeilingReached)
		if want := (1<<20 - len(urlset())) / len(entry); got.entries < want || got.entries > want+1 {
			t.Errorf("%d entries, want about %d", got.entries, want)
		}
	})
	t.Run("neither", func(t *testing.T) {
		got := countEntries(bomb, &sitemap.ReaderOptions{Ceilings: sitemap.Ceilings{Ratio: 10_000}})
		got.wantErr(t, "")
		if got.entries != 60_000 {
			t.Errorf("%d entries", got.entries)
		}
	})
	t.Run("of a second layer", func(t *testing.T) {
		got := countEntries(zip(t, bomb), nil)
		got.wantErr(t, sitemap.FaultCeilingReached)
	})
}

type count struct {
	reading
	entries int
}

func countEntries(file string, options *sitemap.ReaderOptions) (got count) {
	for _, err := range sitemap.NewReader(strings.NewReader(file), options).Entries() {
		if got.Err = err; err == nil {
			got.entries++
		}
	}
	return got
}
