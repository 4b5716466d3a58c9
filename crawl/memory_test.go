package crawl_test

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
)

func TestMemoryStore(t *testing.T) {
	storetest.Run(t, storetest.Backend{
		Create: func(*testing.T) storetest.Store { return crawl.NewMemoryStore() },
	})
}
