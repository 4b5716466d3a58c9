package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"
)

// A recorder remembers how a request was answered.
type recorder struct {
	http.ResponseWriter
	status int // 0 before the answer begins
	bytes  int64
}

// WriteHeader implements [http.ResponseWriter].
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// logRequests logs and counts every request. Headers and queries, which may contain
// secrets, are not logged.
func (s *Server) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.options.Now()
		recorded := &recorder{ResponseWriter: w}
		defer func() {
			took := s.options.Now().Sub(began)
			s.metrics.count(recorded.status, took)
			s.options.Logger.Debug("request", "method", r.Method, "path", loggedPath(r), "status", recorded.status,
				"bytes", recorded.bytes, "took", took.Round(time.Microsecond), "client", s.clientOf(r))
		}()
		next.ServeHTTP(recorded, r)
	})
}

// recoverPanics answers a request whose handler fails by an error of the program.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch value := recover(); value {
			case nil:
			case http.ErrAbortHandler:
				panic(value)
			default:
				s.fail(w, r, fmt.Errorf("panic: %v\n%s", value, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
