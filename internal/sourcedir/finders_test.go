package sourcedir

import "testing"

// FuzzFinders reads any text as a source of any format.
func FuzzFinders(f *testing.F) {
	f.Add("[a](b) [c][d]\n\n[d]: e\n<a href=\"{{ x }}\">y</a> ```z``` <Link to={`x`}>")
	f.Add("`a <b>`_ link:c[d] [[e][f]]\n.. _g: h\n<!-- [i](<j k>) ~~~\n")
	f.Add("[a]({{< ref \"b\" >}}) {% link c %} <a :to=\"{d: 'e'}\" {...f}>g</a>")
	index, err := New("https://example.com/docs/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for extension, find := range finders {
			place := cursor{text: text}
			find(text, func(at int, address, name string) {
				if at < 0 || at >= len(text) {
					t.Errorf("%s: offset %d of %d", extension, at, len(text))
				}
				if p := place.move(at); p.Line < 1 || p.Column < 1 || p.Column > len(text) {
					t.Errorf("%s: %+v", extension, p)
				}
				index.parse(address)
			})
		}
	})
}
