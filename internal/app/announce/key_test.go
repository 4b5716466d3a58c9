package announce

import "testing"

func TestOtherHost(t *testing.T) {
	for page, want := range map[string]string{
		"https://example.com/a": "https://www.example.com/a", "https://www.example.com/": "https://example.com/",
		"https://example.co.uk:8443/": "https://www.example.co.uk:8443/", "https://blog.example.com/": "",
		"http://127.0.0.1:8080/": "", "http://localhost/": "", "http://[::1]/": "",
	} {
		if got := otherHost(page); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}
