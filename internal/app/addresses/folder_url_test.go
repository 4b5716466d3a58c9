package addresses

import (
	"net/url"
	"testing"
)

// TestFolderURL publishes in the folder that a base URL names, by itself or by a page in it.
func TestFolderURL(t *testing.T) {
	for base, want := range map[string]string{
		"https://example.com":                  "https://example.com/",
		"https://example.com/":                 "https://example.com/",
		"https://example.com/docs":             "https://example.com/docs/",
		"https://example.com/docs/":            "https://example.com/docs/",
		"https://example.com/docs/v1.2":        "https://example.com/docs/v1.2/",
		"https://example.com/docs/v1.2/":       "https://example.com/docs/v1.2/",
		"https://example.com/index.html":       "https://example.com/",
		"https://example.com/docs/Index.HTML":  "https://example.com/docs/",
		"https://example.com/a%20b/x.php":      "https://example.com/a%20b/",
		"https://example.com/user/a.github.io": "https://example.com/user/a.github.io/",
	} {
		u, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		if got := FolderURL(u); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}
