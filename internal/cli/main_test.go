package cli

import (
	"os"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// TestMain makes the tests independent of the language of who runs them.
func TestMain(m *testing.M) {
	if err := os.Setenv("LC_ALL", "C"); err != nil {
		panic(err)
	}
	programtest.RefuseNames()
	os.Exit(m.Run())
}
