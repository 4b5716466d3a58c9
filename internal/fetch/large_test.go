package fetch

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestLargeBodies lets a large body wait for the release of another, while the deadlines
// of its exchange do not count.
func TestLargeBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := NewLargeBodies(3 << 20)
		timeouts := (*Options)(nil).withDefaults().Timeouts
		read := func() (*Response, error) {
			ctx, watch := timeouts.watch(t.Context())
			defer watch.stop()
			watch.answered()
			res := &Response{lease: &lease{from: large}}
			body := bytes.Repeat([]byte("a long text "), 2<<20/12)
			var err error
			res.Body, res.Truncated, err = readBody(bytes.NewReader(body), nil, 10<<20, int64(len(body)),
				func(buffer []byte) ([]byte, error) {
					return res.lease.grow(ctx, watch, buffer, int64(len(body)), 10<<20)
				})
			if err == nil && (!bytes.Equal(res.Body, body) || cap(res.Body) > len(body)+1) {
				t.Errorf("%d bytes in a buffer of %d, want %d", len(res.Body), cap(res.Body), len(body))
			}
			return res, errors.Join(err, context.Cause(ctx))
		}
		first, err := read()
		if err != nil {
			t.Fatal(err)
		}
		began, second := time.Now(), make(chan error)
		go func() {
			res, err := read()
			res.Release()
			second <- err
		}()
		time.Sleep(time.Hour)
		first.Release()
		if err := <-second; err != nil || time.Since(began) != time.Hour {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		first.Release() // has no effect
		if !large.room.TryAcquire(3 << 20) {
			t.Error("the room is not free")
		}
	})
}
