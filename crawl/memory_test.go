package crawl_test

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
)

func TestMemoryStore(t *testing.T) {
	storetest.Run(t, storetest.Backend{
		Create: func(_ *testing.T, meta crawl.Meta) storetest.Store {
			store := crawl.NewMemoryStore()
			store.SetMeta(meta)
			return store
		},
	})
}
