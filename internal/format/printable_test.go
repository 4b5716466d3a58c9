package format_test

import (
	"regexp"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
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
		if got := format.Printable(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// isCommand matches the commands of GitHub's runner.
var isCommand = regexp.MustCompile(`(?m)^\s*::[^:\n]+::|##\[|##vso\[`)

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[2J\u202Eevil\u2066\r\n::error::x ##[add-mask]x \xff\u0085")
	f.Add("::error::x")
	f.Add(" \u00a0::x::")
	f.Add("\uFEFF##[x]")
	f.Fuzz(func(t *testing.T, text string) {
		got := format.Printable(text)
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
		if again := format.Printable(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}

func TestCSVCell(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "＝x": "'＝x", "\tx": "'\tx",
		"https://example.com/": "https://example.com/", "": ""} {
		if got := format.CSVCell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestAppendScriptString compares the quick way of plain texts with that of all texts.
func TestAppendScriptString(t *testing.T) {
	texts := []string{"", "plain text, 100 %", "##vso[x]", "##[x]", "a#b", "\u202e\u2028\u0085", "ü日本", "\xff",
		"</script>", "a\"\n\\"}
	for c := range 0x80 {
		texts = append(texts, "a"+string(rune(c))+"b")
	}
	for _, text := range texts {
		quoted, err := format.AppendScriptJSON(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := `"` + string(format.AppendScriptString(nil, text)) + `"`; got != string(quoted) {
			t.Errorf("%q is %s, want %s", text, got, quoted)
		}
	}
}
