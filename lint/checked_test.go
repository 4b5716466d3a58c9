package lint_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// TestChecked wants OnFile to be called after the findings of every file, with the
// reason for a missing file.
func TestChecked(t *testing.T) {
	folder := t.TempDir()
	good, bad, gone := filepath.Join(folder, "good.xml"), filepath.Join(folder, "bad.xml"),
		filepath.Join(folder, "gone.xml")
	for name, body := range map[string]string{
		good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>`,
		bad:  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/relative/page</loc></url></urlset>`,
	} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	linter := newLinter(t, lint.Options{
		Only: []string{"loc-relative", "file-unreadable"},
		OnFile: func(file string, err error) {
			got = append(got, "checked "+filepath.Base(file))
			if (err != nil) != (file == gone) || err != nil && !errors.Is(err, source.ErrOpen) {
				t.Errorf("%s: %v", file, err)
			}
		},
	})
	for f, err := range linter.Check(t.Context(), bad, good, gone) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Rule.ID+" "+filepath.Base(f.File))
	}
	want := []string{"loc-relative bad.xml", "checked bad.xml", "checked good.xml", "file-unreadable gone.xml",
		"checked gone.xml"}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, r := range slices.Concat(lint.Rules(), lint.PageRules()) {
		if found, err := lint.LookupRule(r.ID); err != nil || found.ID != r.ID {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
	if _, err := lint.LookupRule("loc-relativ"); err == nil ||
		err.Error() != `unknown rule "loc-relativ": did you mean loc-relative?` {
		t.Errorf("%v", err)
	}
}
