package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/lint"
)

// repaired are the rules that a repaired copy keeps.
var repaired = []string{
	"gzip-misnamed", "gzip-double", "gzip-trailing", "bom-present", "bom-conflict", "encoding-not-utf8",
	"leading-whitespace", "leading-content", "trailing-content", "doctype-present", "undeclared-entity", "bare-ampersand",
	"duplicate-attribute", "ns-missing", "ns-wrong", "ns-noncanonical", "ext-ns-undeclared", "ext-ns-noncanonical",
	"ext-ns-unused", "schema-location-mismatch", "xsl-cross-origin", "xsl-unsafe-url", "extension-order", "element-order",
	"extension-before-core", "urlset-nested", "empty-tag", "stray-text", "duplicate-child", "nested-tag-in-leaf",
	"missing-loc",
	"loc-whitespace", "loc-newline-inside", "loc-relative", "loc-no-scheme", "loc-not-percent-encoded", "loc-bad-escape",
	"duplicate-loc", "duplicate-across-files", "lastmod-invalid", "lastmod-no-zone", "lastmod-no-seconds",
	"changefreq-invalid", "priority-invalid", "priority-range", "extension-in-index", "child-duplicate",
	"too-many-urls", "too-large", "blank-line", "cr-only", "line-invalid",
}

// repairExample returns the folder with the copies of an example.
func repairExample(t *testing.T, example string) string {
	t.Helper()
	archive, first := exampleSite(t, example)
	folder := t.TempDir()
	options := repair.Options{Folder: folder, Zone: time.FixedZone("", 3600), Source: exampleOptions(t, archive).Source}
	if _, err := repair.Run(t.Context(), []string{"https://example.com" + first}, options); err != nil {
		t.Fatal(err)
	}
	return folder
}

// checkCopies checks what a repair wrote, if it wrote anything.
func checkCopies(t *testing.T, folder string) []lint.Finding {
	t.Helper()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) == 0 {
		t.Fatalf("nothing was written: %v", err)
	}
	options := exampleOptions(t, nil)
	options.BaseURL, options.Engines = "https://example.com/", lint.EngineAll
	return check(t, options, folder)
}

// TestRepair wants the copy of every bad example to keep the rule, and no copy of
// any example to break one of the others.
func TestRepair(t *testing.T) {
	for _, id := range repaired {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			r, err := lint.LookupRule(id)
			if err != nil {
				t.Fatal(err)
			}
			bad, _ := lintexample.Of(id)
			found := checkCopies(t, repairExample(t, bad))
			if slices.ContainsFunc(found, isOf(r)) {
				t.Errorf("the copy breaks the rule; found\n%s", listed(found))
			}
		})
	}
}

// TestRepairIsStable wants the copy of a copy to be the copy, byte by byte. It leaves out
// examples that others are like and that only take long: those of thousands of files,
// and those that are padded to the limit of bytes.
func TestRepairIsStable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range lint.Rules() {
		bad, good := lintexample.Of(r.ID)
		for _, example := range []string{good, bad} {
			text := lintexample.Expand(example, examplesToday)
			if seen[example] || len(text) > 8<<20 || strings.Count(text, "<sitemap>") > 1000 ||
				strings.Count(text, "\n-- ") > 100 {
				continue
			}
			seen[example] = true
			once := repairExample(t, example)
			twice := t.TempDir()
			options := repair.Options{Folder: twice, BaseURL: "https://example.com/", Source: exampleOptions(t, nil).Source}
			if _, err := repair.Run(t.Context(), []string{once}, options); err != nil {
				entries, _ := os.ReadDir(once)
				if len(entries) > 0 {
					t.Errorf("%s: %v", r.ID, err)
				}
				continue
			}
			compareFolders(t, r.ID, once, twice)
		}
	}
}

func compareFolders(t *testing.T, id, once, twice string) {
	t.Helper()
	entries, err := os.ReadDir(once)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		a, err := os.ReadFile(filepath.Join(once, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(twice, e.Name()))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s: %s is changed again (%v):\n%.600s\n%.600s", id, e.Name(), err, a, b)
		}
	}
}
