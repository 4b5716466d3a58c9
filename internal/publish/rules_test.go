package publish

import "testing"

func TestSplit(t *testing.T) {
	for loc, want := range map[string][2]string{
		"https://example.com":          {"https://example.com", "/"},
		"https://example.com/":         {"https://example.com", "/"},
		"http://example.com:8080/a?b":  {"http://example.com:8080", "/a?b"},
		"https://example.com?a=/b":     {"https://example.com", "/?a=/b"},
		"https://example.com#a":        {"https://example.com", "/#a"},
		"https://example.com/a://b/c":  {"https://example.com", "/a://b/c"},
		"https://user@example.com/a/b": {"https://user@example.com", "/a/b"},
	} {
		if origin, path := splitURL(loc); origin != want[0] || path != want[1] {
			t.Errorf("%s: %s and %s, want %s", loc, origin, path, want)
		}
	}
}
