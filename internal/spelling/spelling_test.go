package spelling_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"include", "exclude", "loc-fragment", "dns", "rate"}
	for misspelt, want := range map[string]string{
		"exlude": "exclude", "exclude": "exclude", "loc-fragmnet": "loc-fragment", "rat": "rate", "dsn": "dns",
		"xyzzy": "", "json": "", "dog": "", "dn": "dns", "": "", strings.Repeat("rate", 100): "",
	} {
		if got := spelling.Nearest(misspelt, names); got != want {
			t.Errorf("%q is like %q, want %q", misspelt, got, want)
		}
	}
}
