package sitemap_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mapatools/mapa/sitemap"
)

// A readEntry is an entry as a test compares it. Absent values are "∅", so that
// they differ from empty ones.
type readEntry struct {
	Loc, LastMod, ChangeFreq, Priority string
	IsSitemap                          bool
	Offset                             int64
	Line                               int
	Extensions                         sitemap.Extensions
	ExtensionsErr                      string
}

// A reading is all that a file gave. Causes of faults are compared as text.
type reading struct {
	Format  sitemap.Format
	Entries []readEntry
	Faults  []sitemap.Fault
	Err     error
}

const absent = "∅"

func valueText(b []byte) string {
	if b == nil {
		return absent
	}
	return string(b)
}

func copyEntry(e *sitemap.Entry) readEntry {
	got := readEntry{
		Loc: valueText(e.Loc), LastMod: valueText(e.LastMod), ChangeFreq: valueText(e.ChangeFreq),
		Priority:  valueText(e.Priority),
		IsSitemap: e.IsSitemap(), Offset: e.Offset(), Line: e.Line(),
	}
	if err := e.Extensions(&got.Extensions); err != nil {
		got.ExtensionsErr = err.Error()
	}
	return got
}

// readFrom reads everything, collecting the faults.
func readFrom(r io.Reader, options sitemap.ReaderOptions) reading {
	var got reading
	if !options.Strict {
		options.OnFault = func(f *sitemap.Fault) { got.Faults = append(got.Faults, *f) }
	}
	reader := sitemap.NewReader(r, &options)
	for entry, err := range reader.Entries() {
		if err != nil {
			got.Err = err
			break
		}
		got.Entries = append(got.Entries, copyEntry(entry))
	}
	got.Format, _ = reader.Format()
	return got
}

// read reads a document at once, in small reads, and without a listener that wants
// to know of faults. All must give the same.
func read(t testing.TB, document string, options sitemap.ReaderOptions) reading {
	t.Helper()
	if longer, ok := lengthened(document); ok {
		compareReads(t, longer, options)
	}
	want := compareReads(t, document, options)
	if !options.Strict {
		compareSilent(t, document, options, want)
	}
	return want
}

// lengthened puts so much before what matters in a document that the reader has
// left the bytes behind which it looks at to tell the charset: it takes those in
// one piece however small the reads.
func lengthened(document string) (string, bool) {
	const length = 1100
	switch declaration := strings.Index(document, "?>") + len("?>"); {
	case strings.HasPrefix(document, "<?xml") && declaration >= len("?>"):
		return document[:declaration] + "<!--" + strings.Repeat("x", length) + "-->" + document[declaration:], true
	case strings.HasPrefix(document, "<") && !strings.HasPrefix(document, "<\x00"):
		return "<!--" + strings.Repeat("x", length) + "-->" + document, true
	case strings.HasPrefix(document, "http"):
		return "http://example.com/" + strings.Repeat("x", length) + "\n" + document, true
	}
	return "", false
}

// compareReads reads at once, byte by byte, by halves, and with the last bytes
// coming together with the end.
func compareReads(t testing.TB, document string, options sitemap.ReaderOptions) reading {
	t.Helper()
	want := readFrom(strings.NewReader(document), options)
	for name, r := range map[string]io.Reader{
		"byte by byte": iotest.OneByteReader(strings.NewReader(document)),
		"with its end": iotest.DataErrReader(strings.NewReader(document)),
		"by halves":    iotest.HalfReader(strings.NewReader(document)),
	} {
		if got := readFrom(r, options); got.describe() != want.describe() {
			t.Fatalf("read %s:\n%s\nat once:\n%s\ndocument: %q", name, got.describe(), want.describe(), clip(document))
		}
	}
	return want
}

// compareSilent reads without a report, which takes other paths: broken markup
// in the extensions does not end the reading there, and is the error of the entry.
func compareSilent(t testing.TB, document string, options sitemap.ReaderOptions, want reading) {
	t.Helper()
	silent := reading{Format: want.Format, Faults: want.Faults}
	for entry, err := range sitemap.NewReader(strings.NewReader(document), &options).Entries() {
		if err != nil {
			silent.Err = err
			break
		}
		silent.Entries = append(silent.Entries, copyEntry(entry))
	}
	var fault *sitemap.Fault
	if errors.As(want.Err, &fault) &&
		(fault.Kind == sitemap.FaultNotWellFormed || fault.Kind == sitemap.FaultCeilingReached) &&
		len(silent.Entries) > len(want.Entries) && silent.Entries[len(want.Entries)].ExtensionsErr != "" {
		silent.Entries, silent.Err = silent.Entries[:len(want.Entries)], want.Err
	}
	if silent.describe() != want.describe() {
		t.Fatalf("read without a report:\n%s\nwith one:\n%s\ndocument: %q", silent.describe(), want.describe(),
			clip(document))
	}
}

func clip(document string) string {
	if len(document) > 2000 {
		return document[:2000] + "…"
	}
	return document
}

// describe writes a reading down, line by line.
func (r reading) describe() string {
	var s strings.Builder
	fmt.Fprintln(&s, r.Format)
	for _, e := range r.Entries {
		extensions, _ := json.Marshal(e.Extensions)
		e.Extensions = sitemap.Extensions{}
		fmt.Fprintf(&s, "%+v %s\n", e, extensions)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&s, "%v\n", f.Error())
	}
	fmt.Fprintln(&s, r.Err)
	return s.String()
}

// locs are the locations read.
func (r reading) locs() []string {
	locs := make([]string, 0, len(r.Entries))
	for _, e := range r.Entries {
		locs = append(locs, e.Loc)
	}
	return locs
}

// kinds are the kinds of fault reported, in order.
func (r reading) kinds() []sitemap.FaultKind {
	kinds := make([]sitemap.FaultKind, 0, len(r.Faults))
	for _, f := range r.Faults {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func (r reading) wantLocs(t testing.TB, want ...string) {
	t.Helper()
	if got := r.locs(); !reflect.DeepEqual(got, append([]string{}, want...)) {
		t.Errorf("locations\n%q, want\n%q", got, want)
	}
}

func (r reading) wantKinds(t testing.TB, want ...sitemap.FaultKind) {
	t.Helper()
	if got := r.kinds(); !reflect.DeepEqual(got, append([]sitemap.FaultKind{}, want...)) {
		t.Errorf("faults\n%q, want\n%q\n%s", got, want, r.describe())
	}
}

// wantErr checks that the reading ended with a fault of a kind, or well when the
// kind is empty.
func (r reading) wantErr(t testing.TB, kind sitemap.FaultKind) *sitemap.Fault {
	t.Helper()
	if kind == "" {
		if r.Err != nil {
			t.Errorf("error %v, want none", r.Err)
		}
		return nil
	}
	var fault *sitemap.Fault
	if !errors.As(r.Err, &fault) || fault.Kind != kind {
		t.Errorf("error %v, want %s", r.Err, kind)
		return &sitemap.Fault{}
	}
	return fault
}

// urlset puts entries into a url set with the namespaces that tests use.
func urlset(entries ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
		` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` +
		` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"` +
		` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"` +
		` xmlns:xhtml="http://www.w3.org/1999/xhtml"` +
		` xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0">` + "\n" +
		strings.Join(entries, "\n") + "\n</urlset>\n"
}

// url returns an entry with one location and other children.
func url(loc string, rest ...string) string {
	return "<url><loc>" + loc + "</loc>" + strings.Join(rest, "") + "</url>"
}

// zip compresses with the standard library, which the reader does not use.
func zip(t testing.TB, document string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(document)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
