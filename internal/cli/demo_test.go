package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

// TestWaitForEnter waits for a line, the end of the input, or an interruption.
func TestWaitForEnter(t *testing.T) {
	t.Parallel()
	for _, in := range []io.Reader{strings.NewReader("\n"), strings.NewReader("")} {
		waitForEnter(t.Context(), in)
	}
	synctest.Test(t, func(t *testing.T) {
		silent, typed := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		returned := false
		go func() {
			waitForEnter(ctx, silent)
			returned = true
		}()
		synctest.Wait()
		if returned {
			t.Error("it did not wait")
		}
		cancel()
		synctest.Wait()
		if !returned {
			t.Error("it was not interrupted")
		}
		typed.Close()
	})
}
