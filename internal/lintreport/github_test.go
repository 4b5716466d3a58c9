package lintreport_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// TestGitHubColumn wants columns in UTF-16 code units, not bytes, where the line
// is known.
func TestGitHubColumn(t *testing.T) {
	rule := &lint.Rule{ID: "priority-range"}
	known := lint.Finding{Rule: rule, Severity: lint.SeverityError, File: "a.xml", Line: 3, Column: 8,
		Source: "é😀 <priority>", Caret: 8}
	unknown := lint.Finding{Rule: rule, Severity: lint.SeverityError, File: "a.xml", Line: 3, Column: 8}
	var b strings.Builder
	out, err := lintreport.New("github", &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*lint.Finding{&known, &unknown} {
		if err := out.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(0); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{"line=3,col=5,", "line=3,col=8,"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("%s\nlacks %s", lines[i], want)
		}
	}
}
