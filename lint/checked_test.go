package lint_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// TestChecked sees that every file is told of behind its findings, with the reason
// where there is no file.
func TestChecked(t *testing.T) {
	folder := t.TempDir()
	good, bad, gone := filepath.Join(folder, "good.xml"), filepath.Join(folder, "bad.xml"), filepath.Join(folder, "gone.xml")
	for name, body := range map[string]string{
		good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>`,
		bad:  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/relative/page</loc></url></urlset>`,
	} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	linter := newLinter(t, lint.Options{
		Enable: []string{"loc-relative", "fetch-fail"},
		OnFile: func(file string, err error) {
			told = append(told, "checked "+filepath.Base(file))
			if (err != nil) != (file == gone) || err != nil && !errors.Is(err, source.ErrOpen) {
				t.Errorf("%s: %v", file, err)
			}
		},
	})
	for f, err := range linter.Check(t.Context(), bad, good, gone) {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, f.Rule.ID+" "+filepath.Base(f.File))
	}
	want := []string{"loc-relative bad.xml", "checked bad.xml", "checked good.xml", "fetch-fail gone.xml", "checked gone.xml"}
	if len(told) != len(want) {
		t.Fatalf("told %v, want %v", told, want)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %v, want %v", told, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, r := range lint.Rules() {
		if found, err := lint.Find(r.ID); err != nil || found.ID != r.ID {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
	if _, err := lint.Find("loc-relativ"); err == nil || err.Error() != `unknown rule "loc-relativ": did you mean loc-relative?` {
		t.Errorf("%v", err)
	}
}
