package cli

import (
	"testing"

	"github.com/mapatools/mapa/internal/app/cause"
)

// TestHints has a hint for every cause.
func TestHints(t *testing.T) {
	for kind := cause.Other + 1; kind <= cause.TooLarge; kind++ {
		if hints[kind] == "" {
			t.Errorf("cause %d has no hint", kind)
		}
	}
	if len(hints) != int(cause.TooLarge)+1 {
		t.Errorf("%d hints for %d causes", len(hints)-1, cause.TooLarge)
	}
}
