package layout

import (
	"strings"
	"testing"
)

// layoutOf makes the pieces of a record with these runs around its values.
func layoutOf(runs ...string) (pieces []piece) {
	for i, run := range runs {
		next := Field(i)
		if i == len(runs)-1 {
			next = None
		}
		pieces = (&Step{[]byte(run), next}).cut(pieces)
	}
	return pieces
}

// FuzzFollow compares the two ways of following a layout. They must read the same,
// except so near the end of the bytes that a vector would reach beyond it.
func FuzzFollow(f *testing.F) {
	record := "<url><loc>https://www.example.com/some/page.html</loc><lastmod>2024-01-02</lastmod></url>"
	f.Add("<url><loc>", "</loc><lastmod>", "</lastmod></url>", []byte(record))
	f.Add("<url><loc>", "</loc><lastmod>", "</lastmod></url>", []byte(strings.ReplaceAll(record, "some", "ñ&amp;")))
	f.Add("<url><loc>", "</loc><lastmod>", "</lastmod></url>", []byte(strings.ReplaceAll(record, "01-02", "&#48;")))
	f.Add("<url>\n"+strings.Repeat(" ", 70)+"<loc>", "</loc><lastmod>", "</lastmod></url>",
		[]byte(strings.ReplaceAll(record, "<loc>", "\n"+strings.Repeat(" ", 70)+"<loc>")))
	f.Add("<", "<", "", []byte("<a<\x7f\x80<"))
	f.Fuzz(func(t *testing.T, first, second, third string, b []byte) {
		if !hasVectors {
			t.Skip("a processor with AVX2 is needed")
		}
		pieces := layoutOf(first, second, third)
		b = append(b, make([]byte, pieceSize)...)
		var want, got [Fields]Span
		wantEnd, wantClean := followInWords(b, pieces, &want)
		gotEnd, gotClean := follow(b, pieces, &got)
		if gotEnd == 0 && wantEnd > len(b)-pieceSize {
			return
		}
		if gotEnd != wantEnd || gotEnd > 0 && (gotClean != wantClean || got != want) {
			t.Errorf("vectors: %d, %v, %v\n words: %d, %v, %v", gotEnd, gotClean, got, wantEnd, wantClean, want)
		}
	})
}
