package format

import (
	"path/filepath"
	"testing"
)

// TestReference names files as services show them: never by a web address, and below the
// working directory where they are.
func TestReference(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.EvalSymlinks(".")
	if err != nil {
		t.Fatal(err)
	}
	if here, err = filepath.Abs(here); err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{
		"public/./a b.html":                       "public/a%20b.html",
		filepath.Join(here, "public/a.html"):      "public/a.html",
		"https://example.com/":                    "example.com",
		"https://example.com/blog/?a=1&b=ä#c":     "example.com/blog/%3Fa=1&b=%C3%A4",
		"http://127.0.0.1:8080/caf%C3%A9/":        "127.0.0.1%3A8080/caf%C3%A9",
		"https://user:secret@example.com/a":       "example.com/a",
		"https://example.com/../../../etc/passwd": "example.com/etc/passwd",
		"https://example.com/%2e%2e/%2e%2e/a":     "example.com/a",
	} {
		if got := reference(location); got != want {
			t.Errorf("%s: %s, want %s", location, got, want)
		}
	}
	if got := reference(filepath.Join(filepath.Dir(here), "a.html")); filepath.Separator == '/' &&
		got != "file://"+filepath.Dir(here)+"/a.html" {
		t.Errorf("above the working directory: %s", got)
	}
}
