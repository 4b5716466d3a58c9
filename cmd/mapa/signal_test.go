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
	// The end of the test does not stop it: a signal may still be on its way then, and
	// would end the process.
	ctx, _ := interruptible(t.Context())
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
