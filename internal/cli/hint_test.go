package cli

import (
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// TestHints has a hint for every cause.
func TestHints(t *testing.T) {
	for kind := app.CauseOther + 1; kind <= app.CauseTooLarge; kind++ {
		if hints[kind] == "" {
			t.Errorf("cause %d has no hint", kind)
		}
	}
	if len(hints) != int(app.CauseTooLarge)+1 {
		t.Errorf("%d hints for %d causes", len(hints)-1, app.CauseTooLarge)
	}
}
