package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/store"
)

// TestComplainInOneLine has an error and what followed from it.
func TestComplainInOneLine(t *testing.T) {
	var text strings.Builder
	printError(&text, errors.Join(store.ErrFull, store.ErrFull))
	message, hint, _ := strings.Cut(text.String(), "\n")
	if message != "mapa: disk is full; disk is full" || !strings.HasPrefix(hint, "  ") || strings.Count(hint, "\n") != 1 {
		t.Errorf("%q", text.String())
	}
}
