package cli

import (
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// TestHints has a hint for every cause.
func TestHints(t *testing.T) {
	for cause := app.CauseOther + 1; cause <= app.CauseTooLarge; cause++ {
		if hints[cause] == "" {
			t.Errorf("cause %d has no hint", cause)
		}
	}
	if len(hints) != int(app.CauseTooLarge)+1 {
		t.Errorf("%d hints for %d causes", len(hints)-1, app.CauseTooLarge)
	}
}
