package web

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

const (
	sessionTime = 14 * 24 * time.Hour
	maxSessions = 1000 // of each role
)

// sessions holds the sessions of those who logged in in memory, by the hash of their key: who
// reads the memory of the server cannot use them. A restart ends all.
type sessions struct {
	mutex sync.Mutex
	open  map[[sha256.Size]byte]session
}

// A session gives a role until it ends.
type session struct {
	role role
	end  time.Time
}

func newSessions() *sessions { return &sessions{open: map[[sha256.Size]byte]session{}} }

// begin returns the key of a new session.
func (s *sessions) begin(granted role, now time.Time) string {
	key := rand.Text()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.makeRoomLocked(granted, now)
	s.open[sha256.Sum256([]byte(key))] = session{granted, now.Add(sessionTime)}
	return key
}

// makeRoomLocked removes the sessions that have ended, and the oldest one of a role that has as
// many as it may: readers cannot end the session of the owner by more log-ins.
func (s *sessions) makeRoomLocked(granted role, now time.Time) {
	var first [sha256.Size]byte
	count := 0
	for key, one := range s.open {
		switch {
		case now.After(one.end):
			delete(s.open, key)
		case one.role == granted:
			count++
			if count == 1 || one.end.Before(s.open[first].end) {
				first = key
			}
		}
	}
	if count >= maxSessions {
		delete(s.open, first)
	}
}

// roleOf returns the role that the session of a key gives.
func (s *sessions) roleOf(key string, now time.Time) role {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if one := s.open[sha256.Sum256([]byte(key))]; now.Before(one.end) {
		return one.role
	}
	return roleNone
}

func (s *sessions) end(key string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.open, sha256.Sum256([]byte(key)))
}

// cookieName returns the name of the session's cookie. The prefix __Host- keeps other hosts
// of the domain from setting it (RFC 6265bis section 4.1.3.2). It demands the path /.
func (s *Server) cookieName() string {
	switch {
	case s.isSecure() && s.origin.Path == "":
		return "__Host-mapa-session"
	case s.isSecure():
		return "__Secure-mapa-session"
	}
	return "mapa-session"
}

// setCookie sends the key of a session; an empty one removes it.
func (s *Server) setCookie(w http.ResponseWriter, key string) {
	age := int(sessionTime.Seconds())
	if key == "" {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: key, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.isSecure(),
		SameSite: http.SameSiteLaxMode,
	})
}

// sessionRole returns what the session of a request allows.
func (s *Server) sessionRole(r *http.Request) role {
	cookie, err := r.Cookie(s.cookieName())
	if err != nil {
		return roleNone
	}
	return s.sessions.roleOf(cookie.Value, s.options.Now())
}
