package lint_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// FuzzCheck gives the linter anything. It has to end without a panic, and what it
// says must be fit to be shown: a place inside the file, text without control
// characters, no more than was asked for of each rule.
func FuzzCheck(f *testing.F) {
	for _, r := range lint.Rules() {
		if bad, _ := lintexample.Of(r.ID); len(bad) < 4000 {
			f.Add([]byte(bad))
		}
	}
	f.Add([]byte(goodCompressed(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		options := lint.Options{
			Engines: lint.EngineAll, Now: examplesToday, MaxPerRule: 3, Memory: 1 << 14, BaseURL: "https://example.com/",
			Source: source.Options{Stdin: bytes.NewReader(data), Access: exampleOptions(t, nil).Source.Access},
		}
		counts := map[string]int{}
		for finding, err := range newLinter(t, options).Check(t.Context(), "-") {
			if err != nil {
				t.Fatal(err)
			}
			checkFinding(t, &finding)
			if finding.More == 0 {
				counts[finding.File+" "+finding.Rule.ID]++
			}
		}
		for what, n := range counts {
			if n > 3 {
				t.Errorf("%s: %d findings, 3 were asked for", what, n)
			}
		}
	})
}

func checkFinding(t *testing.T, f *lint.Finding) {
	t.Helper()
	if f.Rule == nil || f.Severity == lint.SeverityOff || f.Message.String() == "" || f.File == "" {
		t.Errorf("incomplete: %+v", f)
	}
	for _, text := range []string{f.Message.String(), f.Evidence, f.URL, f.Source, f.Element} {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(text) > 2000 {
			t.Errorf("%q is not fit to be shown", text)
		}
	}
	if f.Line < 0 || f.Column < 0 || f.Offset < 0 || f.Caret < 0 || f.Caret > len(f.Source)+1 {
		t.Errorf("place of %+v", f)
	}
}

func goodCompressed(f *testing.F) string {
	f.Helper()
	return compressed(f, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"+
		"<loc>https://example.com/</loc></url></urlset>")
}

// A brokenPages is a sitemap of many pages that each break several rules.
type brokenPages struct {
	left    int
	pending string
	ended   bool
}

func (b *brokenPages) Read(p []byte) (int, error) {
	if b.pending == "" {
		switch {
		case b.left > 0:
			n := min(b.left, 1000)
			b.left -= n
			b.pending = strings.Repeat("<url><loc>https://Example.com/a</loc><priority>2</priority></url>\n", n)
		case !b.ended:
			b.ended, b.pending = true, "</urlset>"
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// TestManyFindings counts them all and holds none of them.
func TestManyFindings(t *testing.T) {
	const pages = 150_000
	options := lint.Options{
		Memory: 8 << 20,
		Source: source.Options{Stdin: &brokenPages{left: pages, pending: head}},
	}
	counts := map[string]int{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for f, err := range newLinter(t, options).Check(t.Context(), "-") {
		if err != nil {
			t.Fatal(err)
		}
		counts[f.Rule.ID] += max(1, f.More)
	}
	runtime.ReadMemStats(&after)
	for id, want := range map[string]int{"priority-range": pages, "loc-upper-host": pages, "duplicate-loc": pages - 1} {
		if counts[id] != want {
			t.Errorf("%s: %d findings, want %d", id, counts[id], want)
		}
	}
	if taken := int64(after.HeapSys) - int64(before.HeapSys); taken > 64<<20 {
		t.Errorf("%d MB taken from the system", taken>>20)
	}
}
