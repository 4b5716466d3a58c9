package urlnorm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// newBase gives the zero Base for an empty text.
func newBase(t testing.TB, text string) *urlnorm.Base {
	t.Helper()
	if text == "" {
		return new(urlnorm.Base)
	}
	b, err := urlnorm.NewBase([]byte(text))
	if err != nil {
		t.Fatalf("base %q: %v", text, err)
	}
	return b
}

// answer resolves ref and gives the URL, or the kind of failure.
func answer(b *urlnorm.Base, ref string) string {
	url, err := b.AppendResolve(nil, []byte(ref))
	var scheme urlnorm.SchemeError
	switch {
	case errors.As(err, &scheme):
		return "scheme"
	case errors.Is(err, urlnorm.ErrInvalid):
		return "invalid"
	case err != nil:
		return err.Error()
	}
	return string(url)
}

// users matches the user information of a URL as the standard serializes it.
var users = regexp.MustCompile(`^(https?://)[^/?#]*@`)

// cleaned returns what this package makes of a URL of the standard.
func cleaned(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return users.ReplaceAllString(url, "$1")
}

func TestWebPlatform(t *testing.T) {
	text, err := os.ReadFile("testdata/wpt.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line == "\n" || line[0] == '#' {
			continue
		}
		var test [3]string
		for i, field := range strings.Split(line, "\t") {
			if err := json.Unmarshal([]byte(field), &test[i]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		ref, base, want := test[0], test[1], cleaned(test[2])
		if got := answer(newBase(t, base), ref); got != want {
			t.Errorf("%q against %q: %q, want %q", ref, base, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	const page = "http://example.org/a/b/page.html?q=1"
	tests := []struct{ base, ref, want string }{
		{page, "", page},
		{page, "#top", page},
		{page, "?r=2#x", "http://example.org/a/b/page.html?r=2"},
		{page, "?", "http://example.org/a/b/page.html?"},
		{page, "other.html", "http://example.org/a/b/other.html"},
		{page, "./other.html", "http://example.org/a/b/other.html"},
		{page, "../other.html", "http://example.org/a/other.html"},
		{page, "../../../../other.html", "http://example.org/other.html"},
		{page, ".", "http://example.org/a/b/"},
		{page, "..", "http://example.org/a/"},
		{page, "..?x", "http://example.org/a/?x"},
		{page, "./..#x", "http://example.org/a/"},
		{page, "..//x", "http://example.org/a//x"},
		{page, "...", "http://example.org/a/b/..."},
		{page, ".well-known/x", "http://example.org/a/b/.well-known/x"},
		{page, "/c/../d", "http://example.org/d"},
		{page, "/c/%2E%2e/d", "http://example.org/d"},
		{page, "/c/.%2e", "http://example.org/"},
		{page, "/c/./d/.", "http://example.org/c/d/"},
		{page, "c:d", "scheme"},
		{page, "./c:d", "http://example.org/a/b/c:d"},
		{page, "1c:d", "http://example.org/a/b/1c:d"},
		{page, "c/d:e?f:g", "http://example.org/a/b/c/d:e?f:g"},
		{page, "//other.example", "http://other.example/"},
		{page, "//other.example?x", "http://other.example/?x"},
		{page, "/\\other.example\\x", "http://other.example/x"},
		{page, "https://other.example/x", "https://other.example/x"},
		{page, "HTTPS://Other.EXAMPLE/X", "https://other.example/X"},
		{page, "http://example.org", "http://example.org/"},
		{page, "http://example.org?x", "http://example.org/?x"},
		{page, "http://example.org.evil/", "http://example.org.evil/"},
		{page, "http://example.org@evil/", "http://evil/"},
		{page, "http://example.org:80/x", "http://example.org/x"},
		{page, "http://example.org:8080/x", "http://example.org:8080/x"},
		{page, "http:x", "http://example.org/a/b/x"},
		{page, "https:x", "https://x/"},
		{page, " \n/a b\t\n ", "http://example.org/a%20b"},
		{page, "/b\u00fccher", "http://example.org/b%C3%BCcher"},
		{page, "/a\xffb", "http://example.org/a%EF%BF%BDb"},
		{page, "/100%", "http://example.org/100%"},
		{page, "/%ya%u0041", "http://example.org/%ya%u0041"},
		{page, "/a^b|c", "http://example.org/a%5Eb|c"},
		{page, "/it's?it's", "http://example.org/it's?it%27s"},
		{page, "//b\u00fccher.example/", "http://xn--bcher-kva.example/"},
		{page, "//b\u00fccher_x.example/", "http://xn--bcher_x-n2a.example/"},
		{page, "//a_b.example/", "http://a_b.example/"},
		{page, "//a..example/", "http://a..example/"},
		{page, "//EXAMPLE%2ecom/", "http://example.com/"},
		{page, "//0x7f.1/", "http://127.0.0.1/"},
		{page, "//.example/", "http://.example/"},
		{page, "//1.2.3.256/", "invalid"},
		{page, "//0x10000000000000000000/", "invalid"},
		{page, "//1.2.3.4.5/", "invalid"},
		{page, "//1.+2/", "http://1.+2/"},
		{page, "//1.-2.3/", "invalid"},
		{page, "//[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/"},
		{page, "//[fe80::1%25eth0]/", "invalid"},
		{page, "//[1.2.3.4]/", "invalid"},
		{page, "//[[::1]]/", "invalid"},
		{page, "//xn--a/", "invalid"},
		{page, "//a%00b/", "invalid"},
		{page, "//", "invalid"},
		{page, "http://u:p@h:65536/", "invalid"},
		{page, "http://u:p@h:1/", "http://h:1/"},
		{page, "mailto:a@b", "scheme"},
		{page, "java\nscript:void(0)", "scheme"},
		{"http://u@h/x", "/y", "http://h/y"},
		{"http://u@h/x", "//h/y", "http://h/y"},
		{"http://h:81", "z", "http://h:81/z"},
		{"", "/x", "invalid"},
		{"", "", "invalid"},
		{"", "http:x", "http://x/"},
	}
	for _, test := range tests {
		if got := answer(newBase(t, test.base), test.ref); got != test.want {
			t.Errorf("%q against %q: %q, want %q", test.ref, test.base, got, test.want)
		}
	}
}

func TestSchemeError(t *testing.T) {
	tests := []struct{ ref, want string }{
		{"mailto:a@b", "mailto"},
		{"JavaScript:void(0)", "javascript"},
		{"tel:+1", "tel"},
		{"data:," + strings.Repeat("x", urlnorm.MaxLength), "data"},
		{"x-y+z.1:", "x-y+z.1"},
		{strings.Repeat("x", 100) + ":", strings.Repeat("x", 32)},
	}
	b := newBase(t, "http://h/")
	for _, test := range tests {
		_, err := b.AppendResolve(nil, []byte(test.ref))
		var scheme urlnorm.SchemeError
		if !errors.As(err, &scheme) || string(scheme) != test.want {
			t.Errorf("%.20q: %v, want scheme %q", test.ref, err, test.want)
		}
	}
}

func TestReasons(t *testing.T) {
	tests := []struct {
		ref  string
		want error
	}{
		{"http://", urlnorm.ErrHost},
		{"http://a b/", urlnorm.ErrHost},
		{"http://" + strings.Repeat("a", 1025), urlnorm.ErrHost},
		{"http://h:x/", urlnorm.ErrPort},
		{"//h/", urlnorm.ErrNotAbsolute},
	}
	for _, test := range tests {
		out, err := new(urlnorm.Base).AppendResolve([]byte("kept"), []byte(test.ref))
		if !errors.Is(err, test.want) || !errors.Is(err, urlnorm.ErrInvalid) {
			t.Errorf("%.20q: %v, want %v", test.ref, err, test.want)
		}
		if string(out) != "kept" {
			t.Errorf("%.20q: failure changed the buffer to %q", test.ref, out)
		}
	}
	long := []byte("//" + strings.Repeat("a", 1025) + "/")
	if _, err := newBase(t, page).AppendResolve(nil, long); !errors.Is(err, urlnorm.ErrHost) {
		t.Errorf("a long host against a base: %v, want %v", err, urlnorm.ErrHost)
	}
}

func TestLength(t *testing.T) {
	b := newBase(t, "http://h/")
	room := urlnorm.MaxLength - len("http://h/")
	tests := []struct {
		name, ref string
		want      error
	}{
		{"longest", "/" + strings.Repeat("a", room), nil},
		{"one more", "/" + strings.Repeat("a", room+1), urlnorm.ErrTooLong},
		{"longest relative", strings.Repeat("a", room), nil},
		{"grows by escapes", "/" + strings.Repeat("\u00fc", room/6+1), urlnorm.ErrTooLong},
		{"white space does not count", strings.Repeat(" ", 1<<20) + "/a", nil},
		{"megabyte", strings.Repeat("../", 1<<20/3), urlnorm.ErrTooLong},
		{"megabyte of tabs", "/" + strings.Repeat("\t", 1<<20) + "x", urlnorm.ErrTooLong},
	}
	for _, test := range tests {
		out, err := b.AppendResolve([]byte("kept"), []byte(test.ref))
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		if err != nil && string(out) != "kept" {
			t.Errorf("%s: failure changed the buffer", test.name)
		}
	}
}

func TestEncodeQuery(t *testing.T) {
	b := newBase(t, "http://h/")
	b.EncodeQuery = func(dst []byte, r rune) ([]byte, bool) { // ISO-8859-1
		return append(dst, byte(r)), r <= 0xFF
	}
	const want = "http://h/%C3%BC?a=%FC%27&b=%26%238364%3B"
	if got := answer(b, "/\u00fc?a=\u00fc'&b=\u20ac"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAppendKeepsWhatWasThere(t *testing.T) {
	b := newBase(t, "http://example.org/a/b")
	for _, ref := range []string{"c", "/../c d", "//\u00fc/../../x", "//1.1/", "?x", "#x", "../.."} {
		alone, err := b.AppendResolve(nil, []byte(ref))
		if err != nil {
			t.Fatal(err)
		}
		out, err := b.AppendResolve([]byte("http://kept/a/b/"), []byte(ref))
		if err != nil || !bytes.Equal(out, append([]byte("http://kept/a/b/"), alone...)) {
			t.Errorf("%q: %q, %v", ref, out, err)
		}
	}
}
