package lintreport_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// TestOneScreen checks that many findings of one rule take no more than a screen, and
// that all are counted.
func TestOneScreen(t *testing.T) {
	var all []lint.Finding
	for file := range 1000 {
		name := "part-" + strconv.Itoa(file) + ".xml"
		for range 10 {
			all = append(all, lint.Finding{
				Rule: relative, Severity: lint.SeverityError, File: name, Line: 2, Message: text("m"),
			})
		}
		all = append(all, lint.Finding{Rule: relative, Severity: lint.SeverityError, File: name, More: 90})
	}
	got := string(write(t, "text", all))
	if n := strings.Count(got, "\n"); n > 24 {
		t.Errorf("%d lines:\n%s", n, got)
	}
	for want, times := range map[string]int{
		": error: m [loc-relative]\n":                                                9,
		"part-2.xml: 97 more like this [loc-relative]\n":                             1,
		"\n99,700 more in further files [loc-relative]\n":                            1,
		"  = " + relative.Fix().String() + "\n":                                      1,
		"\n100,000 errors, 0 warnings, 0 info in 1,000 of 1,001 files, 2 accepted\n": 1,
	} {
		if n := strings.Count(got, want); n != times {
			t.Errorf("%q %d times, want %d:\n%s", want, n, times, got)
		}
	}
}
