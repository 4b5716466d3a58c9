package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

type writer func(context.Context, *store.File, io.Writer) error

// crawlFormats are the formats by the name of the golden file.
var crawlFormats = map[string]writer{
	"crawl.txt": func(ctx context.Context, f *store.File, w io.Writer) error {
		return report.WriteText(ctx, f, w, catalog.For(catalog.English))
	},
	"crawl.csv":    func(ctx context.Context, f *store.File, w io.Writer) error { return report.WriteCSV(ctx, f, w) },
	"crawl.json":   report.WriteJSON,
	"crawl.jsonl":  func(ctx context.Context, f *store.File, w io.Writer) error { return report.WriteJSONL(ctx, f, w) },
	"crawl.sarif":  findings("sarif"),
	"crawl.junit":  findings("junit"),
	"crawl.github": findings("github"),
	"crawl.broken.csv": func(ctx context.Context, f *store.File, w io.Writer) error {
		return report.WriteBrokenLinks(ctx, f, w, math.MaxInt64)
	},
	"crawl.redirects.txt": func(ctx context.Context, f *store.File, w io.Writer) error {
		return report.WriteURLs(ctx, f, w, crawl.ReasonRedirect)
	},
	"crawl.waiting.csv": func(ctx context.Context, f *store.File, w io.Writer) error {
		return report.WriteCSV(ctx, f, w, page.Waiting)
	},
}

// findings returns a writer of the findings in a format.
func findings(name string) writer {
	return func(ctx context.Context, file *store.File, w io.Writer) error {
		placed := func(yield func(insight.Finding, error) bool) {
			for f, err := range insight.ReadGroups(ctx, file, insight.Filter{}, insight.Part{}) {
				if err == nil {
					f.Fingerprint = f.FingerprintAt("")
				}
				if !yield(f, err) {
					return
				}
			}
		}
		about := file.Meta()
		return report.FindingWriters[name](w, placed, &report.FindingOptions{
			Language: catalog.English, Program: about.Program, Start: about.Start,
		})
	}
}

func format(t testing.TB, write writer, file *store.File) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(t.Context(), file, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCrawlGolden compares the small formats with the files in testdata.
// UPDATE_GOLDEN=1 rewrites the files.
func TestCrawlGolden(t *testing.T) {
	for name, write := range crawlFormats {
		t.Run(name, func(t *testing.T) {
			formattest.Golden(t, filepath.Join("testdata", name), format(t, write, sample(t)))
		})
	}
}

// TestCrawlHarmless checks that no format holds control characters.
func TestCrawlHarmless(t *testing.T) {
	for name, write := range crawlFormats {
		got := format(t, write, sample(t))
		if !utf8.Valid(got) {
			t.Errorf("%s is not UTF-8", name)
		}
		for _, r := range string(got) {
			if r < 0x20 && !strings.ContainsRune("\r\n\t", r) || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
}

func TestCrawlCSV(t *testing.T) {
	for _, name := range []string{"crawl.csv", "crawl.broken.csv"} {
		got := format(t, crawlFormats[name], sample(t))
		if bytes.Count(got, []byte("\n")) != bytes.Count(got, []byte("\r\n")) {
			t.Errorf("%s ends lines without a carriage return", name)
		}
		table, err := csv.NewReader(bytes.NewReader(got)).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, line := range table {
			for _, cell := range line {
				if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
					t.Errorf("%s: a spreadsheet computes %q", name, cell)
				}
			}
		}
	}
}

func TestCrawlJSON(t *testing.T) {
	var got struct {
		Start    string
		Finished bool
		Verdict  struct{ Errors int }
		Fix      []struct {
			Rule  string
			Count int
		}
		Passed    []string
		Decisions []struct{ Count int }
		Findings  []struct{ Rule, URL, Other string }
		Addresses []struct{ Title string }
	}
	if err := json.Unmarshal(format(t, report.WriteJSON, sample(t)), &got); err != nil {
		t.Fatal(err)
	}
	site := sampleSite()
	if got.Start != "https://example.com/" || got.Finished || len(got.Addresses) != len(site) {
		t.Errorf("%s, finished %t, %d addresses", got.Start, got.Finished, len(got.Addresses))
	}
	if title := got.Addresses[16].Title; title != attackScreen {
		t.Errorf("the title is %q, want it as the page has it: %q", title, attackScreen)
	}
	total := 0
	for _, d := range got.Decisions {
		total += d.Count
	}
	if total != len(site) {
		t.Errorf("%d addresses were decided about, of %d", total, len(site))
	}
	errors := 0
	for _, rule := range got.Fix {
		errors += rule.Count
	}
	if got.Fix[0].Rule != "link-broken" || got.Fix[0].Count != 2 || errors != got.Verdict.Errors {
		t.Errorf("%+v, and %d errors", got.Fix, got.Verdict.Errors)
	}
	if len(got.Passed) < 50 || len(got.Findings) < 15 {
		t.Errorf("%d rules passed, and %d findings", len(got.Passed), len(got.Findings))
	}
}

func TestAddresses(t *testing.T) {
	file := sample(t)
	for _, test := range []struct {
		reasons []crawl.Reason
		want    []string
	}{
		{[]crawl.Reason{crawl.ReasonClientError}, []string{"/gone"}},
		{[]crawl.Reason{crawl.ReasonRedirect}, []string{"/old", "/older"}},
		{[]crawl.Reason{page.Waiting}, []string{"/later"}},
		{[]crawl.Reason{page.Waiting, crawl.ReasonNoIndex}, []string{"/hidden", "/later"}},
		{[]crawl.Reason{crawl.ReasonTrap}, nil},
	} {
		var got []string
		for p, err := range file.ReadPages(t.Context(), test.reasons...) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(p.Link.URL, "https://example.com"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.reasons, got, test.want)
		}
	}
}

// fullDisk fails after some bytes.
type fullDisk struct{ room int }

var errFull = errors.New("no room")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestCrawlFullDisk(t *testing.T) {
	formats := map[string]writer{"crawl.html": writeHTML}
	maps.Copy(formats, crawlFormats)
	for name, write := range formats {
		if err := write(t.Context(), sample(t), &fullDisk{100}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v, want %v", name, err, errFull)
		}
	}
}

// TestNothing writes every format of a crawl without URLs.
func TestNothing(t *testing.T) {
	for name, write := range crawlFormats {
		if err := write(t.Context(), crawlFile(t, nil), io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := writeHTML(t.Context(), crawlFile(t, nil), io.Discard); err != nil {
		t.Errorf("crawl.html: %v", err)
	}
}

// TestAnchorOfThePage shows the fragment of a link to an anchor of the page itself.
func TestAnchorOfThePage(t *testing.T) {
	home := made{url: "/", given: crawl.SeedStart, page: classListed("Home", to(1, "lost", "x"))}
	file := judged(t, crawlFile(t, []made{home}))
	for _, name := range []string{"csv", "json"} {
		other := map[string]string{"csv": ",https://example.com/#lost,", "json": `"other":"https://example.com/#lost"`}[name]
		if got := string(format(t, findings(name), file)); !strings.Contains(got, other) {
			t.Errorf("%s: %s is not in\n%s", name, other, got)
		}
	}
	if got := string(format(t, writeHTML, file)); !strings.Contains(got, `"other":1,"fragment":"lost"`) {
		t.Error("report.html does not name the anchor")
	}
}
