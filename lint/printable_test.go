package lint

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.com/ü":        "https://example.com/ü",
		"a\u200eb\u202ec\u2060d":       `a\u200eb\u202ec\u2060d`,
		"\x1b[2J\xff\n":                `\x1b[2J\xff\n`,
		"##[error]x":                   `\u0023#[error]x`,
		strings.Repeat("a", 200):       strings.Repeat("a", 200),
		strings.Repeat("a", 201):       strings.Repeat("a", 200) + "…",
		strings.Repeat("é", 101):       strings.Repeat("é", 100) + "…",
		"a" + strings.Repeat("é", 101): "a" + strings.Repeat("é", 99) + "…",
		"a" + strings.Repeat("😀", 51):  "a" + strings.Repeat("😀", 49) + "…",
		strings.Repeat("\x80", 201):    strings.Repeat(`\x80`, 196) + "…",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if got := printable([]byte(text)); got != want {
			t.Errorf("%q as bytes is %q, want %q", text, got, want)
		}
	}
}
