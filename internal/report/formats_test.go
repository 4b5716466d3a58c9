package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/report"
)

type writer func(context.Context, crawl.Reader, io.Writer) error

// crawlFormats are the formats by the name of the golden file.
var crawlFormats = map[string]writer{
	"crawl.txt":     report.WriteText,
	"crawl.csv":     func(ctx context.Context, f crawl.Reader, w io.Writer) error { return report.WriteCSV(ctx, f, w) },
	"crawl.json":    report.WriteJSON,
	"crawl.jsonl":   func(ctx context.Context, f crawl.Reader, w io.Writer) error { return report.WriteJSONL(ctx, f, w) },
	"crawl.sarif":   broken(report.ProblemsToSARIF),
	"crawl.junit":   broken(report.ProblemsToJUnit),
	"crawl.github":  broken(report.ProblemsToAnnotations),
	"crawl.graphml": report.WriteGraphML,
	"crawl.broken.csv": func(ctx context.Context, f crawl.Reader, w io.Writer) error {
		broken, err := report.FindBrokenLinks(ctx, f)
		if err == nil {
			_, err = report.WriteBrokenLinks(ctx, broken, w, math.MaxInt64)
		}
		return err
	},
	"crawl.redirects.txt": func(ctx context.Context, f crawl.Reader, w io.Writer) error {
		return report.WriteURLs(ctx, f, w, crawl.ReasonRedirect)
	},
	"crawl.waiting.csv": func(ctx context.Context, f crawl.Reader, w io.Writer) error {
		return report.WriteCSV(ctx, f, w, report.Waiting)
	},
}

// broken returns a writer of the broken links.
func broken(write func(crawl.Reader, io.Writer, iter.Seq2[report.Problem, error]) error) writer {
	return func(ctx context.Context, file crawl.Reader, w io.Writer) error {
		return write(file, w, report.BrokenProblems(ctx, file))
	}
}

func format(t testing.TB, write writer, file crawl.Reader) []byte {
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
		Start     string
		Finished  bool
		Decisions []struct {
			Decision string
			Count    int
		}
		Broken    []struct{ URL, Page, Text string }
		Addresses []report.URLRecord
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
	if len(got.Broken) != 6 {
		t.Errorf("%d broken links: %v", len(got.Broken), got.Broken)
	}
}

func TestCrawlGraphML(t *testing.T) {
	var graph struct {
		Graph struct {
			Nodes []struct {
				ID string `xml:"id,attr"`
			} `xml:"node"`
			Edges []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	if err := xml.Unmarshal(format(t, report.WriteGraphML, sample(t)), &graph); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, node := range graph.Graph.Nodes {
		known[node.ID] = true
	}
	if len(known) != len(sampleSite())-1 || len(graph.Graph.Edges) < 15 {
		t.Errorf("%d nodes and %d edges", len(known), len(graph.Graph.Edges))
	}
	for _, edge := range graph.Graph.Edges {
		if !known[edge.Source] || !known[edge.Target] {
			t.Errorf("an edge from %s to %s", edge.Source, edge.Target)
		}
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
		{[]crawl.Reason{report.Waiting}, []string{"/later"}},
		{[]crawl.Reason{report.Waiting, crawl.ReasonNoIndex}, []string{"/hidden", "/later"}},
		{[]crawl.Reason{crawl.ReasonTrap}, nil},
	} {
		var got []string
		for a, err := range report.URLs(t.Context(), file, test.reasons...) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(a.URL, "https://example.com"))
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
	for name, write := range crawlFormats {
		formats[name] = write
	}
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
