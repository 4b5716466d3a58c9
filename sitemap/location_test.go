package sitemap_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestLocation holds one line for every way in which an address comes in. The
// second column is the text in the file.
func TestLocation(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain", "https://example.com/a?b=c", "https://example.com/a?b=c"},
		{"the protocol's example", "http://www.ejemplo.com/españa.html&q=nombre",
			"http://www.ejemplo.com/espa%C3%B1a.html&amp;q=nombre"},
		{"the protocol's umlaut", "http://www.example.com/ümlat.php&q=name",
			"http://www.example.com/%C3%BCmlat.php&amp;q=name"},
		{"escaped already", "http://www.example.com/%C3%BCmlat.php&amp;q=name",
			"http://www.example.com/%C3%BCmlat.php&amp;q=name"},
		{"escaped twice", "http://example.com/?a&amp;amp;b", "http://example.com/?a&amp;b"},
		{"escaped by number", "http://example.com/?a&#38;b&#39;c", "http://example.com/?a&amp;b&apos;c"},
		{"every entity", "http://example.com/?&lt;&gt;&quot;&apos;", "http://example.com/?%3C%3E%22&apos;"},
		{"unescaped markup", `http://example.com/?<>"'`, "http://example.com/?%3C%3E%22&apos;"},
		{"an entity of HTML is a parameter", "http://example.com/?a&copy;b", "http://example.com/?a&amp;copy;b"},
		{"encoded already, lower case", "http://example.com/%c3%bc", "http://example.com/%c3%bc"},
		{"encoded twice stays", "http://example.com/%2520", "http://example.com/%2520"},
		{"lone percent signs", "http://example.com/100%/%zz/%4", "http://example.com/100%25/%25zz/%254"},
		{"percent before an encoded byte", "http://example.com/%%41", "http://example.com/%25%41"},
		{"spaces and tabs", "http://example.com/a b\tc", "http://example.com/a%20b%09c"},
		{"line breaks", "http://example.com/a\r\nb", "http://example.com/a%0D%0Ab"},
		{"control characters", "http://example.com/\x00\x1f\x7f", "http://example.com/%00%1F%7F"},
		{"bytes that are not UTF-8", "http://example.com/\xff\xc3", "http://example.com/%FF%C3"},
		{"white space around", " \r\n\thttp://example.com/a\n ", "http://example.com/a"},
		{"beyond the basic plane", "http://example.com/😀", "http://example.com/%F0%9F%98%80"},
		{"backslash after the host", `http://example.com/a\b`, "http://example.com/a%5Cb"},
		{"brackets in a query", "http://example.com/?a[0]={1}", "http://example.com/?a%5B0%5D=%7B1%7D"},
		{"the rest that URIs have not", "http://example.com/^`|", "http://example.com/%5E%60%7C"},
		{"sub-delimiters stay", "http://example.com/!$()*+,;=:@-._~", "http://example.com/!$()*+,;=:@-._~"},
		{"fragment", "http://example.com/a#b", "http://example.com/a#b"},
		{"fragment sign in a fragment", "http://example.com/#a#b", "http://example.com/#a%23b"},
		{"query without path", "http://example.com?q", "http://example.com?q"},
		{"no path", "http://example.com", "http://example.com"},
		{"too short without its slash", "http://a.bc", "http://a.bc/"},
		{"upper-case scheme", "HTTPS://example.com/A", "https://example.com/A"},
		{"upper-case host stays", "http://Example.COM/", "http://Example.COM/"},
		{"international host", "http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"international host, upper case", "http://BÜCHER.Example/", "http://xn--bcher-kva.example/"},
		{"international host, encoded", "http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
		{"international host with port", "http://例え.テスト:8080/é", "http://xn--r8jz45g.xn--zckzah:8080/%C3%A9"},
		{"punycode stays", "http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"},
		{"full-width letters", "http://ｅxample.com/", "http://example.com/"},
		{"user", "http://user:pa%20ss@example.com/", "http://user:pa%20ss@example.com/"},
		{"user with signs", "http://a@b ü:c@example.com/", "http://a%40b%20%C3%BC:c@example.com/"},
		{"port", "http://example.com:8080/", "http://example.com:8080/"},
		{"port that is empty", "http://example.com:/", "http://example.com/"},
		{"IPv4", "http://127.0.0.1/", "http://127.0.0.1/"},
		{"IPv6", "http://[2001:db8::1]/", "http://[2001:db8::1]/"},
		{"IPv6 with port", "http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"},
		{"underscore in a host", "http://a_b.example.com/", "http://a_b.example.com/"},
		{"the longest", longLoc(2047), longLoc(2047)},
		{"the longest, once encoded", longLoc(2041) + "é", longLoc(2041) + "%C3%A9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := between(t, write(t, nil, &sitemap.URL{Loc: test.in}), "<loc>", "</loc>"); got != test.want {
				t.Errorf("loc %q is written as\n%s, want\n%s", test.in, got, test.want)
			}
		})
	}
}

// TestEncodeLoc encodes the location of an entry once, and again after it was changed.
func TestEncodeLoc(t *testing.T) {
	var file strings.Builder
	w := sitemap.NewWriter(&file)
	u := &sitemap.URL{}
	for _, loc := range []string{"https://example.com/plain", "https://bücher.example/ä?a&b", "https://example.com/b?c&d"} {
		u.Loc = loc
		if err := u.EncodeLoc(); err != nil {
			t.Fatal(err)
		}
		want, err := sitemap.EncodeLoc(loc)
		if u.Loc != want || err != nil {
			t.Errorf("%q: %q, want %q, %v", loc, u.Loc, want, err)
		}
		if err := w.Write(u); err != nil {
			t.Error(err)
		}
		u.Loc += "<"
		if err := w.Write(u); err != nil {
			t.Error(err)
		}
	}
	u.Loc = "mailto:a@example.com"
	if err := u.EncodeLoc(); !errors.Is(err, sitemap.ErrScheme) || u.Loc != "mailto:a@example.com" {
		t.Errorf("%q, %v", u.Loc, err)
	}
	if err := w.Write(u); !errors.Is(err, sitemap.ErrScheme) {
		t.Errorf("written: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), "<<") || strings.Count(file.String(), "%3C</loc>") != 3 {
		t.Error(file.String())
	}
}

// TestLocationInText checks that a text file is percent-encoded but not escaped.
func TestLocationInText(t *testing.T) {
	got := write(t, &sitemap.WriterOptions{Format: sitemap.FormatText},
		&sitemap.URL{Loc: "http://www.ejemplo.com/españa.html&q='nombre'"},
		&sitemap.URL{Loc: "http://example.com/?a&amp;b\n"})
	const want = "http://www.ejemplo.com/espa%C3%B1a.html&q='nombre'\nhttp://example.com/?a&b\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLocationRefused(t *testing.T) {
	for _, test := range []struct {
		name, in string
		why      error
	}{
		{"empty", "", sitemap.ErrMissing},
		{"white space", " \t\n", sitemap.ErrMissing},
		{"path", "/a/b", sitemap.ErrRelative},
		{"relative path", "a/b:c", sitemap.ErrRelative},
		{"protocol-relative", "//example.com/", sitemap.ErrRelative},
		{"host alone", "www.example.com/", sitemap.ErrRelative},
		{"no scheme name", "://example.com/", sitemap.ErrRelative},
		{"ftp", "ftp://example.com/", sitemap.ErrScheme},
		{"mail", "mailto:someone@example.com", sitemap.ErrScheme},
		{"script", "javascript:alert(1)", sitemap.ErrScheme},
		{"a scheme that begins like http", "httpx://example.com/", sitemap.ErrScheme},
		{"no slashes", "http:example.com/path", sitemap.ErrHost},
		{"one slash", "http:/example.com/path", sitemap.ErrHost},
		{"no host", "http:///path/to/page", sitemap.ErrHost},
		{"query for a host", "http://?query=long", sitemap.ErrHost},
		{"user without host", "http://user@/path", sitemap.ErrHost},
		{"port without host", "http://:8080/path", sitemap.ErrHost},
		{"port that is not a number", "http://example.com:http/", sitemap.ErrHost},
		{"port out of range", "http://example.com:65536/", sitemap.ErrHost},
		{"negative port", "http://example.com:-80/", sitemap.ErrHost},
		{"two ports", "http://example.com:80:80/", sitemap.ErrHost},
		{"space in the host", "http://exa mple.com/", sitemap.ErrHost},
		{"encoded space in the host", "http://exa%20mple.com/", sitemap.ErrHost},
		{"encoded slash in the host", "http://example.com%2F.example.org/", sitemap.ErrHost},
		{"lone percent in the host", "http://100%.example.com/", sitemap.ErrHost},
		{"control character in the host", "http://exa\x00mple.com/", sitemap.ErrHost},
		{"bytes that are not UTF-8 in the host", "http://exa\xffmple.com/", sitemap.ErrHost},
		{"ampersand in the host", "http://a&b.example.com/", sitemap.ErrHost},
		{"markup in the host", "http://<b>.example.com/", sitemap.ErrHost},
		{"backslash for a slash", `http://example.com\path`, sitemap.ErrHost},
		{"backslash before the host", `http://good.example\@evil.example/`, sitemap.ErrHost},
		{"host that maps to nothing", "http://\u00ad/path/page", sitemap.ErrHost},
		{"full-width slash", "http://example.com／path", sitemap.ErrHost},
		{"IPv6 without brackets", "http://2001:db8::1/", sitemap.ErrHost},
		{"IPv6 not closed", "http://[2001:db8::1/", sitemap.ErrHost},
		{"IPv6 with more after it", "http://[2001:db8::1]x/", sitemap.ErrHost},
		{"invalid IPv6", "http://[2001:db8]/", sitemap.ErrHost},
		{"IPv6 of one machine's own", "http://[fe80::1%25eth0]/", sitemap.ErrHost},
		{"brackets around a name", "http://[example.com]/", sitemap.ErrHost},
		{"2,048 characters", longLoc(2048), sitemap.ErrTooLong},
		{"2,048 characters once encoded", longLoc(2042) + "é", sitemap.ErrTooLong},
		{"too short", "http://a/?b", sitemap.ErrTooShort},
		{"too short with its slash", "http://a.b", sitemap.ErrTooShort},
	} {
		for _, format := range []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatIndex, sitemap.FormatText,
			sitemap.FormatRSS, sitemap.FormatAtom} {
			t.Run(test.name+" "+format.String(), func(t *testing.T) {
				refused(t, format, &sitemap.URL{Loc: test.in}, "loc", test.why)
			})
		}
	}
}

// longLoc returns a location of a number of characters.
func longLoc(length int) string {
	const start = "http://example.com/"
	return start + strings.Repeat("a", length-len(start))
}

var feed = sitemap.Feed{Title: "Example & Sons", Link: "https://example.com/"}

// write returns a file of entries that may all be written.
func write(t testing.TB, options *sitemap.WriterOptions, urls ...*sitemap.URL) string {
	t.Helper()
	var file strings.Builder
	w := sitemap.NewWriter(&file, options)
	for _, u := range urls {
		if err := w.Write(u); err != nil {
			t.Fatalf("write %.80q: %v", u.Loc, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// refused demands that an entry is refused for a field and a reason (any reason
// when it is nil), and that the file is as if it had never been offered.
func refused(t *testing.T, format sitemap.Format, u *sitemap.URL, field string, why error) {
	t.Helper()
	options := &sitemap.WriterOptions{Format: format, Feed: feed}
	good := &sitemap.URL{Loc: "https://example.com/good", LastMod: sitemap.DayOf(noon)}
	var file strings.Builder
	w := sitemap.NewWriter(&file, options)
	if err := w.Write(good); err != nil {
		t.Fatal(err)
	}
	size := w.Size()
	err := w.Write(u)
	var fault *sitemap.FieldError
	switch {
	case !errors.As(err, &fault):
		t.Fatalf("got error %v, want a FieldError", err)
	case fault.Field != field:
		t.Errorf("got field %q, want %q: %v", fault.Field, field, err)
	case why != nil && !errors.Is(err, why):
		t.Errorf("got reason %v, want %v", err, why)
	}
	if w.Size() != size || w.Count() != 1 || w.NewestLastMod() != good.LastMod {
		t.Errorf("after the error: size %d, count %d, newest %v", w.Size(), w.Count(), w.NewestLastMod())
	}
	if err := w.Write(good); err != nil {
		t.Fatalf("after the error: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := write(t, options, good, good); file.String() != want {
		t.Errorf("the refused entry left traces:\n%s", file.String())
	}
}

func between(t testing.TB, s, from, to string) string {
	t.Helper()
	_, s, found := strings.Cut(s, from)
	s, _, ended := strings.Cut(s, to)
	if !found || !ended {
		t.Fatalf("no %s in %q", from, s)
	}
	return s
}
