package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// TestWaitForEnter waits for a line, the end of the input, or an interruption.
func TestWaitForEnter(t *testing.T) {
	t.Parallel()
	for _, in := range []io.Reader{strings.NewReader("\n"), strings.NewReader("")} {
		waitForEnter(t.Context(), in)
	}
	silent, typed := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan struct{})
	go func() {
		waitForEnter(ctx, silent)
		close(returned)
	}()
	select {
	case <-returned:
		t.Error("it did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	cancel()
	<-returned
	typed.Close()
}
