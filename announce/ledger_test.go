package announce_test

import (
	"testing"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/ledgertest"
)

func TestMemory(t *testing.T) {
	ledgertest.Run(t, func(*testing.T) announce.Ledger { return &announce.MemoryLedger{} })
}
