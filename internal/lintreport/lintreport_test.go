package lintreport_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

var (
	relative, _ = lint.LookupRule("loc-relative")
	ignored, _  = lint.LookupRule("priority-ignored")
	empty, _    = lint.LookupRule("empty-urlset")

	rules = []*lint.Rule{relative, ignored, empty}
)

// text is a message that is no text of the catalog.
func text(message string) lint.Text { return lint.Text{Code: message} }

// hostile is text that a stranger's sitemap may hold to attack readers of a report.
const hostile = "\x1b[2J\u202Eevil\u2066\r\n::error::x ##[add-mask]x <script>alert(1)</script> ]]> =cmd() [a](http://evil.example/) \xff\u0085"

func findings() []lint.Finding {
	at := func(line int) lint.Finding {
		return lint.Finding{
			Rule: relative, Severity: lint.SeverityError, File: "public/sitemap.xml", Line: line, Column: 8,
			Offset:  int64(100 * line),
			Element: "loc", URL: "/page", Message: text("the address has no scheme"), Evidence: "/page?a=1&b=2",
			Source: "  <url><loc>/page?a=1&amp;b=2</loc></url>", Caret: 8,
		}
	}
	var all []lint.Finding
	for line := 3; line < 8; line++ {
		all = append(all, at(line))
	}
	return append(all,
		lint.Finding{
			Rule: ignored, Severity: lint.SeverityInfo, File: "public/sitemap.xml", Line: 9, Column: 18, Offset: 900,
			Element: "priority",
			URL:     "https://example.com/日本", Message: text("priority 0.5"), Source: "<loc>日本</loc><priority>0.5</priority>",
			Caret: 18,
		},
		lint.Finding{Rule: relative, Severity: lint.SeverityError, File: "public/sitemap.xml",
			Message: text("12,480 more like this"), More: 12480},
		lint.Finding{Rule: empty, Severity: lint.SeverityWarning, File: "https://example.com/b c.xml?d=é",
			Message: text("no pages")},
		lint.Finding{
			Rule: relative, Severity: lint.SeverityError, File: hostile, Line: 1, Column: 2, Offset: 1, Element: hostile,
			URL: "javascript:" + hostile, Message: text(hostile), Evidence: hostile, Source: hostile, Caret: 1,
		},
	)
}

// write returns a report of a clean file and of the findings.
func write(t *testing.T, name string, findings []lint.Finding) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := lintreport.New(name, &b, &lintreport.Options{
		Rules: rules, FailOn: lint.SeverityWarning, Version: "1.2.3", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	try := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	try(w.Checked("public/clean.xml"))
	for i, f := range findings {
		try(w.Write(&f))
		if i+1 == len(findings) || findings[i+1].File != f.File {
			try(w.Checked(f.File))
		}
	}
	try(w.Close(2))
	return b.Bytes()
}

var formats = map[string]string{
	"text": "lint.txt", "json": "lint.json", "jsonl": "lint.jsonl", "sarif": "lint.sarif", "junit": "lint.xml",
	"github": "lint.github", "html": "lint.html",
}

// TestGolden compares every format with its file in testdata. UPDATE_GOLDEN=1
// rewrites the files.
func TestGolden(t *testing.T) {
	for format, name := range formats {
		t.Run(format, func(t *testing.T) {
			formattest.Golden(t, filepath.Join("testdata", name), write(t, format, findings()))
		})
	}
}

func TestNoFindings(t *testing.T) {
	if got, want := string(write(t, "text", nil)), "no findings in 1 file, 2 accepted\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := lintreport.New("yaml", nil, nil); err == nil {
		t.Error("no error")
	}
}

func TestColor(t *testing.T) {
	var b bytes.Buffer
	w, _ := lintreport.New("text", &b, &lintreport.Options{Color: true})
	f := findings()[0]
	if err := w.Write(&f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte("\x1b[1;31merror\x1b[0m")) {
		t.Errorf("not colored: %q", b.String())
	}
}
