package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/report"
	"golang.org/x/net/html"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain":              "plain",
		"日本 é":               "日本 é",
		"\x1b[31m":           `\x1b[31m`,
		"a\r\nb\tc":          `a\x0d\nb c`,
		"\u009b2J":           `\u009b2J`,
		"\u202Ereverse":      `\u202ereverse`,
		"\u2028":             `\u2028`,
		"zero\u200bwidth":    `zero\u200bwidth`,
		"\U000e0041":         `\U000e0041`,
		"\xff":               `\xff`,
		"\uFFFD":             "\uFFFD",
		"::error::x":         `\u003a:error::x`,
		"  ::error::x":       `  \u003a:error::x`,
		"std::vector":        "std::vector",
		"a ##[add-mask]b":    `a \u0023#[add-mask]b`,
		"###[group]":         `#\u0023#[group]`,
		"##vso[task.set]x":   `\u0023#vso[task.set]x`,
		"## a heading, #top": "## a heading, #top",
	} {
		if got := report.Printable(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// isCommand tells what GitHub's runner takes for a command, in its own way.
var isCommand = regexp.MustCompile(`(?m)^\s*::[^:\n]+::|##\[|##vso\[`)

func FuzzPrintable(f *testing.F) {
	f.Add(hostile)
	f.Add("::error::x")
	f.Add(" \u00a0::x::")
	f.Add("\uFEFF##[x]")
	f.Fuzz(func(t *testing.T, text string) {
		got := report.Printable(text)
		if !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		for _, r := range got {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) {
				t.Errorf("%q holds %U", got, r)
			}
		}
		if isCommand.MatchString(got) {
			t.Errorf("%q is a command", got)
		}
		if again := report.Printable(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}

// TestNothingHappens looks for what a report must not hold, whoever reads it.
func TestNothingHappens(t *testing.T) {
	for format := range formats {
		t.Run(format, func(t *testing.T) {
			for line := range strings.Lines(string(write(t, format, findings()))) {
				line = strings.TrimSuffix(line, "\n")
				for _, r := range line {
					if r == utf8.RuneError || r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
						t.Errorf("%U in %q", r, line)
					}
				}
				if strings.Contains(line, "##[") {
					t.Errorf("a command in %q", line)
				}
				if strings.HasPrefix(strings.TrimSpace(line), "::") && format != "github" {
					t.Errorf("a command in %q", line)
				}
			}
		})
	}
}

// TestJSON has another decoder tell that hostile text means itself, but for what
// is no text.
func TestJSON(t *testing.T) {
	var whole struct {
		Findings []struct{ Message, File, URL string }
		Counts   map[string]int
	}
	if err := json.Unmarshal(write(t, "json", findings()), &whole); err != nil {
		t.Fatal(err)
	}
	last := whole.Findings[len(whole.Findings)-1]
	if want := strings.ToValidUTF8(hostile, "\uFFFD"); last.Message != want || last.File != want {
		t.Errorf("%q, want %q", last.Message, want)
	}
	if whole.Counts["error"] != 12486 || whole.Counts["accepted"] != 2 {
		t.Errorf("counts %v", whole.Counts)
	}
	lines := json.NewDecoder(bytes.NewReader(write(t, "jsonl", findings())))
	for range whole.Findings {
		var one struct{ Message string }
		if err := lines.Decode(&one); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lines.Token(); err != io.EOF {
		t.Errorf("more lines than findings: %v", err)
	}
}

// TestPage looks at the page as a browser does: no script, no event, no link that
// runs one, one style sheet, no resource from elsewhere.
func TestPage(t *testing.T) {
	page := html.NewTokenizer(bytes.NewReader(write(t, "html", findings())))
	styles := 0
	for {
		kind := page.Next()
		if kind == html.ErrorToken {
			break
		}
		token := page.Token()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch token.Data {
		case "script", "iframe", "img", "link", "object", "form", "base", "svg":
			t.Errorf("the page has a %s", token.Data)
		case "style":
			styles++
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" {
				t.Errorf("%s has %s=%q", token.Data, a.Key, a.Val)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("a link to %q", a.Val)
			}
		}
	}
	if styles != 1 {
		t.Errorf("%d style sheets", styles)
	}
}

// TestXML reads the JUnit report with another parser than the one that is strict
// about it in TestJUnitSchema, and counts.
func TestXML(t *testing.T) {
	var suites struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(write(t, "junit", findings()), &suites); err != nil {
		t.Fatal(err)
	}
	if len(suites.Suites) != 4 {
		t.Fatalf("%d suites", len(suites.Suites))
	}
	for i, s := range suites.Suites {
		failed := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed || failed != min(i, 1) {
			t.Errorf("suite %d: %d tests, %d failures; it holds %d and %d", i, s.Tests, s.Failures, len(s.Cases), failed)
		}
	}
}

func TestCell(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "＝x": "'＝x", "\tx": "'\tx", "https://example.com/": "https://example.com/", "": ""} {
		if got := report.Cell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
