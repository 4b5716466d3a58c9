package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// TestGenerators checks folders as generators write them, each made by running the
// generator: Hugo 0.111 with and without pages, Jekyll 4.3 with its plugins for sitemaps
// and feeds, MkDocs 1.4, Django 3.2 and WordPress 6.1. No engine finds anything wrong
// with them.
func TestGenerators(t *testing.T) {
	want := map[string]struct{ baseURL, found string }{ // under all rule sets, everything an info
		"hugo-new":  {"http://example.org/", ""},
		"hugo":      {"https://example.org/", ""},
		"jekyll":    {"https://example.org/", ""},
		"mkdocs":    {"https://example.org/docs/", "changefreq-ignored"},
		"django":    {"https://example.org/", "changefreq-ignored index-lastmod-missing priority-ignored"},
		"wordpress": {"https://example.org/", "index-lastmod-missing"},
	}
	folders, err := os.ReadDir("testdata/generators")
	if err != nil || len(folders) != len(want) {
		t.Fatalf("%d folders, want %d: %v", len(folders), len(want), err)
	}
	for _, folder := range folders {
		c := want[folder.Name()]
		options := lint.Options{Engines: lint.EngineAll, BaseURL: c.baseURL, Now: examplesToday.AddDate(2, 0, 0)}
		found := check(t, options, filepath.Join("testdata/generators", folder.Name()))
		for _, f := range found {
			if f.Severity > lint.SeverityInfo {
				t.Error(&f)
			}
		}
		rules := ids(found)
		slices.Sort(rules)
		if got := strings.Join(slices.Compact(rules), " "); got != c.found {
			t.Errorf("%s: found %q, want %q\n%s", folder.Name(), got, c.found, listed(found))
		}
	}
}
