//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// TestSecondSignal survives two signals at once, as timeout(1) sends them: a second one
// ends the program only a second later.
func TestSecondSignal(t *testing.T) {
	ctx, stop := interruptible(t.Context())
	defer stop()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
	}
}
