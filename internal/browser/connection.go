package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// errGone reports that the browser ended.
var errGone = errors.New("the browser ended")

// A connection sends requests to the browser and receives answers and events. Its goroutine ends
// when the browser closes the pipe.
type connection struct {
	in   *os.File
	gone chan struct{} // closed when no more messages arrive

	writing sync.Mutex // is held while a message is written

	mu       sync.Mutex
	last     int64
	waiting  map[int64]chan message
	sessions map[string]func(method string, params json.RawMessage)
	detached map[string]chan struct{} // by session
}

func newConnection(in *os.File, out io.Reader) *connection {
	c := &connection{
		in: in, gone: make(chan struct{}), waiting: map[int64]chan message{},
		sessions: map[string]func(string, json.RawMessage){}, detached: map[string]chan struct{}{},
	}
	c.listen("", c.hear)
	go c.receive(bufio.NewReaderSize(out, 64<<10))
	return c
}

// receive passes messages on until there are no more. One that cannot be read ends it: what
// follows cannot be trusted.
func (c *connection) receive(out *bufio.Reader) {
	defer close(c.gone)
	for {
		m, err := readMessage(out)
		if err != nil {
			return
		}
		c.mu.Lock()
		answer, handle := c.waiting[m.ID], c.sessions[m.Session]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m // has room
		case m.ID == 0 && handle != nil:
			handle(m.Method, m.Params)
		}
	}
}

// listen makes handle hear the events of a session until it ends. handle must not wait for an answer.
func (c *connection) listen(session string, handle func(method string, params json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[session] = handle
}

// hear handles an event of the browser: the end of a session, for which onDetach waits.
func (c *connection) hear(method string, params json.RawMessage) {
	var of struct{ SessionID string }
	if method != "Target.detachedFromTarget" || json.Unmarshal(params, &of) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, of.SessionID)
	if ended := c.detached[of.SessionID]; ended != nil {
		delete(c.detached, of.SessionID)
		close(ended)
	}
}

// onDetach closes ended when a session ends.
func (c *connection) onDetach(session string, ended chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.detached[session] = ended
}

// send sends a request and returns where its answer arrives.
func (c *connection) send(session, method string, params any) (id int64, answer chan message, err error) {
	text, err := json.Marshal(params)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", method, err)
	}
	answer = make(chan message, 1)
	c.mu.Lock()
	c.last++
	id = c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	b, err := appendMessage(nil, message{ID: id, Session: session, Method: method, Params: text})
	if err == nil {
		c.writing.Lock()
		_ = c.in.SetWriteDeadline(time.Now().Add(stallTime)) // a browser that is stopped reads nothing
		_, err = c.in.Write(b)
		c.writing.Unlock()
	}
	if err != nil {
		c.forget(id)
		return 0, nil, fmt.Errorf("%s: %w: %w", method, errGone, err)
	}
	return id, answer, nil
}

func (c *connection) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// tell sends a request whose answer does not matter.
func (c *connection) tell(session, method string, params any) {
	if id, _, err := c.send(session, method, params); err == nil {
		c.forget(id)
	}
}

// object is the parameters of a request.
type object = map[string]any

// call sends a request and waits for its answer, which it stores in result unless that is nil.
func (c *connection) call(ctx context.Context, session, method string, params, result any) error {
	id, answer, err := c.send(session, method, params)
	if err != nil {
		return err
	}
	defer c.forget(id)
	var m message
	select {
	case m = <-answer:
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	case <-c.gone:
		return fmt.Errorf("%s: %w", method, errGone)
	}
	if m.Error != nil {
		return fmt.Errorf("%s: %w", method, m.Error)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("the answer to %s: %w", method, err)
	}
	return nil
}
