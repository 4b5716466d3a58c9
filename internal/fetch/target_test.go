package fetch

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestTarget(t *testing.T) {
	for address, want := range map[string]string{
		"http://shop.example":                 "http://shop.example /",
		"HTTPS://Shop.Example:443?a":          "https://shop.example /?a",
		"http://shop.example:80/":             "http://shop.example /",
		"http://shop.example:443/":            "http://shop.example:443 /",
		"http://shop.example:/":               "http://shop.example /",
		"http://me:pw@shop.example/":          "http://shop.example /",
		"http://me@evil@shop.example/":        "http://shop.example /",
		"http://shop.example/@evil.example/":  "http://shop.example /@evil.example/",
		"http://shop.example?@evil.example/":  "http://shop.example /?@evil.example/",
		"http://shop.example#@evil.example/":  "http://shop.example /",
		"http://[2001:DB8::1]:8080/a#b?c":     "http://[2001:db8::1]:8080 /a",
		"http://[2001:db8::1]/":               "http://[2001:db8::1] /",
		"http://xn--caf-dma.example/%E9?%zz#": "http://xn--caf-dma.example /%E9?%zz",
	} {
		to, err := parseTarget(address)
		if got := to.origin() + " " + to.path; err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", address, got, err, want)
		}
	}
	for _, address := range []string{
		"", "/", "//shop.example/", "shop.example", "http:", "http:/shop.example", "http://", "http:///a", "http://?a",
		"http://:80/", "http://me@/", "ftp://shop.example/", "file:///etc/passwd", "javascript://a/%0Aalert(1)",
		"http://shop.example:port/", "http://shop.example:99999/", "http://shop.example:-1/", "http://a b/", "http://a\r\nb/",
		`http://evil.example\@shop.example/`, `http://shop.example\a`, "http://%73hop.example/", "http://[fe80::1%25eth0]/",
	} {
		if to, err := parseTarget(address); !errors.Is(err, KindInvalid) {
			t.Errorf("%q: %+v, %v", address, to, err)
		}
	}
}

// FuzzTarget compares with net/url: when both accept a URL, they must find the same
// origin, or a check of one could be bypassed with the other.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{
		"http://shop.example/a?b#c", "https://me:pw@Shop.example:443", "http://[2001:db8::1]:80/", "http://a@b@c/",
		"http://a:b:1/",
		"http://a/%zz", "http://a/ \r\n", "http://caf\u00e9.example/", "http://a?b@c", "http://a\\b", "http://[::1",
		"http://]:1/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		to, err := parseTarget(address)
		if err != nil {
			return
		}
		if !strings.HasPrefix(to.path, "/") ||
			strings.ContainsFunc(to.path, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			t.Errorf("request target %q", to.path)
		}
		again, err := parseTarget(to.origin() + to.path)
		if err != nil || again != to {
			t.Errorf("%+v is read again as %+v, %v", to, again, err)
		}
		other, err := url.Parse(address)
		if err != nil {
			return
		}
		theirs := canonicalHost(other.Host, strings.ToLower(other.Scheme))
		if to.scheme != strings.ToLower(other.Scheme) || to.host != theirs {
			t.Errorf("%q: origin %s, net/url sees %s://%s", address, to.origin(), other.Scheme, theirs)
		}
	})
}
