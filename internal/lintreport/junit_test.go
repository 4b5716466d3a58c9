package lintreport_test

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// TestJUnitSuites checks that suite names are unique, because Jenkins shows only one
// suite per name.
func TestJUnitSuites(t *testing.T) {
	var b bytes.Buffer
	w, err := lintreport.New("junit", &b, &lintreport.Options{FailOn: lint.SeverityInfo})
	if err != nil {
		t.Fatal(err)
	}
	a := lint.Finding{Rule: relative, Severity: lint.SeverityError, File: "a.xml", Message: text("m")}
	several := lint.Finding{Rule: empty, Severity: lint.SeverityError, Message: text("m")}
	for _, err := range []error{
		w.Write(&a), w.Checked("a.xml"), w.Checked("b.xml"), // about one file each
		w.Write(&a), w.Write(&several), // about several files
		w.Close(0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, match := range regexp.MustCompile(`<testsuite name="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
		names = append(names, match[1])
	}
	if want := []string{"a.xml", "b.xml", "all files together"}; !slices.Equal(names, want) {
		t.Errorf("suites %q, want %q", names, want)
	}
}
