package browser

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzMessages reads what a browser may send. What is read can be written and read again.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("{\"id\":1,\"result\":{}}\x00{\"method\":\"Page.x\",\"params\":[1],\"sessionId\":\"A\"}\x00"))
	f.Add([]byte("{\"id\":1,\"error\":{\"code\":-1,\"message\":\"x\"}}\x00{"))
	f.Add([]byte("\x00\x00null\x00[]\x00{\"id\":\"x\"}\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bufio.NewReaderSize(bytes.NewReader(b), 16)
		for {
			m, err := readMessage(in)
			if err != nil {
				return
			}
			text, err := appendMessage(nil, m)
			if err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
			again, err := readMessage(bufio.NewReader(bytes.NewReader(text)))
			if err != nil || again.ID != m.ID || again.Method != m.Method || again.Session != m.Session {
				t.Fatalf("%+v, %v; was %+v", again, err, m)
			}
		}
	})
}

// TestLongMessage refuses a message without an end, and one that ends in the middle.
func TestLongMessage(t *testing.T) {
	t.Parallel()
	endless := bufio.NewReader(io.MultiReader(strings.NewReader(`{"x":"`), endlessText{}))
	if _, err := readMessage(endless); !errors.Is(err, errLongMessage) {
		t.Errorf("without an end: %v", err)
	}
	if _, err := readMessage(bufio.NewReader(strings.NewReader(`{}`))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("in the middle: %v", err)
	}
	if _, err := readMessage(bufio.NewReader(strings.NewReader(""))); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

type endlessText struct{}

func (endlessText) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
