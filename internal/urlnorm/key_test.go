package urlnorm_test

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/urlnorm"
)

var known = urlnorm.NewParameters(append(urlnorm.TrackingParameters, urlnorm.SessionParameters...)...)

func key(text string, options urlnorm.KeyOptions) string {
	return string(urlnorm.AppendKey(nil, []byte(text), options))
}

func TestKey(t *testing.T) {
	strip := urlnorm.KeyOptions{Strip: known}
	order := urlnorm.KeyOptions{SortQuery: true}
	both := urlnorm.KeyOptions{Strip: known, SortQuery: true}
	tests := []struct {
		options   urlnorm.KeyOptions
		url, want string
	}{
		{urlnorm.KeyOptions{}, "http://h/a?b#c", "http://h/a?b"},
		{urlnorm.KeyOptions{}, "http://h/%7euser/%2d%2E%5f", "http://h/~user/-._"},
		{urlnorm.KeyOptions{}, "http://h/a%2fb?c%3dd%26", "http://h/a%2Fb?c%3Dd%26"},
		{urlnorm.KeyOptions{}, "http://h/%e4%BD%a0", "http://h/%E4%BD%A0"},
		{urlnorm.KeyOptions{}, "http://h/%2541", "http://h/%2541"},
		{urlnorm.KeyOptions{}, "http://h/%%341", "http://h/%%341"},
		{urlnorm.KeyOptions{}, "http://h/%4%31", "http://h/%4%31"},
		{urlnorm.KeyOptions{}, "http://h/100%zz%41", "http://h/100%zzA"},
		{urlnorm.KeyOptions{}, "http://h/?", "http://h/?"},
		{urlnorm.KeyOptions{}, "http://h/?utm_source=x", "http://h/?utm_source=x"},
		{urlnorm.KeyOptions{}, "http://%41@h/%41", "http://%41@h/A"},
		{strip, "http://h/?utm_source=x", "http://h/"},
		{strip, "http://h/?utm_source=x&a=1", "http://h/?a=1"},
		{strip, "http://h/?a=1&UTM%5FSource=x&b=2&gclid=y", "http://h/?a=1&b=2"},
		{strip, "http://h/?a=1&&b&", "http://h/?a=1&&b&"},
		{strip, "http://h/?", "http://h/?"},
		{strip, "http://h/?sidecar=1&gclidx=2&autm_=3&=sid", "http://h/?sidecar=1&gclidx=2&autm_=3&=sid"},
		{strip, "http://h/?PHPSESSID=1&ASPSESSIONIDAB=2&osCsid=3", "http://h/"},
		{strip, "http://h/a;jsessionid=1.node!2/b;v=1;JSESSIONID=3?c", "http://h/a/b;v=1?c"},
		{strip, "http://h/a;jsessionid=1", "http://h/a"},
		{strip, "http://h/sid=1;", "http://h/sid=1;"},
		{strip, "http://h/?" + strings.Repeat("n", 100) + "=1", "http://h/?" + strings.Repeat("n", 100) + "=1"},
		{strip, "http://h/?ml_subscriber_hashes=1", "http://h/?ml_subscriber_hashes=1"},
		{strip, "http://h/?utm_" + strings.Repeat("n", 100) + "=1", "http://h/"},
		{order, "http://h/?b=2&a=2&a=1&ab=0", "http://h/?a=2&a=1&ab=0&b=2"},
		{order, "http://h/a;z;b", "http://h/a;z;b"},
		{order, "http://h/", "http://h/"},
		{both, "http://h/?b&sid=1&a", "http://h/?a&b"},
		{both, "http://h/?sid=1", "http://h/"},
	}
	for _, test := range tests {
		if got := key(test.url, test.options); got != test.want {
			t.Errorf("%q: %q, want %q", test.url, got, test.want)
		}
	}
}

func TestSortKeepsOrderOfSameName(t *testing.T) {
	var query strings.Builder
	for i := range 100 {
		fmt.Fprintf(&query, "&%c=%d", 'a'+i%2, i)
	}
	got := key("http://h/?"+query.String()[1:], urlnorm.KeyOptions{SortQuery: true})
	want := make([]string, 100)
	for i := range 50 {
		want[i], want[50+i] = fmt.Sprintf("a=%d", 2*i), fmt.Sprintf("b=%d", 2*i+1)
	}
	if got != "http://h/?"+strings.Join(want, "&") {
		t.Errorf("got %q", got)
	}
}

// TestSameKey resolves what crawlers meet as duplicates and as different pages.
func TestSameKey(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"HTTP://H:80", "http://h/", true},
		{"http://h/a/../b", "http://h/b#c", true},
		{"http://b\u00fccher.example/", "http://xn--bcher-kva.example/", true},
		{"http://h/\u00fc", "http://h/%c3%bc", true},
		{"http://h/a", "http://h/a/", false},
		{"http://h/a", "https://h/a", false},
		{"http://h/a", "http://www.h/a", false},
		{"http://h/a", "http://h/A", false},
		{"http://h/a", "http://h/a?", false},
		{"http://h/a//b", "http://h/a/b", false},
		{"http://h/a%2Fb", "http://h/a/b", false},
		{"http://h/?a=1&b=2", "http://h/?b=2&a=1", false},
		{"http://h/?a+b", "http://h/?a%20b", false},
		{"http://h:81/", "http://h/", false},
		{"http://u@h/", "http://h/", true},
	}
	for _, test := range tests {
		a := key(answer(newBase(t, ""), test.a), urlnorm.KeyOptions{})
		b := key(answer(newBase(t, ""), test.b), urlnorm.KeyOptions{})
		if (a == b) != test.same {
			t.Errorf("%q and %q: keys %q and %q, same page %t", test.a, test.b, a, b, test.same)
		}
	}
}

// meaning takes a URL apart as a server does, with nothing of this package: the
// authority, the decoded path segments and the decoded query parameters. An
// escape that net/url cannot decode stays as written.
func meaning(text string) []string {
	text, query, hasQuery := strings.Cut(text, "?")
	parts := strings.Split(text, "/")
	for i := 3; i < len(parts); i++ {
		parts[i] = "/" + decoded(parts[i])
	}
	if hasQuery {
		for parameter := range strings.SplitSeq(query, "&") {
			name, value, hasValue := strings.Cut(parameter, "=")
			parts = append(parts, "?"+decoded(name))
			if hasValue {
				parts = append(parts, "="+decoded(value))
			}
		}
	}
	return parts
}

func decoded(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		if len(s) >= 3 && s[0] == '%' {
			if c, err := url.PathUnescape(s[:3]); err == nil {
				out.WriteString(c)
				s = s[3:]
				continue
			}
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String()
}

// FuzzKey checks that a key is a URL that means the same as the one it was made
// from, so that URLs of one key mean the same, and that it is its own key.
func FuzzKey(f *testing.F) {
	for _, text := range []string{
		"http://h/%7e%2F%%341?%26&a=%41;b", "http://u:p@h:81/a;sid=1;b/c?d&sid=2&e", "http://h/?b&a&&", "http://h/%4%31",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		if !utf8.ValidString(ref) {
			t.Skip()
		}
		resolved, err := new(urlnorm.Base).AppendResolve(nil, []byte(ref))
		if err != nil {
			t.Skip()
		}
		text := string(resolved)
		plain := key(text, urlnorm.KeyOptions{})
		if got, want := meaning(plain), meaning(text); !slices.Equal(got, want) {
			t.Fatalf("%q has key %q, which means %q instead of %q", text, plain, got, want)
		}
		if again := answer(new(urlnorm.Base), plain); again != plain {
			t.Fatalf("key %q resolves to %q", plain, again)
		}
		sorted := key(text, urlnorm.KeyOptions{SortQuery: true})
		if got, want := parameters(sorted), parameters(plain); !slices.Equal(got, want) {
			t.Fatalf("%q sorts to %q", plain, sorted)
		}
		for _, options := range []urlnorm.KeyOptions{{}, {SortQuery: true}, {Strip: known}, {Strip: known, SortQuery: true}} {
			once := key(text, options)
			if twice := key(once, options); once != twice {
				t.Fatalf("%q has key %q, which has key %q", text, once, twice)
			}
			if len(once) > len(text) {
				t.Fatalf("%q grows to %q", text, once)
			}
		}
	})
}

// parameters gives the parameters of a query grouped by name, each name in its
// own order.
func parameters(text string) []string {
	_, query, _ := strings.Cut(text, "?")
	list := strings.Split(query, "&")
	names := map[string][]string{}
	for _, parameter := range list {
		name, _, _ := strings.Cut(parameter, "=")
		names[name] = append(names[name], parameter)
	}
	var out []string
	for name, group := range names {
		out = append(out, name+"\n"+strings.Join(group, "\n"))
	}
	slices.Sort(out)
	return out
}

func TestKeyOfAnything(t *testing.T) {
	for _, text := range []string{"", "#", "?", "h", "http://", "http://h", "http://h?x", "%", "http://h/%4"} {
		once := urlnorm.AppendKey(nil, []byte(text), urlnorm.KeyOptions{Strip: known, SortQuery: true})
		twice := urlnorm.AppendKey(nil, once, urlnorm.KeyOptions{Strip: known, SortQuery: true})
		if !bytes.Equal(once, twice) {
			t.Errorf("%q has key %q, which has key %q", text, once, twice)
		}
	}
}
