package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

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
