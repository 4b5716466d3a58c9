package lint_test

import (
	"testing"

	"github.com/mapatools/mapa/lint"
)

// TestFingerprint says what makes another finding, and what does not.
func TestFingerprint(t *testing.T) {
	rules := lint.Rules()
	base := lint.Finding{
		Rule: rules[0], File: "a.xml", URL: "https://example.com/", Evidence: "x", Line: 3, Message: lint.Text{Code: "m"},
	}
	changed := func(change func(*lint.Finding)) string {
		f := base
		change(&f)
		return f.Fingerprint()
	}
	seen := map[string]bool{base.Fingerprint(): true}
	for name, change := range map[string]func(*lint.Finding){
		"rule":     func(f *lint.Finding) { f.Rule = rules[1] },
		"file":     func(f *lint.Finding) { f.File = "b.xml" },
		"page":     func(f *lint.Finding) { f.URL = "https://example.com/b" },
		"evidence": func(f *lint.Finding) { f.Evidence = "y" },
		"border":   func(f *lint.Finding) { f.File, f.URL = "a.xmlh", "ttps://example.com/" },
		"more":     func(f *lint.Finding) { f.More = 5 },
	} {
		if print := changed(change); seen[print] {
			t.Errorf("another %s makes no other finding", name)
		} else {
			seen[print] = true
		}
	}
	for name, change := range map[string]func(*lint.Finding){
		"place":    func(f *lint.Finding) { f.Line, f.Column, f.Offset = 9, 9, 9 },
		"wording":  func(f *lint.Finding) { f.Message.Code = "n" },
		"severity": func(f *lint.Finding) { f.Severity = lint.SeverityInfo },
	} {
		if changed(change) != base.Fingerprint() {
			t.Errorf("another %s makes another finding", name)
		}
	}
}
