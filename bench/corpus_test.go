package main

import (
	"io"
	"testing"
)

// TestSizes holds the inputs to the sizes that the figures are about.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name     string
		record   record
		urls     int
		from, to int64
	}{
		{"plain", plainRecord, fullSize.urls, 9e6, 11e6},
		{"entities", foreignRecord, fullSize.urls, 9e6, 12e6},
		{"heavy", heavyRecord, fullSize.heavy, 47e6, 53e6},
	} {
		n, err := io.Copy(io.Discard, newStream(c.record, 0, c.urls))
		if err != nil {
			t.Fatal(err)
		}
		if n < c.from || n > c.to {
			t.Errorf("%s: %d bytes, want %d to %d", c.name, n, c.from, c.to)
		}
	}
}
