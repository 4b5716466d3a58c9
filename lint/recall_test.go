package lint_test

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// twice is a sitemap that lists pages a second time, in every layout that makes
// places differ: several entries on a line, comments, sitemaps among the pages,
// addresses that begin like others.
func twice() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 3000 {
		long := strings.Repeat("x", i%300)
		fmt.Fprintf(&b, "%s<url><loc>https://example.com/%d/%s</loc></url>", strings.Repeat("\n ", i%4), i%2000, long)
		switch i % 7 {
		case 0:
			b.WriteString("<!-- a\ncomment -->")
		case 3:
			fmt.Fprintf(&b, "<sitemap><loc>https://example.com/%s.xml</loc></sitemap>", strings.Repeat("y", i%400))
		}
	}
	for i := range 2000 {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d/%s</loc></url>\n", i, strings.Repeat("x", i%300))
	}
	return b.String() + "</urlset>\n"
}

// TestPlacesAgree wants the same places of what is read once more as of what is
// buffered, in memory and on disk.
func TestPlacesAgree(t *testing.T) {
	text := twice()
	plain := write(t, "sitemap.xml", text)
	packed := filepath.Join(t.TempDir(), "sitemap.xml.gz")
	file, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(file)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	options := lint.Options{MaxPerRule: -1, Only: []string{"duplicate-loc"}}
	want := strings.ReplaceAll(listed(check(t, options, plain)), plain, "-")
	if n := strings.Count(want, "\n"); n < 2000 {
		t.Fatalf("%d findings", n)
	}
	if got := strings.ReplaceAll(listed(check(t, options, packed)), packed, "-"); got != want {
		t.Errorf("compressed\n%s\nplain\n%s", got, want)
	}
	for _, memory := range []int64{0, 1 << 14} {
		options.Memory, options.Source = memory, source.Options{Stdin: strings.NewReader(text)}
		if got := listed(check(t, options, "-")); got != want {
			t.Errorf("buffered with %d bytes\n%s\nread again\n%s", memory, got, want)
		}
	}
}

// TestChangedMeanwhile counts what was found in a file that is another one when
// places are looked up, and says nothing of places.
func TestChangedMeanwhile(t *testing.T) {
	for what, change := range map[string]func(path string) error{
		"removed":   os.Remove,
		"rewritten": func(path string) error { return os.WriteFile(path, []byte("another"), 0o600) },
	} {
		path := write(t, "sitemap.xml", twice())
		count := 0
		options := lint.Options{
			Only:   []string{"duplicate-loc"},
			OnFile: func(string, error) { _ = change(path) },
		}
		for _, f := range check(t, options, path) {
			count += max(1, f.More)
			if f.Line != 0 || f.URL != "" || strings.Contains(f.Message.String(), "line") {
				t.Errorf("%s: found %v", what, &f)
			}
		}
		if want := len(check(t, lint.Options{MaxPerRule: -1, Only: options.Only},
			write(t, "sitemap.xml", twice()))); count != want {
			t.Errorf("%s: %d findings, want %d", what, count, want)
		}
	}
}
