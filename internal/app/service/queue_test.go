package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/jobs"
)

// TestTurns writes each crawl as its client and its number; + goes on after a restart.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		queue  string
		served map[string]int64
		want   string
	}{
		{"a1 a2 a3", nil, "a1 a2 a3"},
		{"a1 a2 a3 b1 c1 b2", nil, "a1 b1 c1 a2 b2 a3"},
		{"a1 a2 b1 c1", map[string]int64{"a": 7}, "b1 c1 a1 a2"},
		{"a1 b1 c1", map[string]int64{"a": 3, "b": 2, "c": 1}, "c1 b1 a1"},
		{"a1 a2 b1 a3+", map[string]int64{"a": 9}, "a3 b1 a1 a2"},
		{"a1 b1 c1 d1 e1 a2 a3 a4 e2", nil, "a1 b1 c1 d1 e1 a2 e2 a3 a4"},
	} {
		var queue []queuedCrawl
		for name := range strings.FieldsSeq(test.queue) {
			name, goesOn := strings.CutSuffix(name, "+")
			queue = append(queue, queuedCrawl{&jobs.Crawl{ID: name, Client: name[:1]}, goesOn})
		}
		var got []string
		for _, c := range byTurns(slices.Clone(queue), test.served) {
			got = append(got, c.ID)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s, served %v: %v, want %s", test.queue, test.served, got, test.want)
		}
	}
}

// TestOneHost runs one crawl of a host at once, and the others by turns.
func TestOneHost(t *testing.T) {
	t.Parallel()
	busy, free := newSite(t, 10), newSite(t, 10)
	busy.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir(), Parallel: 3})
	first, second := request(t, s, busy.URL), request(t, s, busy.URL)
	<-busy.reached
	other := ended(t, s, request(t, s, free.URL).ID)
	if c, err := s.Crawl(t.Context(), second.ID); err != nil || c.State != StateQueued || c.Position != 1 {
		t.Errorf("the second crawl of a host: %+v, %v", c, err)
	}
	if other.State != StateDone {
		t.Errorf("another host: %+v", other)
	}
	close(busy.gate)
	one, two := ended(t, s, first.ID), ended(t, s, second.ID)
	if two.Began.Before(one.Ended) || two.Previous != one.ID {
		t.Errorf("the second began at %v, the first ended at %v", two.Began, one.Ended)
	}
}
