package web

import (
	"testing"
	"time"
)

// TestManySessions ends the oldest session of a role that has too many, and none of another role.
func TestManySessions(t *testing.T) {
	s, now := newSessions(), time.Unix(1_000_000_000, 0)
	owner := s.begin(roleOwner, now)
	first := s.begin(roleReader, now.Add(time.Second))
	second := s.begin(roleReader, now.Add(2*time.Second))
	for range maxSessions - 1 {
		s.begin(roleReader, now.Add(3*time.Second))
	}
	now = now.Add(4 * time.Second)
	for key, want := range map[string]role{owner: roleOwner, first: roleNone, second: roleReader} {
		if got := s.roleOf(key, now); got != want {
			t.Errorf("role %d, want %d", got, want)
		}
	}
	now = now.Add(sessionTime)
	last := s.begin(roleReader, now)
	if s.roleOf(last, now) != roleReader || s.roleOf(owner, now) != roleNone || len(s.open) != 1 {
		t.Errorf("%d sessions are left after all others ended", len(s.open))
	}
}
