package crawl

import "testing"

// TestWithOtherScheme keeps all but the scheme and its default port.
func TestWithOtherScheme(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a?b=c":  "http://example.com/a?b=c",
		"http://example.com":         "https://example.com",
		"https://example.com:443/":   "http://example.com/",
		"http://[::1]:80/":           "https://[::1]/",
		"https://example.com:8443/":  "http://example.com:8443/",
		"https://example.com:8443/%": "",
	} {
		if got := withOtherScheme(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
