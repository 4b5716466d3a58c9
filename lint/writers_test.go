package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// TestWriters checks what writers in wide use make, under every rule set. What is
// found there was looked at one by one: see the file. UPDATE_GOLDEN=1
// rewrites it.
func TestWriters(t *testing.T) {
	const golden = "testdata/writers/findings.txt"
	paths, err := filepath.Glob("testdata/writers/*.xml")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "%s\n", filepath.Base(path))
		for _, engine := range []lint.Engines{lint.EngineSitemapsOrg, lint.EngineGoogle, lint.EngineBing, lint.EngineYandex} {
			options := exampleOptions(t, nil)
			options.Engines = engine
			findings := slices.DeleteFunc(check(t, options, path), func(f lint.Finding) bool {
				// the files listed are not there
				return f.File != path || f.Rule.ID == "child-unreachable" || f.Rule.ID == "set-empty"
			})
			for _, f := range findings {
				fmt.Fprintf(&b, "\t%v %d:%d %v %s: %s\n", engine, f.Line, f.Column, f.Severity, f.Rule.ID, f.Message)
				if engine != lint.EngineSitemapsOrg && f.Severity > lint.SeverityInfo {
					t.Errorf("%v would refuse what it reads: %s", engine, &f)
				}
			}
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("found\n%swant\n%s", b.String(), want)
	}
}
