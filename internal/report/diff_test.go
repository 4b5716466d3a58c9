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

	"github.com/mapatools/mapa/internal/compare"
)

// hostileAddress is an address that a text file may hold: markup, a terminal's escape,
// a mark that turns the direction of writing.
const hostileAddress = "https://\u202egro.elpmaxe/<script>alert(1)</script>\x1b[2J"

// compareTexts makes a comparison of two sitemaps in text.
func compareTexts(t *testing.T, old, new string) *compare.Comparison {
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
	return &compare.Comparison{Old: open("old<b>.txt", old), New: open("new.txt", new)}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; UPDATE_GOLDEN=1 rewrites it:\n%s", path, got)
	}
}

// TestDiffInert shows addresses that would do something if they could.
func TestDiffInert(t *testing.T) {
	c := compareTexts(t, "https://example.com/\n"+hostileAddress+"\njavascript:alert(1)\n", "https://example.com/new\n")
	for name, write := range DiffFormats() {
		var out bytes.Buffer
		differs, err := write(t.Context(), &out, c)
		if err != nil || !differs {
			t.Fatalf("%s: differs %t, %v", name, differs, err)
		}
		golden(t, "diff."+name, bytes.ReplaceAll(out.Bytes(), []byte(diffStyle), []byte("STYLE")))
		if strings.Contains(out.String(), "\x1b") || (name == "text" || name == "html") && strings.Contains(out.String(), "\u202e") {
			t.Errorf("%s: a control character comes through", name)
		}
		if name == "html" && (strings.Contains(out.String(), "<script") || strings.Contains(out.String(), `href="javascript`)) {
			t.Error("html: a script comes through")
		}
	}
}

func TestDiffPolicyCoversStyle(t *testing.T) {
	var out bytes.Buffer
	if _, err := WriteDiffHTML(t.Context(), &out, compareTexts(t, "https://example.com/\n", "https://example.com/\n")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "<style>"+diffStyle+"</style>") {
		t.Error("the style sheet is not written as it was hashed")
	}
}

// TestDiffMany counts what the page does not show.
func TestDiffMany(t *testing.T) {
	var many strings.Builder
	for i := range diffEach + 5 {
		fmt.Fprintf(&many, "https://example.com/%d\n", i)
	}
	var out bytes.Buffer
	if _, err := WriteDiffHTML(t.Context(), &out, compareTexts(t, "https://example.com/0\n", many.String())); err != nil {
		t.Fatal(err)
	}
	if shown := strings.Count(out.String(), "<li><a href=\"https"); shown != diffEach {
		t.Errorf("%d shown, not %d", shown, diffEach)
	}
	if !strings.Contains(out.String(), "<p class=\"note\">4 more;") {
		t.Error("the others are not counted")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestDiffCannotWrite(t *testing.T) {
	c := compareTexts(t, "https://example.com/1\n", "https://example.com/2\n")
	for name, write := range DiffFormats() {
		if _, err := write(context.Background(), brokenPipe{}, c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
