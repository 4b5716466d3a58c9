package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
)

// checkWording words a text in every language, and wants all arguments in it and nothing
// that is not worded.
func checkWording(t *testing.T, text lint.Text) {
	t.Helper()
	for _, language := range catalog.Languages() {
		worded := text.In(string(language))
		if worded == "" || strings.Contains(worded, "%!") || strings.Contains(worded, text.Code) {
			t.Errorf("%s: %+v is worded %q", language, text, worded)
		}
		for _, argument := range text.Arguments {
			switch a := argument.(type) {
			case int:
				argument = catalog.For(language).Count(int64(a))
			case lint.Text:
				checkWording(t, a)
				argument = a.In(string(language))
			}
			if !strings.Contains(worded, fmt.Sprint(argument)) {
				t.Errorf("%s: %q lacks the argument %v", language, worded, argument)
			}
		}
	}
}

// TestRuleTexts words the texts of all rules, and wants them translated.
func TestRuleTexts(t *testing.T) {
	for _, r := range lint.Rules() {
		for _, text := range []lint.Text{r.Title(), r.Why(), r.Fix()} {
			checkWording(t, text)
			if text.String() == text.In("es") {
				t.Errorf("%s is not translated: %q", text.Code, text)
			}
		}
	}
}

func TestText(t *testing.T) {
	line := lint.Text{Code: "finding.on-line", Arguments: []any{12345}}
	listed := lint.Text{Code: "finding.already-listed", Arguments: []any{"https://example.com/%s", line}}
	for language, want := range map[string]string{
		"": "https://example.com/%s is already listed on line 12,345", "de": "https://example.com/%s is already listed on line 12,345",
		"es-MX": "https://example.com/%s ya está en la línea 12.345",
	} {
		if got := listed.In(language); got != want {
			t.Errorf("%q: got %q, want %q", language, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 more like this", 1: "1 more like this", 12480: "12,480 more like this"} {
		if got := fmt.Sprint(lint.Text{Code: "finding.more", Arguments: []any{n}}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, unknown := range []lint.Text{
		{Code: "no such text", Arguments: []any{1, "%s"}}, {Code: "finding.on-line"}, {},
	} {
		if got := unknown.String(); !strings.HasPrefix(got, unknown.Code) {
			t.Errorf("%+v is worded %q", unknown, got)
		}
	}
}
