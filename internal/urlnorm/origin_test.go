package urlnorm

import "testing"

func TestCutOrigin(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://a.example/b/c?d":    {"https://a.example", "/b/c?d"},
		"http://a.example:8080":      {"http://a.example:8080", "/"},
		"https://a.example//b//c":    {"https://a.example", "//b//c"},
		"https://a.example?b=/c":     {"https://a.example", "/?b=/c"},
		"https://a.example#b":        {"https://a.example", "/#b"},
		"https://a.example/b://c/d":  {"https://a.example", "/b://c/d"},
		"https://user@a.example/b/c": {"https://user@a.example", "/b/c"},
		"https://[::1]/":             {"https://[::1]", "/"},
		"/b/c":                       {"", "/b/c"},
	} {
		if origin, path := CutOrigin(address); [2]string{origin, path} != want {
			t.Errorf("%q: %q and %q", address, origin, path)
		}
	}
}

func TestHost(t *testing.T) {
	for address, want := range map[string]string{
		"https://A.example:443/b": "a.example", "http://a.example:8080?c": "a.example:8080",
		"http://ann:secret@a.example:80": "a.example", "HTTPS://bücher.example/": "xn--bcher-kva.example",
		"http://[0:0::1]:8080/": "[::1]:8080",
		"ftp://a.example/":      "", "/a": "", "a.example": "", "https://": "", "": "",
	} {
		if got := Host(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func TestParseHTTP(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com": true, "HTTP://ann@example.com:8080/a?b#c": true, "https://": false, "https:a": false,
		"//example.com/": false, "ftp://example.com/": false, "example.com": false, "https://[": false, "": false,
	} {
		if got := ParseHTTP(address); (got != nil) != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8080": true, "localhost.": true, "localhost:": true,
		"127.0.0.1": true, "127.1.2.3:80": true, "::1": true, "[::1]": true, "[::1]:8080": true,
		"[::ffff:127.0.0.1]:80": true, "": false, ":80": false,
		"shop.localhost": false, "localhost.example": false, "localhost:80.example": false,
		"notlocalhost": false, "128.0.0.1": false, "10.0.0.1:80": false, "[::2]": false, "127.0.0.1.example": false,
	} {
		if IsLoopback(host) != want {
			t.Errorf("%q is not %t", host, want)
		}
	}
}

func TestIsSite(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com": true, "https://example.com/": true, "http://127.0.0.1:8080/#top": true,
		"https://example.com/sitemap.xml": false, "https://example.com/?page=1": false, "https://example.com//": false,
		"https://[": false,
	} {
		if IsSite(address) != want {
			t.Errorf("%q is not %t", address, want)
		}
	}
}
