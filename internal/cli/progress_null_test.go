package cli

import (
	"os"
	"testing"
)

// TestNullDevice takes the null device for no terminal, as under a scheduler.
func TestNullDevice(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Errorf("%s counts as a terminal", os.DevNull)
	}
}
