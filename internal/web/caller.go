package web

import (
	"context"
	"net/http"
)

// A role is what a caller may do. Each includes those before it.
type role int

const (
	roleNone    role = iota // nobody the server knows
	roleVisitor             // of a public server: crawl, see the result by its link, use the tools
	roleReader              // see everything
	roleOwner               // do everything
)

// A caller is who sends a request.
type caller struct {
	role   role
	client string // the network address, as clientOf returns it
}

// quota returns the key by which the service counts what a caller uses, empty for those
// without limits.
func (c caller) quota() string {
	if c.role < roleReader {
		return c.client
	}
	return ""
}

type callerKey struct{}

// callerOf returns who sent a request.
func callerOf(r *http.Request) caller {
	c, _ := r.Context().Value(callerKey{}).(caller)
	return c
}

// identify finds out who sends a request.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := caller{role: s.roleOf(r), client: s.clientOf(r)}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	})
}

func (s *Server) roleOf(r *http.Request) role {
	if !s.needsLogin() {
		return roleOwner
	}
	if granted := s.tokenRole(r); granted > roleNone {
		return granted
	}
	if granted := s.sessionRole(r); granted > roleNone {
		return granted
	}
	if s.options.Public {
		return roleVisitor
	}
	return roleNone
}
