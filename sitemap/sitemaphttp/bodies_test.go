package sitemaphttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// noise renders bytes that cannot be compressed.
func noise(size int) render {
	return render{int64(size), func(_ context.Context, w io.Writer) (int64, error) {
		random := rand.NewChaCha8([32]byte{})
		n, err := io.CopyN(w, random, int64(size))
		return n, err
	}}
}

// TestCacheIsBounded keeps bodies up to the limit: those that are in use always, and
// of the others those that were used last.
func TestCacheIsBounded(t *testing.T) {
	b := newBodies(t.Context(), 10_000)
	get := func(n int, packed bool) *body {
		t.Helper()
		found, err := b.get(t.Context(), bodyKey{name: fmt.Sprint(n), packed: packed}, noise(3_000))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	pinned := get(0, true)
	for n := range 20 {
		b.release(get(n, n%3 != 1))
		if b.bytes > b.limit {
			t.Errorf("%d bytes are kept, more than %d", b.bytes, b.limit)
		}
	}
	for n, want := range map[int]bool{0: true, 1: false, 15: false, 18: true, 17: true, 19: false} {
		found := b.kept(bodyKey{name: fmt.Sprint(n), packed: true})
		if (found != nil) != want {
			t.Errorf("body %d is kept: %t", n, !want)
		}
		if found != nil {
			b.release(found)
		}
	}
	if !bytes.Equal(pinned.content, get(0, true).content) {
		t.Error("the content of a body that is in use changed")
	}
	if len(b.slots) != maxRenders {
		t.Errorf("%d slots are free, want %d", len(b.slots), maxRenders)
	}
}

// TestNothingKept has no room for any body.
func TestNothingKept(t *testing.T) {
	b := newBodies(t.Context(), -1)
	for range 10 {
		found, err := b.get(t.Context(), bodyKey{name: "a", packed: true}, noise(100))
		if err != nil {
			t.Fatal(err)
		}
		b.release(found)
	}
	if len(b.byKey) != 0 || b.bytes != 0 || len(b.slots) != maxRenders {
		t.Errorf("%d bodies, %d bytes, %d free slots", len(b.byKey), b.bytes, len(b.slots))
	}
}
