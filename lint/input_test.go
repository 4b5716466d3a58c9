package lint_test

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

const twoFaults = head + "<url><loc>https://example.com/a</loc><priority>2</priority></url>\n" +
	"<url><loc>/long/enough</loc></url></urlset>\n"

// found returns the IDs of the findings and the error.
func found(findings iter.Seq2[lint.Finding, error]) (ids []string, err error) {
	for f, failed := range findings {
		if failed != nil {
			return ids, failed
		}
		ids = append(ids, f.Rule.ID)
	}
	return ids, nil
}

// TestCheckReader uses one linter many times, at the same time too.
func TestCheckReader(t *testing.T) {
	linter := newLinter(t, lint.Options{})
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for range 3 {
				ids, err := found(linter.CheckReader(t.Context(), strings.NewReader(twoFaults)))
				if want := []string{"priority-range", "loc-relative"}; err != nil || !slices.Equal(ids, want) {
					t.Errorf("found %q, %v, want %q", ids, err, want)
				}
			}
		})
	}
	running.Wait()
	for f, err := range linter.CheckReader(t.Context(), strings.NewReader(twoFaults)) {
		if err != nil || f.File != "-" || f.Line == 0 || f.Source == "" {
			t.Errorf("found %+v, %v", f, err)
		}
	}
}

// TestReadOnce wants an error, and no empty file, where an input was read before.
func TestReadOnce(t *testing.T) {
	stdin := newLinter(t, lint.Options{Source: source.Options{Stdin: strings.NewReader(twoFaults)}})
	reader := newLinter(t, lint.Options{}).CheckReader(t.Context(), strings.NewReader(twoFaults))
	for name, check := range map[string]func() iter.Seq2[lint.Finding, error]{
		"standard input":         func() iter.Seq2[lint.Finding, error] { return stdin.Check(t.Context(), "-") },
		"a reader iterated over": func() iter.Seq2[lint.Finding, error] { return reader },
	} {
		if ids, err := found(check()); len(ids) != 2 || err != nil {
			t.Errorf("%s: found %q, %v", name, ids, err)
		}
		if ids, err := found(check()); len(ids) != 0 || err == nil {
			t.Errorf("%s, again: found %q, %v", name, ids, err)
		}
	}
	for range 2 { // without an input, which is empty each time
		ids, err := found(newLinter(t, lint.Options{}).Check(t.Context(), "-"))
		if !slices.Equal(ids, []string{"empty-body"}) || err != nil {
			t.Errorf("no input: found %q, %v", ids, err)
		}
	}
}

// TestReaderFails wants the error of a reader as a finding.
func TestReaderFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(head), &brokenPages{})
	if ids, err := found(newLinter(t, lint.Options{}).CheckReader(t.Context(), broken)); len(ids) == 0 || err != nil {
		t.Errorf("found %q, %v", ids, err)
	}
}

// TestFolders counts the pages of a folder together, and ends with an error for one
// without sitemaps, after the findings of all others.
func TestFolders(t *testing.T) {
	full, empty := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"sitemap.xml": twoFaults, "sitemap-2.xml": twoFaults} {
		if err := os.WriteFile(filepath.Join(full, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	counts := map[string]int{}
	linter := newLinter(t, lint.Options{
		OnCount: func(source string, pages int) { counts[source] = pages }, Disable: []string{"duplicate-across-files"},
	})
	if ids, err := found(linter.Check(t.Context(), full)); len(ids) != 4 || err != nil {
		t.Errorf("found %q, %v", ids, err)
	}
	if len(counts) != 1 || counts[full] != 4 {
		t.Errorf("counted %v", counts)
	}
	ids, err := found(linter.Check(t.Context(), empty, full))
	if len(ids) != 4 || !errors.Is(err, source.ErrEmptyFolder) || !strings.Contains(err.Error(), empty) {
		t.Errorf("found %q, %v", ids, err)
	}
}
