package urlnorm

import "testing"

func TestIsHTTP(t *testing.T) {
	for address, want := range map[string]bool{
		"http://a.example": true, "HTTPS://a.example/": true, "https://": true,
		"https:/a": false, "httpss://a": false, "ftp://a": false, "//a.example": false, "sitemap.xml": false,
		"file/http://a": false, "": false, "://": false,
	} {
		if got := IsHTTP(address); got != want {
			t.Errorf("%q: %t", address, got)
		}
	}
}

func TestCutScheme(t *testing.T) {
	for ref, want := range map[string]string{
		"http:page": "http", "a+b-c.d1:x": "a+b-c.d1", "mailto:a@b": "mailto",
		"1a:x": "", ":x": "", "a/b:c": "", "page": "", "": "",
	} {
		scheme, rest, ok := CutScheme([]byte(ref))
		if string(scheme) != want || ok != (want != "") || !ok && string(rest) != ref {
			t.Errorf("%q: %q, %q, %t", ref, scheme, rest, ok)
		}
	}
}
