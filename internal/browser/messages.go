package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxMessage is how many bytes a message of the browser may have. The longest is a document of
// render.MaxHTML bytes, in which every character may be escaped.
const maxMessage = 64 << 20

// errLongMessage reports a message of more than maxMessage bytes.
var errLongMessage = errors.New("the browser sent a message that is too long")

// A message is a request, an answer or an event of the DevTools protocol.
type message struct {
	ID      int64           `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *protocolError  `json:"error,omitempty"`
}

// A protocolError is an answer of the browser that refuses a request.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *protocolError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// readMessage reads the next message, which ends with NUL. It returns an error for one that is
// too long or is no JSON, and io.EOF where no message begins.
func readMessage(r *bufio.Reader) (message, error) {
	var text []byte
	for {
		part, err := r.ReadSlice(0)
		if len(text)+len(part) > maxMessage {
			return message{}, errLongMessage
		}
		text = append(text, part...)
		if err == nil {
			break
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && len(text) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		return message{}, fmt.Errorf("a message of the browser: %w", err)
	}
	return m, nil
}

// appendMessage appends a message and the NUL that ends it.
func appendMessage(b []byte, m message) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return b, err
	}
	return append(append(b, text...), 0), nil
}
