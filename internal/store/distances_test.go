package store

import (
	"errors"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

func TestDistancesOfDamagedFile(t *testing.T) {
	f, _ := create(t)
	defer closeFile(t, f)
	err := f.Append(t.Context(), crawl.Commit{
		Found: []crawl.Link{{ID: 1, URL: "https://example.com/"}},
		Done:  []crawl.Page{{ID: 1, Status: 200, Links: []crawl.Edge{{To: 77}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Distances(t.Context(), nil); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("error %v of a link to a URL that is missing", err)
	}
}
