package crawl

import (
	"testing"

	"github.com/mapatools/mapa/internal/extract"
)

// TestEdgeKindsAreThoseOfExtract holds the kinds to those of the extractor, whose
// number becomes the edge's.
func TestEdgeKindsAreThoseOfExtract(t *testing.T) {
	known := 0
	for ; extractName(extract.Kind(known)) != ""; known++ {
		if got, want := EdgeKind(known).String(), extractName(extract.Kind(known)); got != want {
			t.Errorf("kind %d is %q here, %q in extract", known, got, want)
		}
	}
	if kinds := EdgeKinds(); len(kinds) != known {
		t.Errorf("%d kinds, %d in extract", len(kinds), known)
	}
	if unknown := EdgeKind(known); unknown.Valid() || unknown.String() != "kind-16" {
		t.Errorf("%s is valid: %t", unknown, unknown.Valid())
	}
}

// extractName returns the name of a kind, or "" when there is none of the number.
func extractName(kind extract.Kind) (name string) {
	defer func() { _ = recover() }()
	return kind.String()
}

func TestEdgeKindText(t *testing.T) {
	text, err := EdgeCanonical.MarshalText()
	if err != nil || string(text) != "canonical" {
		t.Errorf("%q, %v", text, err)
	}
}
