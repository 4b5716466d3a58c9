package sourcedir

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReaders reads any text as a source of any format.
func FuzzReaders(f *testing.F) {
	f.Add("[a](b) [c][d]\n\n[d]: e\n<a href=\"{{ x }}\">y</a> ```z``` <Link to={`x`}>")
	f.Add("`a <b>`_ link:c[d] [[e][f]]\n.. _g: h\n<!-- [i](<j k>) ~~~\n")
	f.Add("[a]({{< ref \"b\" >}}) {% link c %} <a :to=\"{d: 'e'}\" {...f}>g</a>")
	index, err := New("https://example.com/docs/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for extension, read := range readers {
			for _, l := range read(text) {
				if lines := strings.Split(text, "\n"); l.Line < 1 || l.Line > len(lines) || l.Column < 1 ||
					l.Column > utf8.RuneCountInString(lines[l.Line-1]) {
					t.Errorf("%s: %+v", extension, l)
				}
				index.add(l.URL, l.Text, Place{})
			}
		}
	})
}
