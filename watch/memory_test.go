package watch_test

import (
	"testing"

	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/storetest"
)

func TestMemoryStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) watch.Store { return &watch.MemoryStore{} },
		func(_ *testing.T, s watch.Store) watch.Store { return s })
}
