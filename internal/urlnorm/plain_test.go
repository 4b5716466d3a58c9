package urlnorm

import "testing"

// FuzzPlain holds the two ways of resolving against each other: where the short
// one has an answer, the parser has the same. Absolute references are resolved
// against no base, too.
func FuzzPlain(f *testing.F) {
	for _, ref := range []string{
		"", "#a", "?b", "/a", "//h", "//a-b.c/d", "http://h", "https://h/a", "http://example.org/x", "http://example.org?x",
		"a", "./a", "../../../a", "..", "..//a", ".a", "a.b/c.d?e.f", "/%2f", "a/b:c", "//1.a", "//xn--a", "//a--b", "/..",
		"//h/.%2e",
	} {
		f.Add("http://example.org/a//b/c?q", ref)
	}
	f.Fuzz(func(t *testing.T, text, ref string) {
		base, err := NewBase([]byte(text))
		if err != nil {
			t.Skip()
		}
		for _, base := range []*Base{base, {}} {
			plain, ok := base.appendPlain(nil, []byte(ref))
			if !ok {
				continue
			}
			parsed, err := base.appendParsed(nil, []byte(ref))
			if err != nil || string(parsed) != string(plain) {
				t.Fatalf("%q against %q: %q without the parser, %q with it, %v", ref, base, plain, parsed, err)
			}
		}
	})
}
