package source

import (
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestStalled reads for ten minutes from servers that send the same number of bytes
// every second.
func TestStalled(t *testing.T) {
	for name, test := range map[string]struct {
		bytes int
		ends  time.Duration // 0 when the body is read to its end
	}{
		"nothing":  {0, time.Minute},
		"dripping": {100, 70 * time.Second},
		"slow":     {2048, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reader, writer := io.Pipe()
				var sending sync.WaitGroup
				defer sending.Wait()
				sending.Go(func() {
					for range 600 {
						time.Sleep(time.Second)
						if _, err := writer.Write(make([]byte, test.bytes)); err != nil {
							return
						}
					}
					writer.Close()
				})
				body := newIdleBody(reader, func() { reader.CloseWithError(io.ErrClosedPipe) })
				defer body.Close()
				start := time.Now()
				_, err := io.Copy(io.Discard, body)
				switch took := time.Since(start); {
				case test.ends == 0 && err != nil:
					t.Errorf("after %v: %v", took, err)
				case test.ends > 0 && (!errors.Is(err, ErrStalled) || took > test.ends):
					t.Errorf("after %v: %v, want an error after %v", took, err, test.ends)
				}
			})
		})
	}
}
