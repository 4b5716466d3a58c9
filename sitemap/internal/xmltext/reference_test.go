package xmltext

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// TestReferences resolves and repairs the same texts and compares the problems
// that both report.
func TestReferences(t *testing.T) {
	for _, c := range []struct{ text, unescaped, repaired, problems string }{
		{"", "", "", ""},
		{"a&amp;b&#65;&#x42;", "a&bAB", "a&amp;b&#65;&#x42;", ""},
		{"a&b", "a&b", "a&amp;b", "0@1 "},
		{"&eacute;&lt;", "é<", "é&lt;", "1@0 &eacute;"},
		{"&section;", "&section;", "&amp;section;", "1@0 &section;"},
		{"&#0;&&#xD800;", "&#0;&&#xD800;", "&amp;#0;&amp;&amp;#xD800;", "1@0 &#0;,0@4 ,1@5 &#xD800;"},
	} {
		collect := func(problems *[]string) Report {
			return func(p Problem, at int, reference []byte) {
				*problems = append(*problems, fmt.Sprintf("%d@%d %s", p, at, reference))
			}
		}
		var found, repaired []string
		if got := string(Unescape(nil, []byte(c.text), collect(&found))); got != c.unescaped {
			t.Errorf("Unescape(%q) = %q, want %q", c.text, got, c.unescaped)
		}
		if got := string(Repair(nil, []byte(c.text), collect(&repaired))); got != c.repaired {
			t.Errorf("Repair(%q) = %q, want %q", c.text, got, c.repaired)
		}
		if got := strings.Join(found, ","); got != c.problems || got != strings.Join(repaired, ",") {
			t.Errorf("%q: problems %q and %q, want %q", c.text, found, repaired, c.problems)
		}
	}
}

// FuzzRepair repairs any text without markup. encoding/xml must then read it, as
// what Unescape made of the text before.
func FuzzRepair(f *testing.F) {
	for _, text := range []string{"a&b", "&eacute;&amp;&#65;", "&section;&#0;&#x;", "&&&;", "&nbsp;&NotEqualTilde;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "<\r") || strings.Contains(text, "]]>") || strings.ToValidUTF8(text, "") != text ||
			strings.ContainsFunc(text, IsControl) {
			t.Skip("not the text of an element")
		}
		want := string(Unescape(nil, []byte(text), Ignore))
		repaired := Repair(nil, []byte(text), Ignore)
		var read string
		if err := xml.Unmarshal([]byte("<a>"+string(repaired)+"</a>"), &read); err != nil {
			t.Fatalf("%q was repaired to %q: %v", text, repaired, err)
		}
		if read != want {
			t.Errorf("%q was repaired to %q, which reads %q, want %q", text, repaired, read, want)
		}
		if known, ok := UnescapeKnown(nil, []byte(text)); ok && string(known) != want {
			t.Errorf("UnescapeKnown(%q) = %q, want %q", text, known, want)
		}
	})
}
