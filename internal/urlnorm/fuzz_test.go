package urlnorm_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	oracle "github.com/nlnwa/whatwg-url/url"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// oracleAnswer is answer by an independent implementation, without user information and
// brought up to the present standard: "^" in a path is encoded since 2025.
func oracleAnswer(base, ref string) string {
	parsed, err := oracle.ParseRef(base, ref)
	switch {
	case err != nil:
		return "invalid"
	case parsed.Protocol() != "http:" && parsed.Protocol() != "https:":
		return "scheme"
	}
	path, query, hasQuery := strings.Cut(cleaned(parsed.Href(false)), "?")
	text := strings.ReplaceAll(path, "^", "%5E")
	if hasQuery {
		text += "?" + query
	}
	return text
}

// departures are where the oracle is known not to follow the standard: what it
// does, in what input, and what it makes of it.
var departures = []struct {
	what        string
	input, want *regexp.Regexp
}{
	{
		"reads a sign in an IPv4 number",
		regexp.MustCompile(`[-+]`),
		regexp.MustCompile(`^(invalid$|https?://[0-9.]+[:/])`),
	},
	{
		"takes a name for an IPv4 number if its digits overflow before a letter",
		regexp.MustCompile(`([0-9a-fA-F][\t\n\r]*){15,}[^0-9./]`),
		regexp.MustCompile(`^invalid$`),
	},
	{
		"takes any number of brackets around an IPv6 address",
		regexp.MustCompile(`\[[^]/]*\[|\][^[/]*\]`),
		regexp.MustCompile(`^https?://\[`),
	},
	{
		"applies STD3 rules to names outside ASCII",
		regexp.MustCompile(`(?i)[^[:ascii:]]|xn--`),
		regexp.MustCompile(`^invalid$`),
	},
}

func departs(base, ref, want string) bool {
	input := base + "\n" + ref
	input += decoded(input)
	for _, d := range departures {
		if d.input.MatchString(input) && d.want.MatchString(want) {
			return true
		}
	}
	return false
}

// FuzzResolve holds both ways of resolving against the oracle: same URL, or
// same kind of failure.
func FuzzResolve(f *testing.F) {
	for _, ref := range []string{
		"", "a", "/a?b#c", "?b", "#c", "../../a", "./.", "/a/%2e%2E/b", "//h", "http:a", "https://h:443",
		"http://u:p@h:8080/", "\\\\h\\a", " \t\n/a b", "mailto:a@b", "//0x7f.1", "//[1::2]", "//\u00fc.example",
		"//xn--bcher-kva.example", "/\u00fc?\u00fc#\u00fc", "/%zz", "//a..b", "//h:99999", "//a%41",
	} {
		f.Add("http://example.org/a/b/c?q", ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		if len(base)+len(ref) > 512 || !utf8.ValidString(base+ref) {
			t.Skip()
		}
		compare(t, base, ref)
	})
}

// TestCompositions compares with the oracle on links put together from the
// pieces that the rules turn on, which random bytes seldom hit.
func TestCompositions(t *testing.T) {
	pieces := []string{
		"http:", "https:", "HTTP://", "https://", "//", "/", "/", "\\", ".", "..", "%2e", "%2E", "a", "bc", "Z", "?", "#",
		"@", ":",
		":80", ":443", ":8080", "0", "08", "255", "0x", "f", "[", "]", "::", "[::1]", "1:2", "-", "--", "xn--", "xn--4ca",
		"ü",
		"中", "．", "１", "\u00ad", "%41", "%c3%bc", "%", "%zz", "\t", "\n", " ", "'", "\"", "^", "|", "{", "`", "_", "~", "=",
		"&",
		";", "+", "!", "mailto:", "javascript:", "h", "example.org", "\x00", "\x7f", "�",
	}
	bases := []string{"", "http://example.org", "https://u:p@h:81/a/b/../c//d?q#f", "http://[::1]/%2e/a;b", "https://ü/a/"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var ref strings.Builder
		for range 1 + random.IntN(8) {
			ref.WriteString(pieces[random.IntN(len(pieces))])
		}
		compare(t, bases[random.IntN(len(bases))], ref.String())
	}
}

// compare resolves ref against base here and there.
func compare(t *testing.T, base, ref string) {
	t.Helper()
	b := new(urlnorm.Base)
	if base != "" {
		var err error
		b, err = urlnorm.NewBase([]byte(base))
		if want := oracleAnswer("", base); (err == nil) != strings.HasPrefix(want, "http") && !departs("", base, want) {
			t.Fatalf("base %q: %v, oracle %q", base, err, want)
		}
		if err != nil {
			return
		}
	}
	want := oracleAnswer(base, ref)
	if scheme, _, ok := strings.Cut(ref, ":"); ok && want == "invalid" && oracleAnswer("", scheme+":x") == "scheme" {
		want = "scheme" // the name alone decides
	}
	if got := answer(b, ref); got != want && !departs(base, ref, want) {
		t.Errorf("%q against %q: %q, oracle %q", ref, base, got, want)
	}
}

// FuzzStable checks what the standard promises of its own output: it resolves
// to itself, from anywhere.
func FuzzStable(f *testing.F) {
	f.Add("http://\u00fc.example/a b?c d")
	f.Add("http://u:p@[::1]:81/\\..\\a")
	f.Fuzz(func(t *testing.T, ref string) {
		once, err := new(urlnorm.Base).AppendResolve(nil, []byte(ref))
		if err != nil {
			if !errors.Is(err, urlnorm.ErrInvalid) && !errors.Is(err, urlnorm.ErrTooLong) &&
				!errors.As(err, new(urlnorm.SchemeError)) {
				t.Fatalf("%q: undocumented error %v", ref, err)
			}
			return
		}
		for _, base := range []string{"", "http://h/", string(once)} {
			again, err := newBase(t, base).AppendResolve(nil, once)
			if err != nil || string(again) != string(once) {
				t.Fatalf("%q against %q: %q, %v", once, base, again, err)
			}
		}
	})
}
