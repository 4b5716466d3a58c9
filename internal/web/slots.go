package web

import (
	"net/http"
	"sync"
	"time"
)

// slots bounds what is open at once, of all callers and of one visitor.
type slots struct {
	most, mostVisitor int
	refusal           error

	mutex   sync.Mutex
	open    int
	clients map[string]int // of visitors
}

// newStreams returns the slots of streams and downloads.
func newStreams() *slots {
	return &slots{most: 1000, mostVisitor: 12, refusal: busy("too many streams and downloads are open")}
}

func busy(detail string) error {
	const retryAfter = 5 * time.Second
	return &statusError{
		status: http.StatusTooManyRequests, code: "limit", detail: detail, retryAfter: retryAfter,
	}
}

// take takes a slot, and returns the function that gives it back.
func (s *slots) take(who caller) (release func(), err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	client := who.quota()
	if s.open >= s.most || client != "" && s.clients[client] >= s.mostVisitor {
		return nil, s.refusal
	}
	s.open++
	if client != "" {
		if s.clients == nil {
			s.clients = map[string]int{}
		}
		s.clients[client]++
	}
	return func() { s.release(client) }, nil
}

func (s *slots) release(client string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.open--
	if client == "" {
		return
	}
	if s.clients[client]--; s.clients[client] == 0 {
		delete(s.clients, client)
	}
}

// number returns how many slots are taken.
func (s *slots) number() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.open
}
