package baseline

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestReadBounds reads baselines in which a part has no end, without keeping it.
func TestReadBounds(t *testing.T) {
	const entry = `{"rule":"link-broken","url":"/a"}`
	for _, test := range []struct {
		name, begin, endless string
		want                 error
	}{
		{"reason", `{"version":2,"ignored":[` + entry + `,{"rule":"a","reason":"`, "x", errLargeEntry},
		{"space", `{"version":2,"ignored":[` + entry, " ", errLargeEntry},
		{"field", `{"`, "x", errLargeEntry},
		{"version", `{"version":`, "1", errLargeEntry},
		{"pages", `{"version":2,"pages":{"`, "x", errLargeEntry},
		{"entries", `{"version":2,"ignored":[` + entry, "," + entry + strings.Repeat(" ", 1<<18), errLargeFile},
	} {
		read := &counter{in: io.MultiReader(strings.NewReader(test.begin), &endless{text: test.endless})}
		_, err := Read(read, func(*Entry) error { return nil })
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		if read.bytes > maxFile {
			t.Errorf("%s: %d bytes were read", test.name, read.bytes)
		}
	}
}

// TestReadLargeEntries reads entries that are as large as they may be, and one that is larger.
func TestReadLargeEntries(t *testing.T) {
	entry := func(size int) string {
		const begin, end = `{"rule":"a","reason":"`, `"}`
		return begin + strings.Repeat("x", size-len(begin)-len(end)) + end
	}
	read := func(entries ...string) (n int, err error) {
		_, err = Read(strings.NewReader(`{"version":2,"ignored":[`+strings.Join(entries, ",")+`]}`),
			func(*Entry) error { n++; return nil })
		return n, err
	}
	large := entry(maxEntry - 1)
	if n, err := read(large, large, large); n != 3 || err != nil {
		t.Errorf("%d entries: %v", n, err)
	}
	if n, err := read(entry(100), entry(2*maxEntry)); n != 1 || !errors.Is(err, errLargeEntry) {
		t.Errorf("%d entries: %v", n, err)
	}
}

type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		copied := copy(p[n:], e.text[e.at:])
		n, e.at = n+copied, (e.at+copied)%len(e.text)
	}
	return n, nil
}

type counter struct {
	in    io.Reader
	bytes int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.bytes += n
	return n, err
}
