package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

// TestHints has a hint for every cause that a person can do something about.
func TestHints(t *testing.T) {
	for kind := cause.Other + 1; kind <= cause.TooLarge; kind++ {
		if hints[kind] == "" && kind != cause.Start {
			t.Errorf("cause %d has no hint", kind)
		}
	}
	if len(hints) != int(cause.TooLarge)+1 {
		t.Errorf("%d hints for %d causes", len(hints)-1, cause.TooLarge)
	}
}

// TestFileHints completes the hints about a file, whichever setting names it.
func TestFileHints(t *testing.T) {
	for _, kind := range []sqlite.Kind{
		sqlite.KindCrawl, sqlite.KindIndex, sqlite.KindServer, sqlite.KindLedger, sqlite.KindWatch,
	} {
		for _, problem := range []error{
			sqlite.ErrForeign, sqlite.ErrDamaged, sqlite.ErrLocked, sqlite.ErrFull, sqlite.ErrNoAccess, sqlite.ErrNoFolder,
			statefile.ErrVersion, statefile.ErrNewer,
		} {
			err := &sqlite.Error{Name: "file", Kind: kind, Err: problem}
			if hint := hintOf(catalog.For(catalog.English), err); hint == "" || strings.ContainsAny(hint, "{}") {
				t.Errorf("%v: hint %q", err, hint)
			}
		}
	}
}
