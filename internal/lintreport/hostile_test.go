package lintreport_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
	"golang.org/x/net/html"
)

// TestHarmless checks that no format holds control characters or commands.
func TestHarmless(t *testing.T) {
	for name := range formats {
		t.Run(name, func(t *testing.T) {
			for line := range strings.Lines(string(write(t, name, findings()))) {
				line = strings.TrimSuffix(line, "\n")
				for _, r := range line {
					if r == utf8.RuneError || r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
						t.Errorf("%U in %q", r, line)
					}
				}
				if strings.Contains(line, "##[") {
					t.Errorf("a command in %q", line)
				}
				if strings.HasPrefix(strings.TrimSpace(line), "::") && name != "github" {
					t.Errorf("a command in %q", line)
				}
			}
		})
	}
}

// TestJSON checks with another decoder that hostile text keeps its meaning, except
// for invalid UTF-8.
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

// TestPage checks that the page has no script but its own, which its policy allows by
// its hash, no event handler, script link or foreign resource, and one style sheet.
func TestPage(t *testing.T) {
	text := write(t, "html", findings())
	script, err := os.ReadFile("page.js")
	if err != nil {
		t.Fatal(err)
	}
	policy := "script-src " + format.HashSource(string(script))
	if bytes.Count(text, script) != 1 || !strings.Contains(html.UnescapeString(string(text)), policy) {
		t.Error("the page does not allow its own script by its hash")
	}
	page := html.NewTokenizer(bytes.NewReader(text))
	styles, scripts := 0, 0
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
		case "iframe", "img", "link", "object", "base", "svg":
			t.Errorf("the page has a %s", token.Data)
		case "script":
			scripts++
		case "style":
			styles++
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" || a.Key == "action" {
				t.Errorf("%s has %s=%q", token.Data, a.Key, a.Val)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") &&
				!strings.HasPrefix(a.Val, "#") {
				t.Errorf("a link to %q", a.Val)
			}
		}
	}
	if styles != 1 || scripts != 1 {
		t.Errorf("%d style sheets, %d scripts", styles, scripts)
	}
}

// TestXML checks the counts of the JUnit report with a parser other than that of
// TestJUnitSchema.
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
