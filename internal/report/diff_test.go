package report

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format/formattest"
)

// hostileAddress is a URL with markup, a terminal escape and a direction override.
const hostileAddress = "https://\u202egro.elpmaxe/<script>alert(1)</script>\x1b[2J"

// compareTexts returns what changed between two text sitemaps.
func compareTexts(t *testing.T, old, new string) *Diff {
	t.Helper()
	open := func(name, text string) *compare.Side {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		side, err := compare.Open(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { side.Close() })
		side.Location = name
		return side
	}
	comparison := &compare.Comparison{Old: open("old<b>.txt", old), New: open("new.txt", new)}
	changes, err := comparison.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(changes.Close)
	return &Diff{
		Old: comparison.Old.Location, New: comparison.New.Location, Changes: changes, Texts: catalog.For(catalog.English),
	}
}

// TestDiffInert checks that hostile URLs do nothing in any format.
func TestDiffInert(t *testing.T) {
	d := compareTexts(t, "https://example.com/\n"+hostileAddress+"\njavascript:alert(1)\n", "https://example.com/new\n")
	for name, write := range DiffFormats {
		var out bytes.Buffer
		if err := write(t.Context(), &out, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		formattest.Golden(t, filepath.Join("testdata", "diff."+name),
			bytes.ReplaceAll(out.Bytes(), []byte(diffStyle), []byte("STYLE")))
		if strings.Contains(out.String(), "\x1b") || (name == "text" || name == "html") &&
			strings.Contains(out.String(), "\u202e") {
			t.Errorf("%s: a control character comes through", name)
		}
		if name == "html" && (strings.Contains(out.String(), "<script") ||
			strings.Contains(out.String(), `href="javascript`)) {
			t.Error("html: a script comes through")
		}
	}
}

func TestDiffPolicyCoversStyle(t *testing.T) {
	var out bytes.Buffer
	if err := WriteDiffHTML(t.Context(), &out,
		compareTexts(t, "https://example.com/\n", "https://example.com/\n")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "<style>"+diffStyle+"</style>") {
		t.Error("the style sheet is not written as it was hashed")
	}
}

// TestDiffMany checks the count of changes that the page does not show.
func TestDiffMany(t *testing.T) {
	var many strings.Builder
	for i := range maxDiffChanges + 5 {
		fmt.Fprintf(&many, "https://example.com/%d\n", i)
	}
	var out bytes.Buffer
	if err := WriteDiffHTML(t.Context(), &out, compareTexts(t, "https://example.com/0\n", many.String())); err != nil {
		t.Fatal(err)
	}
	if shown := strings.Count(out.String(), "<li><a href=\"https"); shown != maxDiffChanges {
		t.Errorf("%d shown, not %d", shown, maxDiffChanges)
	}
	if !strings.Contains(out.String(), "<p class=\"note\">4 more.") {
		t.Error("the others are not counted")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestDiffCannotWrite(t *testing.T) {
	d := compareTexts(t, "https://example.com/1\n", "https://example.com/2\n")
	for name, write := range DiffFormats {
		if err := write(context.Background(), brokenPipe{}, d); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
