package web

import (
	"io"
	"net/http"
)

// ReadyText is what a server answers that is ready, so that nobody takes another one for it.
const ReadyText = "ok\n"

// healthy says that the server answers.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := io.WriteString(w, ReadyText)
	return err
}

// ready says whether the server can do its work: it reads its store, and is not stopping.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	select {
	case <-s.closing:
		return errStopping
	default:
	}
	if _, _, err := s.options.Service.Crawls(r.Context(), "", "", 1); err != nil {
		s.options.Logger.Error("not ready", "error", err)
		return errNotReady
	}
	return s.healthy(w, r)
}

var (
	errStopping = &statusError{status: http.StatusServiceUnavailable, code: "stopping", detail: "the server is stopping"}
	errNotReady = &statusError{
		status: http.StatusServiceUnavailable, code: "not-ready", detail: "the server cannot read its data folder",
	}
)
