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
	maxSessions = 1000
)

// sessions holds the sessions of the owner in memory, by the hash of their key: who reads
// the memory of the server cannot use them. A restart ends all.
type sessions struct {
	mutex sync.Mutex
	ends  map[[sha256.Size]byte]time.Time
}

func newSessions() *sessions { return &sessions{ends: map[[sha256.Size]byte]time.Time{}} }

// begin returns the key of a new session.
func (s *sessions) begin(now time.Time) string {
	key := rand.Text()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.ends) >= maxSessions {
		s.dropFirstLocked(now)
	}
	s.ends[sha256.Sum256([]byte(key))] = now.Add(sessionTime)
	return key
}

// dropFirstLocked removes the sessions that have ended, or else the oldest one.
func (s *sessions) dropFirstLocked(now time.Time) {
	var first [sha256.Size]byte
	for key, end := range s.ends {
		if now.After(end) {
			delete(s.ends, key)
		} else if s.ends[first].IsZero() || end.Before(s.ends[first]) {
			first = key
		}
	}
	if len(s.ends) >= maxSessions {
		delete(s.ends, first)
	}
}

func (s *sessions) has(key string, now time.Time) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return now.Before(s.ends[sha256.Sum256([]byte(key))])
}

func (s *sessions) end(key string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.ends, sha256.Sum256([]byte(key)))
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

func (s *Server) isLoggedIn(r *http.Request) bool {
	cookie, err := r.Cookie(s.cookieName())
	return err == nil && s.sessions.has(cookie.Value, s.options.Now())
}
