package cli

import (
	"os"
	"testing"
)

// TestMain makes the tests independent of the language of who runs them.
func TestMain(m *testing.M) {
	if err := os.Setenv("LC_ALL", "C"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
