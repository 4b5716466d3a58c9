package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// modelTime is how long a call of a language model may take: the linter may request
// hundreds of files.
const modelTime = 5*time.Minute + 30*time.Second

// Models are the handlers that answer language models at /mcp. The server checks who calls and bounds the calls.
type Models struct {
	Reading  http.Handler // of tools that change nothing
	Changing http.Handler // of all tools
}

// answerModel answers a call. A model changes something only with a token that may: a login
// is that of a person, whose browser other programs can use, and on a server without tokens
// nobody said that models may.
func (s *Server) answerModel(w http.ResponseWriter, r *http.Request) error {
	granted := s.tokenRole(r)
	if granted == roleNone && s.needsLogin() {
		return errLogin
	}
	body, err := io.ReadAll(r.Body) // before it takes a slot: it may come slowly
	if err != nil {
		return bodyError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	end, err := s.modelCalls.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	if err := allowTime(http.NewResponseController(w), modelTime); err != nil {
		return err
	}
	if granted == roleOwner {
		s.options.Models.Changing.ServeHTTP(w, r)
	} else {
		s.options.Models.Reading.ServeHTTP(w, r)
	}
	return nil
}

// allowTime lets a request take longer than others, from now on. The deadline for reading
// ends a request, too, also one that was read.
func allowTime(control *http.ResponseController, most time.Duration) error {
	err := errors.Join(control.SetReadDeadline(time.Now().Add(most)), control.SetWriteDeadline(time.Now().Add(most)))
	if errors.Is(err, http.ErrNotSupported) { // not a connection, as in tests
		return nil
	}
	return err
}
